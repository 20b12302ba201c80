import type { TapeWallet } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { PayoutSource, TapeMarket } from '#domain/rating/tape-market';
import type { WalletName } from '#ports/tape';
import type { TapeSession } from './engine/database.js';
import { readSnapshot } from './files/snapshot.js';
import { openSorted } from './sorted/open-sorted.js';
import { onlyWallet } from './sorted/ranges.js';
import { FILL_COLUMNS, sqlUnsorted } from './sql/fills.js';
import { sqlMarkets, sqlNames } from './sql/markets.js';
import { sqlText, sqlTexts } from './sql/sql.js';

interface FillRow {
  readonly wallet: TapeWallet;
  readonly token: string;
  readonly condition: string;
  readonly event: string;
  readonly outcome_index: number;
  readonly is_buy: boolean;
  readonly size_micros: bigint;
  readonly price_micros: number;
  readonly time_s: bigint;
  readonly tx: string;
  readonly log_index: number | null;
}

interface MarketRow {
  readonly condition: string;
  readonly event: string;
  readonly slug: string;
  readonly category: string;
  readonly fee_rate_micros: bigint;
  readonly is_up_down: boolean;
  readonly scheduled_end_s: bigint | null;
  readonly resolved_at_s: bigint | null;
  readonly payout_micros: { readonly items: readonly bigint[] } | null;
  readonly payout_source: PayoutSource | 'import' | null;
  readonly created_at_s: bigint | null;
}

/**
 * Returns a wallet's fills, rows that are wholly the same once. Of the sorted files only what is
 * about the wallet is read.
 */
export async function fillsOf(session: TapeSession, dir: string, wallet: TapeWallet): Promise<readonly Fill[]> {
  const snapshot = await readSnapshot(dir);
  await openSorted(session, dir, snapshot.manifest.sorted, onlyWallet(wallet));
  const isOwn = `wallet = ${sqlText(wallet)}`;
  await session.run(`CREATE TEMP TABLE own AS SELECT * FROM sorted_position WHERE ${isOwn}`);
  const sorted = sqlUnsorted('sorted_fill', 'own');
  const late = `SELECT * FROM ${snapshot.late} WHERE ${isOwn}`;
  const names = Object.keys(FILL_COLUMNS) as (keyof FillRow)[];
  const rows = `SELECT DISTINCT ${names.join(', ')} FROM (SELECT * FROM ${sorted} UNION ALL ${late})`;
  const fills: Fill[] = [];
  // Piece by piece: the busiest wallets have half a million, and others wait for the event loop.
  for await (const columns of session.columns(`${rows} ORDER BY time_s, token, tx, log_index`)) {
    const length = columns[0]?.length ?? 0;
    for (let i = 0; i < length; i++) {
      const row = Object.fromEntries(names.map((name, at) => [name, columns[at]![i]]));
      fills.push(toFill(row as unknown as FillRow));
    }
  }
  return fills;
}

function toFill(row: FillRow): Fill {
  return {
    wallet: row.wallet,
    token: row.token,
    condition: row.condition,
    event: row.event,
    outcomeIndex: row.outcome_index,
    side: row.is_buy ? 'BUY' : 'SELL',
    sizeMicros: Number(row.size_micros),
    priceMicros: row.price_micros,
    timeS: Number(row.time_s),
    tx: row.tx,
    ...positionOf(row),
  };
}

function positionOf({ log_index: stored }: FillRow): Pick<Fill, 'logIndex' | 'occurrence'> {
  return stored === null || stored >= 0 ? { logIndex: stored } : { logIndex: null, occurrence: -stored };
}

/** Returns the markets of these conditions that the tape describes. */
export async function marketsOf(
  session: TapeSession,
  dir: string,
  conditions: readonly string[],
): Promise<ReadonlyMap<string, TapeMarket>> {
  if (conditions.length === 0) return new Map();
  const { markets } = await readSnapshot(dir);
  const rows = await session.rows<MarketRow>(sqlMarkets(markets, `condition IN ${sqlTexts(conditions)}`));
  return new Map(rows.map((row) => [row.condition, toMarket(row)]));
}

function toMarket(row: MarketRow): TapeMarket {
  return {
    condition: row.condition,
    event: row.event,
    slug: row.slug,
    category: row.category,
    feeRateMicros: Number(row.fee_rate_micros),
    upDown: row.is_up_down,
    scheduledEndS: numberOrNull(row.scheduled_end_s),
    resolvedAtS: numberOrNull(row.resolved_at_s),
    payoutMicros: row.payout_micros === null ? null : row.payout_micros.items.map(Number),
    ...(row.payout_source === null || row.payout_source === 'import' ? {} : { payoutSource: row.payout_source }),
    ...(row.created_at_s === null ? {} : { createdAtS: Number(row.created_at_s) }),
  };
}

/** Returns the names that the tape has of these wallets. */
export async function namesOf(
  session: TapeSession,
  dir: string,
  wallets: readonly TapeWallet[],
): Promise<ReadonlyMap<TapeWallet, string>> {
  if (wallets.length === 0) return new Map();
  const { names } = await readSnapshot(dir);
  const rows = await session.rows<{ wallet: TapeWallet; name: string }>(
    sqlNames(names, `wallet IN ${sqlTexts(wallets)}`),
  );
  return new Map(rows.map(({ wallet, name }) => [wallet, name]));
}

/** Gives all names, by wallet: one look through the files, however many wallets there are. */
export async function* allNames(session: TapeSession, dir: string): AsyncGenerator<readonly WalletName[]> {
  const { names } = await readSnapshot(dir);
  for await (const [wallets, texts] of session.columns(`${sqlNames(names)} ORDER BY wallet`)) {
    yield wallets!.map((wallet, i) => ({ wallet: wallet as TapeWallet, name: texts![i] as string }));
  }
}

/** Returns a BIGINT as a number; those of the tape are times, shares and counts, and fit. */
export function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
