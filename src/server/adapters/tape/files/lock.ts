import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeSession } from '../engine/database.js';
import { tapeHitch } from '../engine/fault.js';
import { sqlText } from '../sql/sql.js';

const FILE = 'lock.duckdb';
const ALIAS = 'tape_lock';

/**
 * Tapes that this process is compacting: the lock of a file holds between processes, not within
 * one.
 */
const locked = new Set<string>();

/**
 * Runs work that only one may do at a time on a tape; rejects if another is at it. The lock is the
 * one that DuckDB has on a file that it writes: the system gives it up when the process dies,
 * however it dies.
 */
export async function withTapeLock<Result>(
  session: TapeSession,
  dir: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const tape = await realpath(dir);
  if (locked.has(tape)) throw busy();
  locked.add(tape);
  try {
    await session.run(`ATTACH ${sqlText(join(tape, FILE))} AS ${ALIAS}`).catch((cause: Error) => {
      throw /lock/i.test(cause.message) ? busy(cause) : cause;
    });
    try {
      return await work();
    } finally {
      await session.run(`DETACH ${ALIAS}`);
    }
  } finally {
    locked.delete(tape);
  }
}

function busy(cause?: Error): Error {
  return tapeHitch('another compaction of this tape is under way; try again when it is done', cause);
}
