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

/**
 * Installs the programs from the registry, as the lock names them, into a temporary folder. None of
 * their install scripts runs. PROVE_CLIENTS_DIR names a folder where they are already.
 */
export async function installClients(): Promise<InstalledClients> {
  const given = process.env.PROVE_CLIENTS_DIR;
  const dir = given ?? tempFolder('clients');
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(SOURCE, name), join(dir, name));
  cpSync(join(SOURCE, 'programs'), dir, { recursive: true });
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
