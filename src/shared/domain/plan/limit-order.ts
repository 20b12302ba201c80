import type { Ladder } from '../book/ladder.js';
import type { Side } from '../market.js';
import { TICKS_PER_USD } from '../money.js';
import { MIN_BUY_NOTIONAL_USD } from '../order/thresholds.js';
import type { Amounts } from './planned.js';

/** Why an order cannot rest as it was asked for. */
export const LIMIT_REASONS = [
  'unknown_tick',
  'off_tick',
  'below_minimum_shares',
  'below_1_usd',
  'post_only_would_cross',
] as const;
type LimitReason = (typeof LIMIT_REASONS)[number];

/** A GTD must live longer than the minute that the venue takes off, by two more. */
export const GTD_SECONDS_MIN = 180;

const MICROS_PER_HUNDREDTH = 10_000n;
const USD_MICROS = 1_000_000n;

/** An order at a price, and the book that it would join. Sizes in micro-USD, prices in 1e-4 USD. */
export interface LimitToPlan {
  readonly side: Side;
  readonly usdMicros: number;
  readonly priceTicks: number;
  readonly postOnly: boolean;
  readonly book: { readonly bids: Ladder; readonly asks: Ladder };
  /** null: the venue named none that is known. */
  readonly tickTicks: number | null;
  readonly minOrderShares: number;
}

/** What rests on one side at some prices: micro-shares, and their notional in micro-USD. */
interface Resting {
  readonly sharesMicros: bigint;
  readonly usdMicros: bigint;
}

export interface PlannedLimit {
  readonly crosses: boolean;
  readonly better: Resting;
  readonly samePrice: Resting;
  /** Behind the best price of its own side, in 1e-4 USD; null: that side is empty. */
  readonly behindTicks: number | null;
  readonly order: (Amounts & Resting) | LimitReason;
}

/**
 * Plans an order that may rest (GTC, GTD): shares of 2 decimals of which USDC is exactly price times
 * shares. Pure.
 */
export function planLimit(asked: LimitToPlan): PlannedLimit {
  const { side, priceTicks, book } = asked;
  const isBuy = side === 'BUY';
  const [own, opposite] = isBuy ? [book.bids, book.asks] : [book.asks, book.bids];
  const isBetter = (ticks: number, than: number) => (isBuy ? ticks > than : ticks < than);
  const bestOpposite = opposite.bestTicks;
  const crosses = bestOpposite !== null && !isBetter(bestOpposite, priceTicks);
  const bestOwn = own.bestTicks;
  return {
    crosses,
    better: resting(own, (ticks) => isBetter(ticks, priceTicks)),
    samePrice: resting(own, (ticks) => ticks === priceTicks),
    behindTicks: bestOwn === null ? null : (bestOwn - priceTicks) * (isBuy ? 1 : -1),
    order: orderOf(asked, crosses),
  };
}

function orderOf(asked: LimitToPlan, crosses: boolean): PlannedLimit['order'] {
  const { side, usdMicros, priceTicks, postOnly, tickTicks, minOrderShares } = asked;
  if (tickTicks === null) return 'unknown_tick';
  const isOnTick = priceTicks % tickTicks === 0 && priceTicks >= tickTicks && priceTicks <= TICKS_PER_USD - tickTicks;
  if (!isOnTick) return 'off_tick';
  if (crosses && postOnly) return 'post_only_would_cross';
  const wantedMicros = (BigInt(usdMicros) * BigInt(TICKS_PER_USD)) / BigInt(priceTicks);
  const hundredths = wantedMicros / MICROS_PER_HUNDREDTH;
  if (hundredths === 0n || Number(hundredths) / 100 < minOrderShares) return 'below_minimum_shares';
  const sharesMicros = hundredths * MICROS_PER_HUNDREDTH;
  // A hundredth of a share at 1e-4 USD is a micro-USD.
  const notional = hundredths * BigInt(priceTicks);
  if (crosses && notional < BigInt(MIN_BUY_NOTIONAL_USD) * USD_MICROS) return 'below_1_usd';
  const [makerMicros, takerMicros] = side === 'BUY' ? [notional, sharesMicros] : [sharesMicros, notional];
  return { makerMicros, takerMicros, sharesMicros, usdMicros: notional };
}

function resting(side: Ladder, counts: (ticks: number) => boolean): Resting {
  let [sharesMicros, notional] = [0n, 0n];
  for (let depth = 0; depth < side.length; depth++) {
    const [ticks, size] = [side.ticksAt(depth), BigInt(side.sizeAt(depth))];
    if (!counts(ticks)) continue;
    sharesMicros += size;
    notional += size * BigInt(ticks);
  }
  return { sharesMicros, usdMicros: notional / BigInt(TICKS_PER_USD) };
}
