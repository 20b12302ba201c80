import type { ClientSystem } from '../../system.js';
import type { VenueAnswer } from '../clients/order-call.js';
import type { Refusal } from '../errors.js';
import type { GuardedOrder } from '../order.js';
import type { SignedOrder } from '../signed-order.js';
import type { EndedLine, GuardLine, LoggedPlan, LoggedVerdict } from '../state/guard-line.js';
import type { GuardMode, GuardState } from '../state/guard-state.js';
import type { Decision } from '../verdict/decide.js';

/** A line without what all lines have. */
type Bare<Line> = Line extends GuardLine ? Omit<Line, 'v' | 'at_ms'> : never;

/** An order and what was decided about it. */
export interface Decided {
  readonly id: string;
  readonly order: GuardedOrder;
  readonly isExit: boolean;
  readonly decision: Decision;
}

/** Writes the guard's log. */
export class GuardRecord {
  readonly #state: GuardState;
  readonly #mode: GuardMode;
  readonly #system: ClientSystem;
  readonly #warn: (text: string) => void;

  constructor(state: GuardState, mode: GuardMode, system: ClientSystem, warn: (text: string) => void) {
    this.#state = state;
    this.#mode = mode;
    this.#system = system;
    this.#warn = warn;
  }

  /** Throws if it cannot be written. */
  decided({ id, order, isExit, decision }: Decided): void {
    const refusal = refusalIn(decision);
    const isSentAnyhow = decision.kind === 'refused' && isExit;
    this.#append({
      kind: 'decided',
      id,
      mode: this.#mode,
      order,
      is_exit: isExit,
      action: isSentAnyhow ? 'as_written' : decision.kind,
      rule: refusal?.rule ?? null,
      why: refusal?.why ?? null,
      verdict: verdictIn(decision),
      plan: planIn(decision),
    });
  }

  /** Throws if it cannot be written. */
  posting(id: string, signed: SignedOrder | null): void {
    const [maker_amount, taker_amount] = [String(signed?.makerAmount ?? ''), String(signed?.takerAmount ?? '')];
    this.#append({ kind: 'posting', id, maker: signed?.maker ?? '', maker_amount, taker_amount });
  }

  ended(id: string, answer: VenueAnswer): void {
    this.quietly(() => this.#append(endedLine(id, answer)));
  }

  notSent(id: string, { rule, why }: Refusal): void {
    this.quietly(() => this.#append({ kind: 'ended', id, outcome: 'not_sent', rule, why }));
  }

  cancelled(method: string): void {
    this.quietly(() => this.#append({ kind: 'cancel', method }));
  }

  /** Does what has no say over an order that is on its way. */
  quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#warn(`the guard cannot write down what it does: ${error instanceof Error ? error.message : error}`);
    }
  }

  #append(line: Bare<GuardLine>): void {
    this.#state.log.append({ v: 1, at_ms: this.#system.clock.nowMs(), ...line } as GuardLine);
  }
}

/** Returns what stops an entry, and would have stopped one if it is an exit; null if nothing does. */
export function refusalIn(decision: Decision): Refusal | null {
  if (decision.kind === 'refused') return decision.refusal;
  return (decision.kind === 'as_written' ? undefined : decision.against) ?? null;
}

function verdictIn(decision: Decision): LoggedVerdict | null {
  const body = decision.kind === 'refused' ? decision.refusal.verdict : decision.verdict;
  if (body === null) return null;
  const { verdict, reason_codes, order, numbers } = body;
  return { verdict, reason_codes, usd: order.usd, numbers };
}

function planIn(decision: Decision): LoggedPlan | null {
  const [wanted] = decision.kind === 'planned' || decision.kind === 'resized' ? decision.plan.amounts : [];
  if (wanted === undefined) return null;
  return { maker_amount: String(wanted.maker), taker_amount: String(wanted.taker), worst_price: wanted.price };
}

function endedLine(id: string, answer: VenueAnswer): Bare<EndedLine> {
  const { kind, why, orderId, status, makingAmount, takingAmount, transactionHashes } = answer;
  return {
    kind: 'ended',
    id,
    outcome: kind,
    ...(why === '' ? {} : { why }),
    ...(orderId === null ? {} : { order_id: orderId }),
    ...(status === null ? {} : { status }),
    ...(makingAmount === null ? {} : { making_amount: makingAmount }),
    ...(takingAmount === null ? {} : { taking_amount: takingAmount }),
    ...(transactionHashes.length === 0 ? {} : { transaction_hashes: transactionHashes }),
  };
}
