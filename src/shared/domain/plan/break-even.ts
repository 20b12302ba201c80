import type { FeeSchedule, Side } from '../market.js';
import { feeCurve, TICKS_PER_USD } from '../money.js';
import { feePower, feePowerScale } from '../order/fee-power.js';

const MICROS = 1_000_000n;
/** A fee is cut at 1e-5 USD. */
const MICROS_PER_FEE_UNIT = 10n;

/** More than what a fee in doubles is off by, of the whole. */
const DOUBLES_ERROR = 1e-14;

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
export function breakEvenTicks(position: ToBreakEven): number | null {
  const { exitSide, sharesMicros, usdMicros, tickTicks } = position;
  const isSell = exitSide === 'SELL';
  // Without its fee the price were that of the entry: from there it is a few steps.
  const even = Number((usdMicros * BigInt(TICKS_PER_USD)) / sharesMicros);
  const first = isSell ? Math.floor(even / tickTicks) : Math.ceil(even / tickTicks);
  const last = TICKS_PER_USD / tickTicks - 1;
  const step = isSell ? 1 : -1;
  for (let at = Math.min(Math.max(first, 1), last); at >= 1 && at <= last; at += step) {
    if (isEven(position, at * tickTicks)) return at * tickTicks;
  }
  return null;
}

/**
 * The exact fee is asked for where that of doubles leaves it open: a power of another exponent than
 * a whole one takes 0.05 ms, and there may be ten thousand prices.
 */
function isEven({ exitSide, sharesMicros, usdMicros, fee }: ToBreakEven, ticks: number): boolean {
  const gross = (sharesMicros * BigInt(ticks)) / BigInt(TICKS_PER_USD);
  const isEvenWith = (feeMicros: bigint) =>
    exitSide === 'SELL' ? gross - feeMicros >= usdMicros : gross + feeMicros <= usdMicros;
  const near = Number(sharesMicros) * fee.rate * (feeCurve(ticks) / TICKS_PER_USD ** 2) ** fee.exponent;
  const [least, most] = [1 - DOUBLES_ERROR, 1 + DOUBLES_ERROR].map((part) => cut(BigInt(Math.floor(near * part))));
  const isCertain = isEvenWith(least!) === isEvenWith(most!);
  return isEvenWith(isCertain ? least! : feeOf(sharesMicros, ticks, fee));
}

/** Returns the taker fee of a fill at one price, in micro-USD. */
function feeOf(sharesMicros: bigint, ticks: number, { rate, exponent }: FeeSchedule): bigint {
  const rateMicros = BigInt(Math.round(rate * 1e6));
  const micros = (sharesMicros * rateMicros * feePower(ticks, exponent)) / (feePowerScale(exponent) * MICROS);
  return cut(micros);
}

function cut(micros: bigint): bigint {
  return micros - (micros % MICROS_PER_FEE_UNIT);
}
