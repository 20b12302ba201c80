import type { Ladder } from '../book/ladder.js';
import { commonDivisor, none, type Planned } from './planned.js';
import { areOnGrid, reachOfShares } from './reach.js';

/** Of an order's size in shares the venue takes 2 decimals. */
const MICROS_PER_HUNDREDTH = 10_000n;

/**
 * Plans a SELL of so many micro-shares, above zero, that takes the bids: shares of at most 2
 * decimals, in steps of which USDC is exactly price times shares, with at most 4. It names the price
 * of the level where the walk ends, or a better one where that sells as many.
 */
export function planSell(bids: Ladder, wantedMicros: bigint, tickTicks: number): Planned {
  const reach = reachOfShares(bids, wantedMicros);
  if (reach === null) return none('thin_book');
  if (!areOnGrid(bids, reach.worstTicks, tickTicks)) return none('off_grid_level');
  const wanted = wantedMicros / MICROS_PER_HUNDREDTH;
  const hundredths = wanted - (wanted % stepHundredths(reach.worstTicks));
  if (hundredths === 0n) return none('below_one_step');
  const makerMicros = hundredths * MICROS_PER_HUNDREDTH;
  // Giving less may end the walk at a better level, whose steps are others.
  const ended = reachOfShares(bids, makerMicros)!.worstTicks;
  const worstTicks = hundredths % stepHundredths(ended) === 0n ? ended : reach.worstTicks;
  return {
    kind: 'planned',
    order: {
      side: 'SELL',
      form: 'exact',
      worstTicks,
      makerMicros,
      // A price in 1e-4 times hundredths of a share.
      takerMicros: hundredths * BigInt(worstTicks),
      leftMicros: wantedMicros - makerMicros,
      exactAlternative: null,
    },
  };
}

/** Hundredths of a share of which a whole number has 4 decimals of USDC at this price. */
function stepHundredths(worstTicks: number): bigint {
  return BigInt(100 / commonDivisor(100, worstTicks));
}
