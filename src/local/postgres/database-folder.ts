import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemRandom } from '#adapters/process/system-random';
import type { DatabaseUser, FoundPostgres } from './find-postgres.js';

/** Who the service is in its database. */
export const ROLE = 'preflight';
const OTHERS_ENTER = 0o001;
const COMPLAINT_CHARS_MAX = 300;

type Programs = FoundPostgres & { readonly kind: 'found' };

/**
 * A folder with a database: `data/`, the password of its one role, and what the server last said.
 */
export interface DatabaseFolder {
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

/**
 * Returns the database of a folder, made on first use in about a second: UTF-8, sorted by bytes,
 * entered by password alone. It is made beside its place and moved there, so that there is no half
 * of one. Throws what initdb complained of.
 */
export async function openDatabaseFolder(folder: string, { initdb, user }: Programs): Promise<DatabaseFolder> {
  const [data, passwordFile, log] = ['data', 'password', 'server.log'].map((name) => join(folder, name));
  if (!existsSync(data!)) {
    mkdirSync(folder, { recursive: true });
    if (user !== null) letThrough(dirname(resolve(folder)));
    giveTo(user, folder, 0o700);
    writeFileSync(passwordFile!, Buffer.from(systemRandom.bytes(16)).toString('hex'), { mode: 0o600 });
    giveTo(user, passwordFile!, 0o600);
    const made = join(folder, 'data.new');
    rmSync(made, { recursive: true, force: true });
    await runInitdb(initdb, made, passwordFile!, user);
    renameSync(made, data!);
  }
  return { data: data!, password: readFileSync(passwordFile!, 'utf8'), log: log! };
}

/**
 * Root's data directory is closed to the user that runs the server, who has to come through it, but
 * not to read it.
 */
function letThrough(parent: string): void {
  const { mode } = statSync(parent);
  if ((mode & OTHERS_ENTER) === 0) chmodSync(parent, mode | OTHERS_ENTER);
}

function giveTo(user: DatabaseUser | null, path: string, mode: number): void {
  chmodSync(path, mode);
  if (user !== null) chownSync(path, user.uid, user.gid);
}

/**
 * Not flushed: only a crash of the machine within its first half minute could harm a database that
 * is still empty.
 */
async function runInitdb(initdb: string, data: string, passwordFile: string, user: DatabaseUser | null): Promise<void> {
  const flags = [
    ...['--pgdata', data, '--username', ROLE, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions'],
  ];
  const child = spawn(initdb, flags, { ...asUser(user), env: { LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < COMPLAINT_CHARS_MAX) said += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${shortened(said)}`);
}

/** Options of spawn that make the child another user's. */
export function asUser(user: DatabaseUser | null): { readonly uid?: number; readonly gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/** One line that is worth repeating. */
export function shortened(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, COMPLAINT_CHARS_MAX) || 'it said nothing';
}
