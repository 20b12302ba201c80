import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs before `npm start`: says in one sentence that Node is too old, which the programs that build
 * would say in many. The first argument is the root of the project, by default this one; the second
 * the version of Node to judge.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const version = process.argv[3] ?? process.versions.node;
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const wanted = engines.node.replace('>=', '');

if (isOlder(version, wanted)) {
  console.error(
    `preflight: it needs Node ${wanted} or newer, and this is ${version}: install a newer one (https://nodejs.org)`,
  );
  process.exit(1);
}

function isOlder(version, than) {
  const [major, minor = 0] = version.split('.').map(Number);
  const [majorMin, minorMin = 0] = than.split('.').map(Number);
  return major < majorMin || (major === majorMin && minor < minorMin);
}
