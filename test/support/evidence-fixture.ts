import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEvidenceKeys } from '#adapters/keys/evidence-keys';
import { systemClock } from '#adapters/process/system-clock';
import type { EvidenceKeys } from '#ports/evidence-keys';
import { createEvidence, type EvidenceOf } from '#services/orders/evidence';
import { checkHash } from '#wire/polymarket/check-hash';
import { tempFolder } from './temp-folder.js';

/** Keys of their own in a folder of their own, and what signs with them. */
export interface EvidenceFixture {
  readonly path: string;
  readonly keys: EvidenceKeys;
  readonly evidenceOf: EvidenceOf;
  remove(): void;
}

export const ISSUER = 'https://preflight.example';
export const ENGINE = { version: '0.1.0', sourceSha256: 'ab'.repeat(32) };

export function newEvidenceFixture(): EvidenceFixture {
  const dir = tempFolder('evidence');
  const path = join(dir, 'evidence-keys');
  const keys = openEvidenceKeys(path, systemClock);
  const evidenceOf = createEvidence({ issuer: ISSUER, engine: ENGINE, keys, checkHash });
  return { path, keys, evidenceOf, remove: () => rmSync(dir, { recursive: true }) };
}
