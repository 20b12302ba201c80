import type { Ladder } from '../book/ladder.js';
import type { FeeSchedule } from '../market.js';
import { divideRounded } from '../money.js';
import { sharesOf, type Walk } from './walk.js';

/** 1e-4 USD ticks in one USD. */
const TICKS_PER_USD = 10_000n;

/** Fee of a walk: in 1e-5 USD (the venue's own precision) and in 1e-4 cents per share (which is micro-USD per share). */
export interface TakerFee {
  readonly usdE5: bigint;
  readonly perShareMicros: bigint;
}

/**
 * Returns the taker fee of what a walk takes: per level shares * rate * (p(1-p))^exponent, summed
 * exactly and rounded once, half away from zero (docs/venue.md, "Fees").
 */
export function takerFee(side: Ladder, taken: Walk, schedule: FeeSchedule): TakerFee {
  const shares = sharesOf(taken);
  const rateMicros = BigInt(Math.round(schedule.rate * 1e6));
  if (rateMicros === 0n || shares.numerator === 0n) return { usdE5: 0n, perShareMicros: 0n };
  const exponent = BigInt(schedule.exponent);
  let full = 0n;
  for (let depth = 0; depth < taken.fullLevels; depth++) {
    full += BigInt(side.sizeAt(depth)) * curve(BigInt(side.ticksAt(depth)), exponent);
  }
  // Both parts over the same denominator, the price of the level that was taken in part.
  const numerator = (full * taken.lastTicks + taken.restNotional * curve(taken.lastTicks, exponent)) * rateMicros;
  const curveScale = (TICKS_PER_USD * TICKS_PER_USD) ** exponent;
  // micro-shares x 1e-6 rate -> USD: divide by 1e12.
  const usdDenominator = taken.lastTicks * curveScale * 1_000_000_000_000n;
  return {
    usdE5: divideRounded(numerator * 100_000n, usdDenominator),
    // fee / shares; `lastTicks` stands under both and falls out, micro-shares leave 1e-6 of the rate.
    perShareMicros: divideRounded(numerator, shares.numerator * curveScale),
  };
}

/** (p(1-p))^exponent with p in ticks; the scale is 1e8 per power. */
function curve(ticks: bigint, exponent: bigint): bigint {
  return (ticks * (TICKS_PER_USD - ticks)) ** exponent;
}
