import type { GuardedOrder } from '../order.js';
import type { OrderRule } from '../rules.js';
import type { EndedLine, GuardLine, LoggedPlan, LoggedVerdict } from '../state/guard-line.js';

/** An order as the lines of the log have it together. */
export interface LoggedOrder {
  readonly id: string;
  readonly atMs: number;
  readonly mode: 'guard' | 'shadow';
  readonly order: GuardedOrder;
  readonly isExit: boolean;
  readonly action: 'planned' | 'resized' | 'as_written' | 'refused';
  /** What stopped it, or would have stopped an entry. */
  readonly rule: OrderRule | null;
  readonly verdict: LoggedVerdict | null;
  readonly plan: LoggedPlan | null;
  /** What was signed and went out; null: nothing is known to have gone out. */
  readonly posted: { readonly maker: string; readonly amounts: Amounts | null } | null;
  /** What the venue answered; null: the process ended before it was written down. */
  readonly ended: EndedLine | null;
}

/** In 1e-6 USD and shares. */
interface Amounts {
  readonly makerMicros: number;
  readonly takerMicros: number;
}

/** Returns the orders of a log in the order of their decisions. */
export function loggedOrders(lines: readonly GuardLine[]): readonly LoggedOrder[] {
  const orders = new Map<string, LoggedOrder>();
  for (const line of lines) {
    if (line.kind === 'decided') {
      const { id, at_ms: atMs, mode, order, is_exit: isExit, action, rule, verdict, plan } = line;
      orders.set(id, { id, atMs, mode, order, isExit, action, rule, verdict, plan, posted: null, ended: null });
      continue;
    }
    const order = line.kind === 'cancel' ? undefined : orders.get(line.id);
    // Its decision is older than what is looked at.
    if (order === undefined) continue;
    if (line.kind === 'ended') orders.set(order.id, { ...order, ended: line });
    if (line.kind === 'posting')
      orders.set(order.id, { ...order, posted: { maker: line.maker, amounts: amountsOf(line) } });
  }
  return [...orders.values()];
}

function amountsOf({ maker_amount, taker_amount }: { readonly maker_amount: string; readonly taker_amount: string }) {
  if (maker_amount === '' || taker_amount === '') return null;
  return { makerMicros: Number(maker_amount), takerMicros: Number(taker_amount) };
}

/** What became of an order, in one word. */
export type OrderFate = 'filled' | 'open' | 'rejected' | 'not_sent' | 'unknown';

/** Returns what became of an order as far as the venue's answer has it. */
export function fateOf({ action, mode, isExit, posted, ended }: LoggedOrder): OrderFate {
  if (ended === null) {
    // In shadow mode every order goes out, and only its outcome is written down.
    const isStopped = mode === 'guard' && action === 'refused' && !isExit;
    return isStopped || (mode === 'guard' && posted === null) ? 'not_sent' : 'unknown';
  }
  if (ended.outcome !== 'accepted') return ended.outcome;
  return fillOf(ended) === null ? 'open' : 'filled';
}

/** USD and shares of a fill. */
export interface OrderFill {
  readonly usd: number;
  readonly shares: number;
}

/** Returns what an order was filled for as its answer has it; null if it was not. */
export function fillOf(ended: EndedLine, side?: 'BUY' | 'SELL'): OrderFill | null {
  const [making, taking] = [Number(ended.making_amount ?? 0), Number(ended.taking_amount ?? 0)];
  if (!(making > 0 && taking > 0)) return null;
  return side === 'SELL' ? { usd: taking, shares: making } : { usd: making, shares: taking };
}
