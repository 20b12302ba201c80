import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import type { OrderRule } from '../rules.js';
import { fateOf, fillOf, type LoggedOrder, type OrderFate } from './logged-order.js';

/** What the guard made of orders, and what became of them. Stable. */
export interface GuardReport {
  readonly orders: number;
  /** By what was decided; those with most orders first. */
  readonly groups: readonly ReportGroup[];
  /** Entries that a rule stopped, or would have stopped in shadow mode, and that were filled all the same. */
  readonly stopped_and_filled: StoppedAndFilled;
}

/** Orders that the guard decided alike. */
export interface ReportGroup extends Readonly<Record<OrderFate, number>> {
  readonly mode: 'guard' | 'shadow';
  readonly side: 'BUY' | 'SELL';
  readonly kind: 'entry' | 'exit';
  readonly action: LoggedOrder['action'];
  /** What stopped them, or would have stopped entries. */
  readonly rule: OrderRule | null;
  readonly orders: number;
  /** What their owner asked for, as far as a verdict was asked about it. */
  readonly asked_usd: number;
  /** What the plans are for; null: there are none. */
  readonly planned_usd: number | null;
  /** USD of the fills. */
  readonly filled_usd: number;
  /** By how much the fills were worse than the best price of the verdict, in cents per share; null: no verdict. */
  readonly slippage_cents: number | null;
  /** The same in USD. */
  readonly slippage_usd: number;
}

/** Both sides of what a rule stops: what it would have spared, and what it would have cost. */
interface StoppedAndFilled {
  readonly orders: number;
  /** Filled more than a cent from the best price: what that cost in USD. */
  readonly beyond_a_cent: number;
  readonly spared_usd: number;
  /** Filled within a cent: orders that would have been missed. */
  readonly within_a_cent: number;
}

const NO_FATES: Readonly<Record<OrderFate, number>> = { filled: 0, open: 0, rejected: 0, not_sent: 0, unknown: 0 };

/** Returns the report of these orders. */
export function guardReport(orders: readonly LoggedOrder[]): GuardReport {
  const groups = new Map<string, LoggedOrder[]>();
  for (const one of orders) {
    const { mode, order, isExit, action, rule } = one;
    const name = [mode, order.side, isExit, action, rule].join(' ');
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return {
    orders: orders.length,
    groups: [...groups.values()].map(groupOf).sort((a, b) => b.orders - a.orders),
    stopped_and_filled: stoppedAndFilled(orders),
  };
}

function groupOf(orders: readonly LoggedOrder[]): ReportGroup {
  const { mode, order, isExit, action, rule } = orders[0]!;
  const fates = { ...NO_FATES };
  for (const one of orders) fates[fateOf(one)]++;
  const slips = orders.map(slippageOf).filter((one) => one !== null);
  const shares = slips.reduce((sum, one) => sum + one.shares, 0);
  const slippageUsd = slips.reduce((sum, one) => sum + one.usd, 0);
  return {
    mode,
    side: order.side,
    kind: isExit ? 'exit' : 'entry',
    action,
    rule,
    orders: orders.length,
    asked_usd: sumOf(orders.map((one) => one.order.usd ?? one.verdict?.usd ?? 0)),
    planned_usd: orders.every(({ plan }) => plan === null) ? null : sumOf(orders.map(plannedUsd)),
    ...fates,
    filled_usd: sumOf(orders.map((one) => filled(one)?.usd ?? 0)),
    slippage_cents: shares === 0 ? null : rounded((slippageUsd / shares) * 100),
    slippage_usd: rounded(slippageUsd),
  };
}

function stoppedAndFilled(orders: readonly LoggedOrder[]): StoppedAndFilled {
  const slips = orders
    .filter(({ action, isExit }) => action === 'refused' && !isExit)
    .map(slippageOf)
    .filter((one) => one !== null);
  const beyond = slips.filter(({ cents }) => cents > DEFAULT_THRESHOLDS.slippageCautionCents);
  return {
    orders: slips.length,
    beyond_a_cent: beyond.length,
    spared_usd: sumOf(beyond.map(({ usd }) => usd)),
    within_a_cent: slips.length - beyond.length,
  };
}

/** By how much a fill was worse than the best price of its verdict; null without both. */
function slippageOf(logged: LoggedOrder) {
  const fill = filled(logged);
  const best = logged.verdict?.numbers.best_price ?? 0;
  if (fill === null || best === 0) return null;
  const worseBy = (fill.usd / fill.shares - best) * (logged.order.side === 'BUY' ? 1 : -1);
  return { usd: worseBy * fill.shares, shares: fill.shares, cents: worseBy * 100 };
}

const filled = ({ ended, order }: LoggedOrder) => (ended?.outcome === 'accepted' ? fillOf(ended, order.side) : null);

const plannedUsd = ({ plan, order }: LoggedOrder) =>
  plan === null ? 0 : Number(order.side === 'BUY' ? plan.maker_amount : plan.taker_amount) / 1e6;

/** Without the noise of floats. */
const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
const sumOf = (values: readonly number[]) => rounded(values.reduce((sum, value) => sum + value, 0));
