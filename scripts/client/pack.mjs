import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after the client is built: packs dist/client as npm would publish it, into dist/client.tgz,
 * which the service offers until the package is on the registry.
 */
const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const packed = execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', '..'], {
  cwd: join(DIST, 'client'),
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
});
const { filename } = Object.values(JSON.parse(packed))[0];
renameSync(join(DIST, filename.replace('@', '').replace('/', '-')), join(DIST, 'client.tgz'));
