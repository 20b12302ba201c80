import type { PublicFill } from '../../http/public-fills.js';
import { isTaking } from '../order.js';
import { fateOf, type LoggedOrder, type OrderFate } from './logged-order.js';

/** What was planned, against what was filled. Stable. */
export interface Reconciliation {
  readonly orders: readonly ReconciledOrder[];
  readonly totals: ReconciledTotals;
  /** Public fills of these wallets that belong to no order of the log. */
  readonly other_fills: number;
}

export interface ReconciledOrder {
  readonly id: string;
  readonly at_ms: number;
  readonly token_id: string;
  readonly side: 'BUY' | 'SELL';
  /** What the venue answered. */
  readonly answered: OrderFate;
  /** What its public trades show: `missing` is an order that was answered as filled and is not there yet. */
  readonly found: 'filled' | 'partly' | 'none' | 'missing';
  /** By which its fills were found: their transaction, or the market, side, price and time. */
  readonly by: 'transaction' | 'market' | null;
  /** Of the order that was signed. */
  readonly planned_shares: number | null;
  readonly worst_price: number | null;
  /** What the verdict expected. */
  readonly planned_vwap: number | null;
  readonly filled_shares: number;
  readonly filled_vwap: number | null;
  readonly unfilled_shares: number | null;
  /** By how much fills were worse than the verdict expected, in cents per share; below zero: better. */
  readonly slippage_beyond_plan_cents: number | null;
  /** Worse than what was signed: no fill of the venue may be. */
  readonly is_beyond_worst_price: boolean;
  /** By the fee of the verdict for each share that was filled: public trades have no fees. */
  readonly fee_usd: number | null;
}

interface ReconciledTotals {
  readonly orders: number;
  readonly filled: number;
  readonly partly: number;
  readonly none: number;
  readonly missing: number;
  readonly filled_usd: number;
  readonly unfilled_shares: number;
  readonly slippage_beyond_plan_usd: number;
  readonly fee_usd: number;
}

/** Fills of an order that rests are looked for so long after it was posted. */
const RESTING_S = 7 * 24 * 3_600;
/** An order that takes is matched at once, or after the delay of a market. */
const TAKING_S = 600;
/** Clocks of this machine and of the venue differ. */
const CLOCK_S = 10;
/** Amounts of the venue are rounded to millionths. */
const PRICE_NOISE = 1e-4;
const SHARES_NOISE = 1e-3;
/** Prices of public trades are rounded: USD that follow from them are off by as much. */
const USD_NOISE = 0.002;

/**
 * Compares the orders that went out with the public fills of their wallets. Each fill counts once:
 * those of a transaction that an answer named are taken first, then the others in the order of time.
 */
export function reconcile(orders: readonly LoggedOrder[], fills: readonly PublicFill[]): Reconciliation {
  const left = new Set(fills.toSorted((a, b) => a.atS - b.atS));
  const sent = orders.filter((one) => one.mode === 'guard' && one.posted !== null && fateOf(one) !== 'not_sent');
  const found = new Map<string, Found>();
  for (const one of sent) {
    const hashes = new Set(one.ended?.transaction_hashes?.map((hash) => hash.toLowerCase()) ?? []);
    if (hashes.size > 0)
      found.set(one.id, {
        by: 'transaction',
        fills: take(left, (fill) => isOf(one, fill) && hashes.has(fill.transaction)),
      });
  }
  // What was refused has no fills; what rests, or has an outcome that is unknown, may have.
  const others = sent.filter((one) => !found.has(one.id) && ['open', 'unknown'].includes(fateOf(one)));
  for (const isWholeOnly of [true, false]) {
    for (const one of others.filter(({ order }) => (order.orderType === 'FOK') === isWholeOnly)) {
      found.set(one.id, { by: 'market', fills: isTaking(one.order) ? takeOne(left, one) : takeUpTo(left, one) });
    }
  }
  const reconciled = sent.map((one) => reconciledOrder(one, found.get(one.id) ?? NOTHING));
  return { orders: reconciled, totals: totalsOf(reconciled), other_fills: left.size };
}

interface Found {
  readonly by: 'transaction' | 'market';
  readonly fills: readonly PublicFill[];
}

const NOTHING: Found = { by: 'market', fills: [] };

function isOf({ order }: LoggedOrder, { tokenId, side }: PublicFill): boolean {
  return order.tokenId === tokenId && order.side === side;
}

/** Takes the fills out that a condition holds for. */
function take(left: Set<PublicFill>, condition: (fill: PublicFill) => boolean): readonly PublicFill[] {
  const taken = [...left].filter(condition);
  for (const fill of taken) left.delete(fill);
  return taken;
}

/** Takes the one transaction that may be that of an order which takes: all of it, if it is a FOK order. */
function takeOne(left: Set<PublicFill>, logged: LoggedOrder): readonly PublicFill[] {
  const candidates = [...left].filter((fill) => mayBeOf(logged, fill, TAKING_S));
  for (const transaction of new Set(candidates.map((fill) => fill.transaction))) {
    const fills = candidates.filter((fill) => fill.transaction === transaction);
    const share = shareOf(logged, fills);
    if (share > 1 + USD_NOISE || (logged.order.orderType === 'FOK' && share < 1 - USD_NOISE)) continue;
    return take(left, (fill) => fills.includes(fill));
  }
  return [];
}

