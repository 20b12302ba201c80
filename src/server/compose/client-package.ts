import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ClientPackage } from '#http/routes/client-package.route';

/** What scripts/client/pack.mjs has written, from here and from the bundle alike. */
const PACKED = new URL('../client.tgz', import.meta.resolve('#dist/page/manifest.json'));

/** Returns the client's package as this build has packed it; null: it was built without. */
export function openClientPackage(): ClientPackage | null {
  if (!existsSync(PACKED)) return null;
  const bytes = readFileSync(PACKED);
  return { bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` };
}
