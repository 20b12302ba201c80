import type { FeeSchedule, Side } from '../market.js';
import { TICKS_PER_USD } from '../money.js';
import { feePower, feePowerScale } from '../order/fee-power.js';

const MICROS = 1_000_000n;
/** A fee is cut at 1e-5 USD. */
const MICROS_PER_FEE_UNIT = 10n;

/** A position that is to be left, and what leaving has to bring (SELL) or may cost (BUY). */
export interface ToBreakEven {
  readonly exitSide: Side;
  readonly sharesMicros: bigint;
  readonly usdMicros: bigint;
  readonly fee: FeeSchedule;
  /** Price step in 1e-4 USD. */
  readonly tickTicks: number;
}

/**
 * Returns the price in 1e-4 USD, on the grid, at which leaving the whole position at once gives back
 * what the entry cost: the lowest one of a SELL, the highest one of a BUY; null if none does.
 */
export function breakEvenTicks({ exitSide, sharesMicros, usdMicros, fee, tickTicks }: ToBreakEven): number | null {
  const isSell = exitSide === 'SELL';
  // Without its fee the price were that of the entry: from there it is a few steps.
  const even = Number((usdMicros * BigInt(TICKS_PER_USD)) / sharesMicros);
  const first = isSell ? Math.floor(even / tickTicks) : Math.ceil(even / tickTicks);
  const last = TICKS_PER_USD / tickTicks - 1;
  const step = isSell ? 1 : -1;
  for (let at = Math.min(Math.max(first, 1), last); at >= 1 && at <= last; at += step) {
    const ticks = at * tickTicks;
    const gross = (sharesMicros * BigInt(ticks)) / BigInt(TICKS_PER_USD);
    const feeMicros = feeOf(sharesMicros, ticks, fee);
    if (isSell ? gross - feeMicros >= usdMicros : gross + feeMicros <= usdMicros) return ticks;
  }
  return null;
}

/** Returns the taker fee of a fill at one price, in micro-USD. */
function feeOf(sharesMicros: bigint, ticks: number, { rate, exponent }: FeeSchedule): bigint {
  const rateMicros = BigInt(Math.round(rate * 1e6));
  const micros = (sharesMicros * rateMicros * feePower(ticks, exponent)) / (feePowerScale(exponent) * MICROS);
  return micros - (micros % MICROS_PER_FEE_UNIT);
}
