import type { Ladder } from '../book/ladder.js';
import { divideDown, NOTIONAL_PER_CENT, TICKS_PER_USD } from '../money.js';
import { MIN_BUY_NOTIONAL_USD } from '../order/thresholds.js';
import { amountsOf, exactPart, MICROS_PER_CENT, type Spend } from './buy-amounts.js';
import { none, type Planned, WALKS_MAX } from './planned.js';
import { areOnGrid, reachOfUsd } from './reach.js';

const CENTS_MIN = MIN_BUY_NOTIONAL_USD * 100;
/** An exact order may leave one part in so many unspent: 2 %. */
const UNSPENT_PART = 50;
/** Half a cent, in 1e-4 USD: how far above its worst level a BUY may name its price. */
const CAP_TICKS_MAX = 50;

/**
 * Plans a BUY that takes the asks: USDC of at most 2 decimals and shares of at most 4. It spends
 * what has exactly the price of the level where the walk ends, or if more than 2 % were left by
 * that, of the level before it, or of a price up to half a cent above it that is at most `capCents`
 * from the best one; else all cents, with the shares rounded down.
 */
export function planBuy(asks: Ladder, usdMicros: number, tickTicks: number, capCents: number): Planned {
  const cents = divideDown(usdMicros, MICROS_PER_CENT);
  if (cents < CENTS_MIN) return none('below_1_usd');
  const reach = reachOfUsd(asks, cents * MICROS_PER_CENT);
  if (reach === null) return none('thin_book');
  const all = { cents, worstTicks: reach.worstTicks };
  if (!areOnGrid(asks, all.worstTicks, tickTicks)) return none('off_grid_level');
  const atLevel = exactSpend(asks, all, tickTicks);
  const exact = isEnough(atLevel, cents)
    ? atLevel
    : (spendOfLevels(asks, all, tickTicks) ?? cappedSpend(asks, all, tickTicks, capCents));
  const spend = exact ?? all;
  return {
    kind: 'planned',
    order: {
      side: 'BUY',
      form: exact === null ? 'floor4' : 'exact',
      worstTicks: spend.worstTicks,
      ...amountsOf(spend, tickTicks),
      leftMicros: BigInt(usdMicros - spend.cents * MICROS_PER_CENT),
      exactAlternative: exact === null && atLevel.cents >= CENTS_MIN ? amountsOf(atLevel, tickTicks) : null,
    },
  };
}

/** Spending less may end the walk at a better level, whose steps are others. 0 cents: there is none. */
function exactSpend(asks: Ladder, all: Spend, tickTicks: number, walks = 1): Spend {
  const spend = exactPart(all, tickTicks);
  if (spend.cents === 0 || walks === WALKS_MAX) return spend;
  // The side holds more than that.
  const { worstTicks } = reachOfUsd(asks, spend.cents * MICROS_PER_CENT)!;
  if (worstTicks === spend.worstTicks) return spend;
  return exactSpend(asks, { cents: spend.cents, worstTicks }, tickTicks, walks + 1);
}

function isEnough({ cents }: Spend, wanted: number): boolean {
  return cents >= CENTS_MIN && (wanted - cents) * UNSPENT_PART <= wanted;
}

/** What the levels hold up to one of them, the worst first of which enough can be spent. */
function spendOfLevels(asks: Ladder, all: Spend, tickTicks: number): Spend | null {
  let enough: Spend | null = null;
  let notional = 0n;
  for (let depth = 0; depth < asks.length && asks.ticksAt(depth) < all.worstTicks; depth++) {
    const worstTicks = asks.ticksAt(depth);
    notional += BigInt(worstTicks) * BigInt(asks.sizeAt(depth));
    // Less than the walk of all cents spends.
    const spend = exactPart({ cents: Number(notional / BigInt(NOTIONAL_PER_CENT)), worstTicks }, tickTicks);
    if (isEnough(spend, all.cents)) enough = spend;
  }
  return enough;
}

/** The lowest price from that of the walk on of which enough can be spent. Fills stay where they were. */
function cappedSpend(asks: Ladder, all: Spend, tickTicks: number, capCents: number): Spend | null {
  const capTicks = Math.min(
    all.worstTicks + CAP_TICKS_MAX,
    // A hundredth of a cent is a tick; a cap of 0.57 is 57 of them.
    asks.ticksAt(0) + Math.floor(Math.round(capCents * 1e6) / 1e4),
    TICKS_PER_USD - tickTicks,
  );
  const highest = Math.max(all.worstTicks, capTicks);
  for (let { worstTicks } = all; worstTicks <= highest; worstTicks += tickTicks) {
    const spend = exactPart({ cents: all.cents, worstTicks }, tickTicks);
    if (isEnough(spend, all.cents)) return spend;
  }
  return null;
}
