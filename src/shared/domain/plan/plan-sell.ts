import type { Ladder } from '../book/ladder.js';
import { commonDivisor, none, type Planned, WALKS_MAX } from './planned.js';
import { areOnGrid, reachOfShares } from './reach.js';

/** Of an order's size in shares the venue takes 2 decimals. */
const MICROS_PER_HUNDREDTH = 10_000n;

/**
 * Plans a SELL of so many micro-shares, above zero, that takes the bids: shares of at most 2
 * decimals, in steps of which USDC is exactly price times shares, with at most 4.
 */
export function planSell(bids: Ladder, wantedMicros: bigint, tickTicks: number): Planned {
  const reach = reachOfShares(bids, wantedMicros);
  if (reach === null) return none('thin_book');
  if (!areOnGrid(bids, reach.worstTicks, tickTicks)) return none('off_grid_level');
  let { worstTicks } = reach;
  let hundredths = wantedMicros / MICROS_PER_HUNDREDTH;
  for (let walks = 1; ; walks++) {
    hundredths -= hundredths % BigInt(stepHundredths(worstTicks));
    if (hundredths === 0n) return none('below_one_step');
    if (walks === WALKS_MAX) break;
    // Giving less may end the walk at a better level, whose steps are others; it holds more.
    const ended = reachOfShares(bids, hundredths * MICROS_PER_HUNDREDTH)!.worstTicks;
    if (ended === worstTicks) break;
    worstTicks = ended;
  }
  const makerMicros = hundredths * MICROS_PER_HUNDREDTH;
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
function stepHundredths(worstTicks: number): number {
  return 100 / commonDivisor(100, worstTicks);
}
