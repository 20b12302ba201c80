import type { WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
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
  /** Nothing before this second was read, because there are too many trades; null: everything was. */
  readonly sinceS: number | null;
}

interface Reading {
  readonly windows: RatingWindows;
  /** Makes fills share their texts. */
  readonly share: (fill: Fill) => Fill;
}

/**
 * Reads the wallet's trades twice, and returns them when both readings are the same: a list that
 * lost rows, or an old copy of it, looks like any other list. The two questions differ by a second
 * in which nobody traded, so that they do not meet the same copy. Rejects with a retryable
 * OutsideError when they differ, and when a row cannot be read, or is of another wallet.
 */
export async function readTradesTwice(
  wallet: WalletAddress,
  { windows, share }: Reading,
  trades: TradeSource,
  signal: AbortSignal,
): Promise<WalletTrades> {
  const first: Fill[] = [];
  const seen = new Set<number>();
  const { name, sinceS } = await readAll(wallet, { fromS: 0, windows }, trades, signal, (fill) => {
    seen.add(printOf(fill));
    first.push(share(fill));
  });
  const again = new Set<number>();
  await readAll(wallet, { fromS: FIRST_SECOND_S, windows }, trades, signal, (fill) => again.add(printOf(fill)));
  const differs = again.size !== seen.size || [...again].some((print) => !seen.has(print));
  if (differs) throw new Unreadable('the venue listed other trades when it was asked again');
  return { fills: first, name, sinceS };
}

/** The venue is younger than this second by fifty years. */
const FIRST_SECOND_S = 2;

/**
 * Reads page after page, newest first. Pages may repeat rows: equal fills count once when they are
 * summed.
 */
async function readAll(
  wallet: WalletAddress,
  { fromS, windows }: { readonly fromS: number; readonly windows: RatingWindows },
  trades: TradeSource,
  signal: AbortSignal,
  take: (fill: Fill) => void,
): Promise<{ readonly name: string | null; readonly sinceS: number | null }> {
  let name: string | null = null;
  let oldestS = windows.asOfS;
  let cursor: string | null = null;
  for (let pages = 0; pages < WALLET_PAGES_MAX; pages++) {
    const page: TradePage = await trades.fetchWalletTrades(wallet, { fromS, toS: windows.asOfS - 1 }, cursor);
    signal.throwIfAborted();
    assertWhole(wallet, page);
    for (const fill of page.fills) {
      take(fill);
      oldestS = Math.min(oldestS, fill.timeS);
    }
    name ??= page.names.find((named) => named.wallet === wallet)?.name ?? null;
    if (page.next === null) return { name, sinceS: null };
    if (page.next === cursor) throw new Unreadable('the venue repeats the same page of trades');
    cursor = page.next;
  }
  // What is missing is older than the window; the oldest second may lack some of its trades.
  if (oldestS < windows.fromS) return { name, sinceS: oldestS + 1 };
  throw new Unreadable(`${WALLET_PAGES_MAX} pages of trades do not reach back over the window`);
}

/** A row that is lost may be the entry that decides. */
function assertWhole(wallet: WalletAddress, { fills, unreadable: rows }: TradePage): void {
  if (rows > 0) throw new Unreadable(`${rows} of the wallet's trades cannot be read`);
  if (fills.some((fill) => fill.wallet !== wallet)) throw new Unreadable('the venue lists trades of another wallet');
}

/** A number of 52 bits that stands for what a fill says: half a million of them share one with odds of 1 in 10^5. */
function printOf({ tx, token, side, priceMicros, sizeMicros, timeS, outcomeIndex, condition }: Fill): number {
  const text = `${tx} ${token} ${side} ${priceMicros} ${sizeMicros} ${timeS} ${outcomeIndex} ${condition}`;
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  return ((b >>> 0) & 0xfffff) * 0x1_0000_0000 + (a >>> 0);
}
