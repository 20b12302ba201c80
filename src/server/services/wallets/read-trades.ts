import type { WalletAddress } from '#domain/ids';
import { continueNumbers, endOf, type PageEnd, printOf } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import { reachedOf } from '#domain/rating/page-reach';
import type { RatingWindows } from '#domain/rating/rating-windows';
import type { TradePage, TradeSource } from '#ports/trade-source';
import { Unreadable } from './unreadable.js';

/**
 * Pages of trades that are read of one wallet. A page has some hundred rows; the venue's busiest
 * wallets go beyond.
 */
export const WALLET_PAGES_MAX = 400;

/** All trades of a wallet before a moment. */
export interface WalletTrades {
  readonly fills: readonly Fill[];
  readonly name: string | null;
  /**
   * Nothing before this second was read, because there are too many trades; null: everything was.
   */
  readonly sinceS: number | null;
  /** Rows of the list that are no trades. */
  readonly others: number;
  /** The newest second of the window with a row of a kind that nobody knows; null: there is none. */
  readonly unknownS: number | null;
}

interface Reading {
  readonly windows: RatingWindows;
  /** Makes fills share their texts. */
  readonly share: (fill: Fill) => Fill;
}

/**
 * Reads the wallet's trades twice, and returns them when both readings are the same: a list that
 * lost rows, or an old copy of it, looks like any other list. The second time pages have another
 * size, so that what spoils a page spoils other rows. Rejects with a retryable OutsideError when
 * the readings differ, and when a row cannot be read, or is of another wallet.
 */
export async function readTradesTwice(
  wallet: WalletAddress,
  { windows, share }: Reading,
  trades: TradeSource,
  signal: AbortSignal,
): Promise<WalletTrades> {
  const { asOfS } = windows;
  const fills: Fill[] = [];
  const read = await readAll(wallet, { fromS: 0, toS: asOfS - 1, pagesMax: WALLET_PAGES_MAX }, trades, signal, (fill) =>
    fills.push(share(fill)),
  );
  if (!read.isAll && read.oldestS >= windows.fromS) {
    throw new Unreadable(`${WALLET_PAGES_MAX} pages of trades do not reach back over the window`);
  }
  // The oldest second may lack some of its trades.
  const sinceS = read.isAll ? null : read.oldestS + 1;
  const whole = sinceS === null ? fills : fills.filter(({ timeS }) => timeS >= sinceS);
  const seen = new Set(whole.map(markOf));
  const again = new Set<number>();
  const rows = Math.max(1, Math.min(SECOND_PAGE_ROWS_MAX, Math.ceil(whole.length / 2)));
  const range = { fromS: sinceS ?? 0, toS: asOfS - 1, rows, pagesMax: SECOND_PAGES_MAX };
  await readAll(wallet, range, trades, signal, (fill) => {
    if (fill.timeS < range.fromS) return;
    const print = markOf(fill);
    if (!seen.has(print)) throw differs();
    again.add(print);
  });
  if (again.size !== seen.size) throw differs();
  const unknownS = read.unknownS.filter((timeS) => timeS >= windows.fromS && timeS < asOfS);
  const newestUnknownS = unknownS.reduce<number | null>((most, timeS) => Math.max(most ?? timeS, timeS), null);
  return { fills: whole, name: read.name, sinceS, others: read.others, unknownS: newestUnknownS };
}

function differs(): Unreadable {
  return new Unreadable('the venue listed other trades when it was asked again');
}

/** Less than any page of the first reading that is full. */
const SECOND_PAGE_ROWS_MAX = 700;
/** Pages are smaller; and where a wallet has few trades, they are a few rows each. */
const SECOND_PAGES_MAX = 2 * WALLET_PAGES_MAX;

/** Pages in a row without a row, or with rows that are newer than what was asked for. */
const EMPTY_PAGES_MAX = 20;

interface ReadPages {
  readonly name: string | null;
  readonly oldestS: number;
  readonly isAll: boolean;
  readonly others: number;
  readonly unknownS: readonly number[];
}

interface PageRange {
  readonly fromS: number;
  readonly toS: number;
  readonly rows?: number;
  readonly pagesMax: number;
}

/**
 * Reads page after page, newest first. Pages may repeat rows: equal fills count once when they are
 * summed.
 */
async function readAll(
  wallet: WalletAddress,
  { pagesMax, ...range }: PageRange,
  trades: TradeSource,
  signal: AbortSignal,
  take: (fill: Fill) => void,
): Promise<ReadPages> {
  let name: string | null = null;
  let oldestS = range.toS;
  let cursor: string | null = null;
  let end: PageEnd | null = null;
  let emptyPages = 0;
  let others = 0;
  const unknownS: number[] = [];
  for (let pages = 0; pages < pagesMax; pages++) {
    const page: TradePage = await trades.fetchWalletTrades(wallet, range, cursor);
    signal.throwIfAborted();
    assertWhole(wallet, page);
    const before: PageEnd | null = page.isSeamless === true ? end : null;
    const fills = before === null ? page.fills : continueNumbers(page.fills, before);
    end = endOf(fills, before);
    others += page.skipped + page.unreadable;
    unknownS.push(...(page.unknownS ?? []));
    for (const fill of fills) take(fill);
    oldestS = Math.min(oldestS, reachedOf(fills) ?? oldestS);
    name ??= page.names.find((named) => named.wallet === wallet)?.name ?? null;
    if (page.next === null) return { name, oldestS, isAll: true, others, unknownS };
    if (page.next === cursor) throw new Unreadable('the venue repeats the same page of trades');
    emptyPages = page.fills.length + page.skipped === 0 ? emptyPages + 1 : 0;
    if (emptyPages > EMPTY_PAGES_MAX) throw new Unreadable('the venue lists pages without trades, and no end of them');
    cursor = page.next;
  }
  return { name, oldestS, isAll: false, others, unknownS };
}

/**
 * A row that is lost may be the entry that decides. One of a kind that nobody knows will be so when
 * it is asked for again: it costs its second, and no more.
 */
function assertWhole(wallet: WalletAddress, { fills, unreadable, unknownS = [] }: TradePage): void {
  const rows = unreadable - unknownS.length;
  if (rows > 0) throw new Unreadable(`${rows} of the wallet's trades cannot be read`);
  if (fills.some((fill) => fill.wallet !== wallet)) throw new Unreadable('the venue lists trades of another wallet');
}

/** Stands for all that a fill says, and for its number among equal ones. */
function markOf(fill: Fill): number {
  return printOf(fill, ` ${fill.outcomeIndex} ${fill.condition} ${fill.occurrence ?? 0}`);
}
