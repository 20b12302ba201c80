import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Log } from '#ports/log';
import type { AnvilPackage, FoundAnvil } from './find-anvil.js';

/**
 * It is 30 MB; a line on which it takes longer is one on which the start should not wait for it.
 */
const INSTALL_MS_MAX = 180_000;
/** The folder of package.json, wherever this program was put together. */
const ROOT = fileURLToPath(new URL('../', import.meta.resolve('#dist/engine.sha256')));
const run = promisify(execFile);

/**
 * Returns what was found, after the package for this machine was installed if that is what is
 * missing. npm installs it and nothing else is changed: neither package.json nor its lock, which
 * cannot name packages that not every registry has. Never rejects: without anvil the start goes on,
 * and says why.
 */
export async function installIfMissing(found: FoundAnvil, log: Log, folder = ROOT): Promise<FoundAnvil> {
  if (found.kind === 'found' || found.package === null) return found;
  const { name, spec } = found.package;
  log.info({ package: spec }, 'installing anvil for the local chain, once');
  try {
    await install(found.package, folder);
  } catch (err) {
    log.warn({ package: spec, err: String(err) }, 'anvil could not be installed: the local chain stays off');
    return found;
  }
  const path = join(folder, 'node_modules', name, 'bin', 'anvil');
  return existsSync(path) ? { kind: 'found', path } : found;
}

async function install({ spec }: AnvilPackage, folder: string): Promise<void> {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', spec];
  await run('npm', args, { cwd: folder, timeout: INSTALL_MS_MAX });
}