/** Takes fills that may be of an order that rests, until it is full. */
function takeUpTo(left: Set<PublicFill>, logged: LoggedOrder): readonly PublicFill[] {
  const taken: PublicFill[] = [];
  return take(left, (fill) => {
    if (!mayBeOf(logged, fill, RESTING_S) || shareOf(logged, [...taken, fill]) > 1 + USD_NOISE) return false;
    taken.push(fill);
    return true;
  });
}

function mayBeOf(logged: LoggedOrder, fill: PublicFill, forS: number): boolean {
  const signed = signedOf(logged);
  const fromS = logged.atMs / 1e3 - CLOCK_S;
  const isInTime = fill.atS >= fromS && fill.atS <= fromS + forS;
  return isInTime && isOf(logged, fill) && signed !== null && !isWorse(fill.price, signed.price, fill.side);
}

/** The part of an order that fills are: of the USD of a BUY, which gets more shares at a better price; of the shares of a SELL. */
function shareOf(logged: LoggedOrder, fills: readonly PublicFill[]): number {
  const signed = signedOf(logged);
  if (signed === null) return Number.POSITIVE_INFINITY;
  const isBuy = logged.order.side === 'BUY';
  const sum = fills.reduce((all, { shares, price }) => all + (isBuy ? shares * price : shares), 0);
  return sum / (isBuy ? signed.shares * signed.price : signed.shares);
}

function reconciledOrder(logged: LoggedOrder, { by, fills }: Found): ReconciledOrder {
  const { id, atMs, order, verdict } = logged;
  const signed = signedOf(logged);
  const shares = fills.reduce((sum, fill) => sum + fill.shares, 0);
  const vwap = shares === 0 ? null : fills.reduce((sum, fill) => sum + fill.shares * fill.price, 0) / shares;
  const expected = verdict === null || verdict.numbers.expected_vwap === 0 ? null : verdict.numbers.expected_vwap;
  const worseBy = vwap === null || expected === null ? null : (vwap - expected) * (order.side === 'BUY' ? 1 : -1);
  const unfilled = signed === null ? null : Math.max(0, signed.shares - shares);
  const answered = fateOf(logged);
  return {
    id,
    at_ms: atMs,
    token_id: order.tokenId,
    side: order.side,
    answered,
    found: foundIn(answered, shares, unfilled),
    by: fills.length === 0 ? null : by,
    planned_shares: rounded(signed?.shares ?? null),
    worst_price: rounded(signed?.price ?? null),
    planned_vwap: expected,
    filled_shares: rounded(shares)!,
    filled_vwap: rounded(vwap),
    unfilled_shares: rounded(unfilled),
    slippage_beyond_plan_cents: rounded(worseBy === null ? null : worseBy * 100),
    is_beyond_worst_price: signed !== null && vwap !== null && isWorse(vwap, signed.price, order.side),
    fee_usd: rounded(verdict === null ? null : (verdict.numbers.fee_drag_cents_per_share / 100) * shares),
  };
}

function foundIn(answered: OrderFate, shares: number, unfilled: number | null): ReconciledOrder['found'] {
  if (shares === 0) return answered === 'filled' ? 'missing' : 'none';
  // A BUY may get more shares than it signed for, never fewer for its USD.
  return unfilled === null || unfilled <= SHARES_NOISE ? 'filled' : 'partly';
}

/** The order that was signed: its shares, and the price that follows from its amounts. */
function signedOf({ posted, order }: LoggedOrder): { readonly shares: number; readonly price: number } | null {
  const amounts = posted?.amounts;
  if (amounts === null || amounts === undefined) return null;
  const { makerMicros, takerMicros } = amounts;
  const [usd, shares] = order.side === 'BUY' ? [makerMicros, takerMicros] : [takerMicros, makerMicros];
  return { shares: shares / 1e6, price: usd / shares };
}

function totalsOf(orders: readonly ReconciledOrder[]): ReconciledTotals {
  const count = (found: ReconciledOrder['found']) => orders.filter((one) => one.found === found).length;
  const sum = (value: (one: ReconciledOrder) => number) => rounded(orders.reduce((all, one) => all + value(one), 0))!;
  return {
    orders: orders.length,
    filled: count('filled'),
    partly: count('partly'),
    none: count('none'),
    missing: count('missing'),
    filled_usd: sum((one) => one.filled_shares * (one.filled_vwap ?? 0)),
    unfilled_shares: sum((one) => one.unfilled_shares ?? 0),
    slippage_beyond_plan_usd: sum((one) => ((one.slippage_beyond_plan_cents ?? 0) / 100) * one.filled_shares),
    fee_usd: sum((one) => one.fee_usd ?? 0),
  };
}

function isWorse(price: number, limit: number, side: 'BUY' | 'SELL'): boolean {
  return side === 'BUY' ? price > limit + PRICE_NOISE : price < limit - PRICE_NOISE;
}

/** Without the noise of floats. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6;
}
