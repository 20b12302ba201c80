import { ROW_VERSION } from '../../rows/row-fields.js';
import { putRow, type Rows } from '../raw.js';
import { behindMoment, momentKey } from './keys.js';

/**
 * An index by time: rows that something is removed from later are found by when that is due, so
 * that those which are not due cost nothing. Each of its keys is a moment and the name of a row, and
 * is written in the row's own transaction.
 */
export interface ByTime {
  /** What its keys begin with. */
  readonly prefix: string;
  /** What the keys of the rows begin with; their names follow it. */
  readonly rows: string;
  /**
   * Returns the moment under which a row is to be found, as the row stands. null: it is not there,
   * has nothing to be removed, or cannot be understood, of which whoever asks for it hears.
   */
  momentOf(db: Rows, name: string): number | null;
}

/** The name of a row, and the moment under which it is to be found; null: it is not. */
interface Move {
  readonly name: string;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Gives a row its place. To be called inside a write transaction. */
export function moveByTime(db: Rows, { prefix }: Pick<ByTime, 'prefix'>, { name, fromMs, toMs }: Move): void {
  if (fromMs !== null && fromMs !== toMs) db.remove(momentKey(prefix, fromMs) + name);
  if (toMs !== null) putRow(db, momentKey(prefix, toMs) + name, ROW_VERSION);
}

/** Returns whether a row is to be found, and is not. */
export function isMissing(db: Rows, { prefix, momentOf }: ByTime, name: string): boolean {
  const atMs = momentOf(db, name);
  return atMs !== null && !db.doesExist(momentKey(prefix, atMs) + name);
}

/** Returns up to `limit` of the keys whose moment is before this one, the oldest first. */
export function keysBefore(db: Rows, { prefix }: ByTime, beforeMs: number, limit: number): readonly string[] {
  return [...db.getKeys({ start: prefix, end: momentKey(prefix, Math.max(beforeMs, 0)), limit })];
}

/** Returns the names in these keys, each once. */
export function namesIn(keys: readonly string[], { prefix }: ByTime): readonly string[] {
  return [...new Set(keys.map((key) => behindMoment(key, prefix)))];
}
