import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { BookTable } from '#domain/book/book-table';
import { FrameApplier } from '#domain/book/frame-applier';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { applyFrames, framesOnly, marketSocket$ } from '#streams/market-socket';
import { fetchTerms, OPEN, type Terms } from './terms.js';
import type { Check, WayOptions } from './way.js';

/**
 * The arithmetic of the client (`src/client/engine.ts`) in the caller's own process, on books that the
 * service's own stream keeps.
 */
export async function open({ url, orders }: WayOptions): Promise<Check> {
  const terms = new Map<string, Terms>();
  const table = new BookTable();
  for (const { tokenId, conditionId } of orders) {
    if (terms.has(tokenId)) continue;
    terms.set(tokenId, await fetchTerms(url.clob, conditionId));
    table.add(new OrderBook(tokenId as TokenId, conditionId as ConditionId));
  }
  await watch(table, url.ws);
  return ({ tokenId, usd }) => {
    const book = table.get(tokenId as TokenId)!;
    return quoteOf({
      side: 'BUY',
      usd,
      book,
      bookAgeMs: book.ageMs(performance.now())!,
      ...judged(terms.get(tokenId)!),
    });
  };
}

/** What a verdict on a market is decided by, beside its book. */
export function judged({ fee, minOrderShares }: Terms): Pick<OrderQuestion, 'market' | 'thresholds'> {
  return { market: { fee, minOrderShares, status: OPEN }, thresholds: DEFAULT_THRESHOLDS };
}

function quoteOf(question: OrderQuestion) {
  const { verdict, codes, facts } = assess(question);
  const { expectedVwap, takerFeeUsd } = facts.numbers;
  return {
    average: expectedVwap,
    feeUsd: takerFeeUsd,
    isBelowMinimum: codes.includes('BELOW_MINIMUM_NOTIONAL'),
    verdict,
  };
}

/** Resolves once every book has come. The connection stays open as long as the process runs. */
function watch(table: BookTable, wsUrl: string): Promise<void> {
  const waiting = new Set([...table.values()].map(({ tokenId }) => tokenId));
  return new Promise((resolve, reject) => {
    marketSocket$(connectMarketChannel(wsUrl))
      .pipe(
        framesOnly((signal) => {
          if (signal.kind === 'opened') signal.socket.subscribe([...waiting]);
          else reject(new Error('the market channel closed'));
        }),
        applyFrames(new FrameApplier(table)),
      )
      .subscribe(() => {
        for (const tokenId of waiting) if (table.get(tokenId)!.confirmedAtMs !== null) waiting.delete(tokenId);
        if (waiting.size === 0) resolve();
      });
  });
}
