import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listEvidenceKeys, openEvidenceKeys } from '#adapters/keys/evidence-keys';
import { systemClock } from '#adapters/process/system-clock';
import { PRODUCT_VERSION } from '#api/mcp-facts';
import type { Config } from '#config/config';
import type { Engine } from '#judge/evidence-payload';
import type { EvidenceKey, EvidenceKeys } from '#ports/evidence-keys';

/** Returns where the keys that sign evidence are. */
export function evidenceKeysPath(keysDir: string): string {
  return join(keysDir, 'evidence-keys');
}

/** What signs evidence, and as whom. */
export interface EvidenceSigner {
  /** Base address of the service. */
  readonly issuer: string;
  readonly engine: Engine;
  readonly keys: EvidenceKeys;
}

/** Opens (or makes) the keys that sign evidence. */
export function openEvidence(keysDir: string): EvidenceKeys {
  return openEvidenceKeys(evidenceKeysPath(keysDir), systemClock);
}

/** Returns the keys that are there, the newest first, and makes none. */
export function evidenceKeysIn(keysDir: string): readonly EvidenceKey[] {
  return listEvidenceKeys(evidenceKeysPath(keysDir));
}

/** Returns what signs the evidence of a service. */
export function openSigner({ baseUrl, keysDir }: Pick<Config, 'baseUrl' | 'keysDir'>): EvidenceSigner {
  return { issuer: baseUrl, engine: readEngine(), keys: openEvidence(keysDir) };
}

/**
 * What this build computes verdicts with: `dist/engine.sha256` lists its files, and its own hash
 * names them all.
 */
export function readEngine(): Engine {
  const list = readFileSync(new URL(import.meta.resolve('#dist/engine.sha256')));
  return { version: PRODUCT_VERSION, sourceSha256: createHash('sha256').update(list).digest('hex') };
}
