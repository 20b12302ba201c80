import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tells a bundle the engine's name, as the service names it in evidence: the hash of the list that
 * scripts/hash-engine.mjs has made.
 */
export function engineDefine(root) {
  const list = readFileSync(join(root, 'dist/engine.sha256'));
  return { ENGINE_SOURCE_SHA256: JSON.stringify(createHash('sha256').update(list).digest('hex')) };
}
