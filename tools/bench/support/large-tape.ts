import { createHash } from 'node:crypto';
import { openTapeDatabase, type TapeSession } from '#adapters/tape/engine/database';
import { openTapeFolder, type TapeFolder } from '#adapters/tape/files/folder';
import { keepLayer } from '#adapters/tape/files/layers';
import { keepSegment } from '#adapters/tape/files/segments';
import { sqlWrite } from '#adapters/tape/sql/sql';

/** 2026-07-01T00:00:00Z */
export const LARGE_AS_OF_S = 1_782_864_000;

/** One of the wallets. */
export const LARGE_WALLET = `0x${md5('w40')}${md5('w40').slice(0, 8)}`;

/** Fills come in such pieces, as a download of the past would bring them. */
export const SEGMENT_FILLS = 5_000_000;
const DAYS = 160;
export const FILLS_PER_WALLET = 200;
const FILLS_PER_MARKET = 250;

/**
 * Fills the folder of a tape with made-up fills: ids as long as the real ones, few wallets and
 * markets with many fills and many with few, three fills to a (wallet, token) pair, and each fifth
 * order split over two fills.
 */
export async function makeLargeTape(dir: string, fills: number, report: (text: string) => void): Promise<void> {
  const folder = await openTapeFolder(dir);
  const database = await openTapeDatabase({ threads: 2, memoryLimit: '2GB', spillFolder: folder.scratch });
  try {
    await database.session(async (session) => {
      await keepLayer(folder, 'markets', null, (path) => session.run(sqlWrite(marketsSql(fills), path)));
      for (let from = 0; from < fills; from += SEGMENT_FILLS) {
        report(`${from} of ${fills} fills`);
        await writeSegment(session, folder, fills, from, Math.min(fills, from + SEGMENT_FILLS));
      }
    });
  } finally {
    database.close();
    await folder.close();
  }
}

function writeSegment(
  session: TapeSession,
  folder: TapeFolder,
  fills: number,
  from: number,
  to: number,
): Promise<void> {
  return keepSegment(folder, `made-${from}`, '2026-01-01', (path) =>
    session.run(sqlWrite(fillsSql(fills, from, to), path)),
  );
}

export const walletSql = (no: string) => `'0x' || md5('w' || ${no}) || md5('w' || ${no})[:8]`;

/** A number in [0, 1) that depends on a row and on what it is for. */
const dice = (row: string, use: number) => `(hash(${row} * 16 + ${use}) / 18446744073709551616.0::DOUBLE)`;

/** Returns the query of some of the fills of a tape; they begin within so many days of its end. */
export function fillsSql(fills: number, from: number, to: number, days = DAYS): string {
  const wallets = Math.ceil(fills / FILLS_PER_WALLET);
  const markets = Math.ceil(fills / FILLS_PER_MARKET);
  return `
    SELECT ${walletSql('wallet_no')} AS wallet,
      lpad(((hash(market_no * 16 + 14) // 16)::HUGEINT * (hash(market_no * 16 + 15) // 16) + outcome_index)::VARCHAR, 77, '7') AS token,
      '0x' || md5('c' || market_no) || md5('d' || market_no) AS condition,
      'event-' || md5('e' || (market_no // 4)) AS event, outcome_index::INTEGER AS outcome_index,
      ${dice('i', 5)} < 0.85 AS is_buy, (4000000 + 200000000 * pow(${dice('i', 6)}, 4))::BIGINT AS size_micros,
      (10000 + 10000 * ((hash(place_no * 16 + 7) % 98)::BIGINT) + 1000 * (hash(tx_no * 16 + 8) % 9)::BIGINT)::INTEGER AS price_micros,
      (begin_s + hash(tx_no * 16 + 9) % 20000)::BIGINT AS time_s, '0x' || md5('t' || tx_no) || md5('u' || tx_no) AS tx,
      (i % 1000)::INTEGER AS log_index, 0::BIGINT AS ordinal
    FROM (
      SELECT i, place_no, (${wallets} * pow(${dice('place_no', 1)}, 2.5))::BIGINT AS wallet_no,
        (${markets} * pow(${dice('place_no', 2)}, 2))::BIGINT AS market_no, hash(place_no * 16 + 3) % 2 AS outcome_index,
        ${LARGE_AS_OF_S - days * 86_400} + (${days * 86_400} * ${dice('place_no', 4)})::BIGINT AS begin_s,
        CASE WHEN i % 5 = 0 THEN i - 1 ELSE i END AS tx_no
      FROM (SELECT i, i // 3 AS place_no FROM range(${from}, ${to}) AS rows(i))
    )`;
}

export function marketsSql(fills: number): string {
  const markets = Math.ceil(fills / FILLS_PER_MARKET) + 1;
  const end = `${LARGE_AS_OF_S} - (${DAYS * 86_400} * ${dice('market_no', 1)})::BIGINT + 864000`;
  return `
    SELECT '0x' || md5('c' || market_no) || md5('d' || market_no) AS condition, 'event-' || md5('e' || (market_no // 4)) AS event,
      'made-' || market_no AS slug, ['sports', 'politics', 'crypto', 'other'][market_no % 4 + 1] AS category,
      50000::BIGINT AS fee_rate_micros, market_no % 20 = 7 AS is_up_down, ${end} AS scheduled_end_s,
      ${end} + 3600 AS resolved_at_s,
      CASE WHEN hash(market_no * 16 + 2) % 2 = 0 THEN [1000000, 0]::BIGINT[] ELSE [0, 1000000]::BIGINT[] END AS payout_micros,
      market_no AS ordinal
    FROM range(0, ${markets}) AS rows(market_no)`;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
