import { ENDED_BY_USER } from './part-process.js';
import { PARTS } from './parts.js';

// Ends by way of `exit`, so that what is on the disk is removed; children end with this process.
process.on('SIGINT', () => process.exit(ENDED_BY_USER));
process.once('disconnect', () => process.exit(ENDED_BY_USER));
process.send!(await PARTS[process.argv[2]!]!(), () => process.exit());
