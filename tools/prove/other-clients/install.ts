import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '#test/support/run-program';
import { ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';

/** The programs of others, with what drives them; no dependencies of this project. */
const SOURCE = join(ROOT, 'tools/prove/clients');
const INSTALL_MS_MAX = 900_000;

/** Where they are, or why they cannot be had. */
export type InstalledClients =
  | { readonly kind: 'installed'; readonly dir: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** Installs the programs of the proof. PROVE_CLIENTS_DIR names a folder where they are already. */
export function installClients(): Promise<InstalledClients> {
  return installPackages(SOURCE, process.env.PROVE_CLIENTS_DIR);
}

/**
 * Installs what the lock in a folder of the source names from the registry, beside what is in its
 * folder `programs`, into a temporary folder or the one that is given. No install script of theirs
 * runs.
 */
export async function installPackages(source: string, given: string | undefined): Promise<InstalledClients> {
  const dir = given ?? tempFolder('clients');
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(source, name), join(dir, name));
  cpSync(join(source, 'programs'), dir, { recursive: true });
  if (given !== undefined && existsSync(join(dir, 'node_modules'))) return { kind: 'installed', dir };
  // Not `npm ci`: optional packages of other platforms that the registry has not are no fault.
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const { exitCode, stderr } = await runProgram('npm', args, { cwd: dir, timeout: INSTALL_MS_MAX });
  if (exitCode === 0) return { kind: 'installed', dir };
  const [why = 'npm failed'] = stderr.split('\n').filter((line) => line.startsWith('npm error'));
  return { kind: 'unavailable', why: `cannot be installed: ${why.slice(0, 200)}` };
}

/** The version of a package, by the name that it has in the folder. */
export function versionOf(dir: string, name: string): string {
  return JSON.parse(readFileSync(join(dir, 'node_modules', name, 'package.json'), 'utf8')).version;
}
