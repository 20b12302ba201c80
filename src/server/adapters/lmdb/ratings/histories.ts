import type { TapeWallet } from '#domain/ids';
import type { TrimmedPage, VerdictRecord } from '#ports/ratings-store';
import type { Cursor } from '#ports/store';
import { decodeVerdict } from '../../rows/rating-rows.js';
import type { Batch, Commits } from '../commits.js';
import { type Rows, rangeOf, readRaw } from '../raw.js';
import { HISTORIES, historyOf, publishedKey, runOfHistoryKey, walletOfHistoryKey } from './keys.js';

/**
 * Returns verdicts of runs that are or were in force, newest first. Where a day was rated twice,
 * only its newest verdict counts.
 */
export function readHistory(db: Rows, wallet: TapeWallet, limit: number): readonly VerdictRecord[] {
  const { start, end } = rangeOf(historyOf(wallet));
  const records: VerdictRecord[] = [];
  for (const key of db.getKeys({ start: end, end: start, reverse: true })) {
    if (records.length >= limit) break;
    if (!db.doesExist(publishedKey(runOfHistoryKey(key)))) continue;
    const record = decodeVerdict(key, readRaw(db, key));
    if (record.asOfS !== records.at(-1)?.asOfS) records.push(record);
  }
  return records;
}

/**
 * Removes verdicts of before a second, of those at most `limit` that a look comes to. A wallet's
 * lie by age, so that its first one that is younger ends the look at it.
 */
export async function trimHistory(
  db: Rows,
  commits: Commits<Batch>,
  { beforeS, from, limit }: { readonly beforeS: number; readonly from: Cursor; readonly limit: number },
): Promise<TrimmedPage> {
  const { old, next } = oldVerdicts(db, beforeS, from, limit);
  if (old.length === 0) return { removed: 0, next };
  // A verdict never changes, so that what was old is old.
  const write = () => {
    for (const key of old) db.remove(key);
  };
  await commits.run({ decide: () => ({ result: undefined, write }) });
  return { removed: old.length, next };
}

function oldVerdicts(
  db: Rows,
  beforeS: number,
  from: Cursor,
  limit: number,
): { readonly old: readonly string[]; readonly next: Cursor } {
  const { start, end } = rangeOf(HISTORIES);
  const old: string[] = [];
  let at = from ?? start;
  for (let looks = 0; looks < limit; looks++) {
    const [key] = db.getKeys({ start: at, exclusiveStart: at !== start, end, limit: 1 });
    if (key === undefined) return { old, next: null };
    const asOfS = asOfOf(db, key);
    if (asOfS !== null && asOfS < beforeS) old.push(key);
    at = asOfS === null || asOfS < beforeS ? key : rangeOf(historyOf(walletOfHistoryKey(key))).end;
  }
  return { old, next: at };
}

/** One that cannot be understood stays, and whoever asks for the history hears of it. */
function asOfOf(db: Rows, key: string): number | null {
  try {
    return decodeVerdict(key, readRaw(db, key)).asOfS;
  } catch {
    return null;
  }
}
