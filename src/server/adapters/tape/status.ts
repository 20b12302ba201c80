import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TapeStatus } from '#ports/tape';
import type { TapeSession } from './engine/database.js';
import { endOf, recentOf, sortedRows } from './files/manifest.js';
import { readSnapshot, type Snapshot } from './files/snapshot.js';
import { numberOrNull } from './reads.js';
import { sqlMarkets } from './sql/markets.js';
import { sqlFiles } from './sql/sql.js';

/** Each condition of the fills with its newest fill. */
function sqlConditions(dir: string, { manifest, late }: Snapshot): string {
  const { sorted } = manifest;
  const generations = sorted === null ? [] : [sorted, ...recentOf(sorted)];
  const files = generations.map(({ conditions }) => join(dir, conditions));
  return `
    SELECT condition, max(last_fill_s) AS last_fill_s FROM (
      SELECT condition, last_fill_s FROM ${sqlFiles(files, { condition: 'VARCHAR', last_fill_s: 'BIGINT' })}
      UNION ALL SELECT condition, max(time_s) FROM ${late} GROUP BY condition
    ) GROUP BY condition`;
}

/** Returns conditions that were traded and are not described, those with the latest fill first. */
export async function unknownConditions(session: TapeSession, dir: string, limit: number): Promise<readonly string[]> {
  const snapshot = await readSnapshot(dir);
  const rows = await session.rows<{ condition: string }>(`
    SELECT condition FROM (${sqlConditions(dir, snapshot)}) AS traded
    WHERE NOT EXISTS (SELECT 1 FROM ${snapshot.markets} AS market WHERE market.condition = traded.condition)
    ORDER BY last_fill_s DESC, condition LIMIT ${limit}`);
  return rows.map(({ condition }) => condition);
}

/**
 * Returns conditions whose scheduled end is over and whose result is not confirmed, those with the
 * latest fill first.
 */
export async function unresolvedConditions(
  session: TapeSession,
  dir: string,
  nowS: number,
  limit: number,
): Promise<readonly string[]> {
  const snapshot = await readSnapshot(dir);
  const rows = await session.rows<{ condition: string }>(`
    SELECT condition FROM (${sqlMarkets(snapshot.markets)}) AS market
      LEFT JOIN (${sqlConditions(dir, snapshot)}) AS traded USING (condition)
    WHERE (payout_micros IS NULL OR payout_source = 'price') AND (scheduled_end_s IS NULL OR scheduled_end_s <= ${nowS})
    ORDER BY last_fill_s DESC NULLS LAST, condition LIMIT ${limit}`);
  return rows.map(({ condition }) => condition);
}

/** Returns what the tape holds, in numbers. */
export async function readStatus(session: TapeSession, dir: string): Promise<TapeStatus> {
  const snapshot = await readSnapshot(dir);
  const { sorted } = snapshot.manifest;
  const [late] = await session.rows<{ fills: bigint; first: bigint | null; last: bigint | null }>(
    `SELECT count(*) AS fills, min(time_s) AS first, max(time_s) AS last FROM ${snapshot.late}`,
  );
  const [existing] = await session.rows<{ markets: bigint; resolved: bigint }>(
    `SELECT count(*) AS markets, count(payout_micros) AS resolved FROM (${sqlMarkets(snapshot.markets)})`,
  );
  const sortedFills = sortedRows(sorted);
  return {
    fills: sortedFills + Number(late!.fills),
    segments: snapshot.segments.length,
    markets: Number(existing!.markets),
    marketsResolved: Number(existing!.resolved),
    firstFillS: endOf(Math.min, sorted?.firstFillS ?? null, numberOrNull(late!.first)),
    lastFillS: endOf(Math.max, sorted?.lastFillS ?? null, numberOrNull(late!.last)),
    bytes: await bytesOf(dir, snapshot),
    compactedThroughDay: sorted?.throughDay ?? null,
  };
}

async function bytesOf(dir: string, { files }: Snapshot): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dir, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
