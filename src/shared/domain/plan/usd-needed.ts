import type { FeeSchedule } from '../market.js';
import { TICKS_PER_USD } from '../money.js';
import { feePower, feePowerScale } from '../order/fee-power.js';

const MICROS = 1_000_000n;

/**
 * Returns the most that a BUY can cost with its fee, in micro-USD, wherever it is filled. Per dollar
 * the fee is rate x (p(1-p))^exponent / p, so a better fill costs more fee: of an exponent of 1 or
 * more it stays below the rate, of a smaller one it is largest at the lowest price there is.
 */
export function usdNeededMax(spendMicros: bigint, fee: FeeSchedule, tickTicks: number): bigint {
  const rateMicros = BigInt(Math.round(fee.rate * 1e6));
  const scale = feePowerScale(fee.exponent);
  const [power, over] =
    fee.exponent >= 1
      ? [1n, 1n]
      : [feePower(tickTicks, fee.exponent) * BigInt(TICKS_PER_USD), scale * BigInt(tickTicks)];
  const feeMicros = divideUp(spendMicros * rateMicros * power, over * MICROS);
  return spendMicros + feeMicros;
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
