import { formatScaled } from '#domain/decimal';
import type { Side } from '#domain/market';
import { divideRounded } from '#domain/money';
import type { Walk } from '#domain/order/exact';
import { grouped } from './grouped.js';

/** A figure as people read it, and with all its digits. */
export interface Figure {
  readonly shown: string;
  readonly exact: string;
}

/** What an order gives and costs on this book, in money. */
export interface Ticket {
  readonly shares: Figure;
  /** With the fee; null: nothing is filled. */
  readonly averagePrice: Figure | null;
  /** What a BUY pays with the fee, or a SELL receives after it. */
  readonly total: Figure;
  /** What the shares are worth if the outcome comes true. */
  readonly payout: Figure;
  /** What the book fills, where that is less than the order; null: all of it. */
  readonly filled: Figure | null;
}

const FEE_TO_MICROS = 10;
/** Micro-USD in a hundredth of a cent, and in a cent. */
const [PER_CENT_PART, PER_CENT] = [100n, 10_000n];
const MICROS = 1_000_000n;

/**
 * Returns the ticket of an order that takes `walk` from its side. The fee comes on top of a BUY and
 * out of the proceeds of a SELL (docs/venue.md, "Fees").
 */
export function ticketOf(side: Side, usdMicros: number, taken: Walk, feeUsd: number): Ticket {
  const { filledNotional, fullMicros, restNotional, lastTicks } = taken;
  const sharesMicros = fullMicros + divideRounded(restNotional, BigInt(lastTicks));
  const filledMicros = divideRounded(filledNotional, 10_000n);
  const feeMicros = BigInt(Math.round(feeUsd * 1e5)) * BigInt(FEE_TO_MICROS);
  const totalMicros = side === 'BUY' ? filledMicros + feeMicros : filledMicros - feeMicros;
  const isWhole = filledMicros >= BigInt(usdMicros);
  return {
    shares: { shown: twoDecimals(sharesMicros, PER_CENT), exact: `${sixDecimals(sharesMicros)} shares` },
    averagePrice: sharesMicros === 0n ? null : priceOf(divideRounded(totalMicros * MICROS, sharesMicros)),
    total: usd(totalMicros),
    payout: usd(sharesMicros),
    filled: isWhole ? null : usd(filledMicros),
  };
}

function usd(micros: bigint): Figure {
  return { shown: `$${twoDecimals(micros, PER_CENT)}`, exact: `${sixDecimals(micros)} USD` };
}

/** In cents, as prices are read. */
function priceOf(micros: bigint): Figure {
  return { shown: `${twoDecimals(micros, PER_CENT_PART)}¢`, exact: `${sixDecimals(micros)} USD a share` };
}

function twoDecimals(micros: bigint, unit: bigint): string {
  return grouped((Number(divideRounded(micros, unit)) / 100).toFixed(2));
}

function sixDecimals(micros: bigint): string {
  return formatScaled(Number(micros), 6);
}

/** Where the limits are on the bar of costs, 0 to 1. */
export const LIMIT_PARTS = { caution: 0.25, veto: 0.75 } as const;

/**
 * Returns how far along the bar a slippage is, 0 to 1. Limits keep their places, whatever they are;
 * with those of the service the scale is even.
 */
export function slippagePart(cents: number, limits: { readonly cautionC: number; readonly vetoC: number }): number {
  const { cautionC, vetoC } = limits;
  const { caution, veto } = LIMIT_PARTS;
  if (cents <= cautionC) return cautionC === 0 ? 0 : (caution * cents) / cautionC;
  if (cents < vetoC) return caution + ((veto - caution) * (cents - cautionC)) / (vetoC - cautionC);
  return veto + (1 - veto) * (vetoC === 0 ? 1 : Math.min((3 * (cents - vetoC)) / vetoC, 1));
}
