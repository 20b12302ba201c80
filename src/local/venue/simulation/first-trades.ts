import type { Random } from '#system/random';
import { ONE_USD_TICKS, tradePriceText } from '../market/book-view.js';
import type { LiveMarket } from '../market/live-market.js';
import type { OutcomeIndex } from '../market/market-spec.js';
import type { MirrorBook } from '../market/mirror-book.js';
import { between, chance } from '../market/seeded-random.js';
import type { Tape } from '../market/tape.js';
import type { TapeRow } from '../market/tape-rows.js';
import { pickWallet } from '../market/wallets.js';
import { priceFor } from './trading.js';

const TRADES_PER_MARKET = 6;
/** First trades lie so far back at most. */
export const FIRST_TRADES_WITHIN_S = 6 * 3600;
const YOUNGEST_S = 60;

/**
 * Returns a few trades of the last `withinS` seconds before now, so that the tape and the last
 * trade price are not empty; none where that is less than a minute: a market that has just been
 * listed has no past.
 */
export function firstTrades(
  market: LiveMarket,
  book: MirrorBook,
  random: Random,
  tape: Tape,
  nowMs: number,
  withinS: number,
): TapeRow[] {
  if (withinS <= YOUNGEST_S) return [];
  const nowS = Math.floor(nowMs / 1000);
  const ages = Array.from({ length: TRADES_PER_MARKET }, () => between(random, YOUNGEST_S, withinS)).sort(
    (a, b) => b - a,
  );
  return ages.map((age) => {
    const ticks = nearMid(book, random);
    book.lastTradePrice = tradePriceText(ticks);
    const outcome: OutcomeIndex = chance(random, 0.25) ? 1 : 0;
    const wallet = pickWallet(random);
    const price = priceFor(outcome, ticks) / ONE_USD_TICKS;
    return {
      wallet,
      market,
      outcome,
      side: chance(random, 0.7) ? ('BUY' as const) : ('SELL' as const),
      shares: Math.max(5, Math.round((wallet.clipUsd / price) * 100) / 100),
      price,
      timestampS: nowS - age,
      transactionHash: tape.nextTransactionHash(),
      taker: true,
    };
  });
}

function nearMid(book: MirrorBook, random: Random): number {
  const step = book.stepTicks;
  const ticks = Math.round(book.midTicks / step + between(random, -2, 2)) * step;
  return Math.min(Math.max(ticks, step), ONE_USD_TICKS - step);
}
