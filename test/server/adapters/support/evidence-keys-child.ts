import { openEvidenceKeys } from '#adapters/keys/evidence-keys';
import { systemClock } from '#adapters/process/system-clock';

/** Opens the keys of a folder and prints which one signs. */
process.stdout.write(openEvidenceKeys(process.argv[2]!, systemClock).current().kid);
