import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';
import { seededRandom, seedFor } from '#local/venue/market/seeded-random';
import { marketOf } from './world-ids.js';

type Markets = ReadonlyMap<string, TapeMarket>;

/** Returns the markets of these fills, each changed; `fill` is the first of the market. */
function changedMarkets(
  fills: readonly Fill[],
  markets: Markets,
  change: (market: TapeMarket, fill: Fill) => TapeMarket,
): Markets {
  const changed = new Map<string, TapeMarket>();
  for (const fill of fills) {
    if (!changed.has(fill.condition)) changed.set(fill.condition, change(markets.get(fill.condition)!, fill));
  }
  return changed;
}

/**
 * Returns one number in [0, 1) per market, the same for all wallets: the dice of the placebo board.
 */
export function placeboDice(seed: number, marketCount: number): Float64Array {
  const dice = seededRandom(seedFor(seed, 'placebo'));
  return new Float64Array(marketCount).map(() => dice.next());
}

/**
 * Returns the markets of a wallet on the placebo board: each result is drawn anew from the price at
 * which the wallet entered, with dice that all wallets share. Nobody has skill there
 * (docs/ratings.md, "Placebo board").
 */
export function placeboMarkets(fills: readonly Fill[], markets: Markets, dice: Float64Array): Markets {
  return changedMarkets(fills, markets, (market, { priceMicros, outcomeIndex, condition }) => {
    const yes = (outcomeIndex === 0 ? priceMicros : 1e6 - priceMicros) / 1e6;
    return { ...market, payoutMicros: dice[marketOf(condition)]! < yes ? [1e6, 0] : [0, 1e6] };
  });
}

/**
 * Returns the markets as they look where nobody asks for the scheduled end: whatever is settled is
 * scored.
 */
export function settledOnlyMarkets(fills: readonly Fill[], markets: Markets): Markets {
  return changedMarkets(fills, markets, (market) => ({ ...market, scheduledEndS: null }));
}
