import type { Side } from '../market.js';

/** Why there is no plan for an order. */
export const PLAN_REASONS = ['unknown_tick', 'below_1_usd', 'thin_book', 'off_grid_level', 'below_one_step'] as const;
export type PlanReason = (typeof PLAN_REASONS)[number];

/** What an order offers and what it wants for it, in micro-USD and micro-shares. */
export interface Amounts {
  readonly makerMicros: bigint;
  readonly takerMicros: bigint;
}

/**
 * `exact`: the two amounts have the very price that is its worst. `floor4`: a BUY whose shares are
 * rounded down to at most 4 decimals, so that its price lies less than a step above that one, which
 * the venue takes of FOK and FAK only.
 */
export const PLAN_FORMS = ['exact', 'floor4'] as const;

/** An order that takes (FOK), in amounts that the venue accepts. */
export interface PlannedOrder extends Amounts {
  readonly side: Side;
  readonly form: (typeof PLAN_FORMS)[number];
  /** No fill is worse, in 1e-4 USD. */
  readonly worstTicks: number;
  /** What legal amounts leave of the order as asked: micro-USD of a BUY, micro-shares of a SELL. */
  readonly leftMicros: bigint;
  /** Of a `floor4`: what an `exact` one would have been; null if there is none of 1 USD or more. */
  readonly exactAlternative: Amounts | null;
}

export type Planned =
  | { readonly kind: 'planned'; readonly order: PlannedOrder }
  | { readonly kind: 'none'; readonly reason: PlanReason };

export const none = (reason: PlanReason): Planned => ({ kind: 'none', reason });

/**
 * A smaller order may end at a better level, whose legal amounts are others, and smaller again. After
 * so many walks the price of the last one but one stands, which is legal too and no level is worse.
 */
export const WALKS_MAX = 16;

/** Returns the greatest common divisor of two whole numbers above zero. */
export function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
