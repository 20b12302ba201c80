import type { OrderNumbers, OrderVerdict } from '../../answers.js';
import type { GuardedOrder } from '../order.js';
import type { OrderRule } from '../rules.js';

/** The lines of the guard's log. Stable: `v` names their form. No key, signature or token is in one. */
export type GuardLine = DecidedLine | PostingLine | EndedLine | CancelLine;

interface Line {
  readonly v: 1;
  readonly at_ms: number;
}

/** What the guard made of an order, before anything was signed. */
interface DecidedLine extends Line {
  readonly kind: 'decided';
  /** Names the order in the lines after it. */
  readonly id: string;
  readonly mode: 'guard' | 'shadow';
  readonly order: GuardedOrder;
  readonly is_exit: boolean;
  /** In shadow mode what it would have been: there all orders are sent as they were written. */
  readonly action: 'planned' | 'resized' | 'as_written' | 'refused';
  /** Of a refusal, and of an exit that no rule stops: what would have stopped an entry. */
  readonly rule: OrderRule | null;
  readonly why: string | null;
  readonly verdict: LoggedVerdict | null;
  readonly plan: LoggedPlan | null;
}

/** What is kept of a verdict. */
export interface LoggedVerdict {
  readonly verdict: OrderVerdict['verdict'];
  readonly reason_codes: readonly string[];
  readonly usd: number;
  readonly numbers: OrderNumbers;
}

/** The amounts to be signed, in 1e-6 USD and shares. */
export interface LoggedPlan {
  readonly maker_amount: string;
  readonly taker_amount: string;
  readonly worst_price: number;
}

/** An order is signed and goes out now: from here on it may be matched. */
interface PostingLine extends Line {
  readonly kind: 'posting';
  readonly id: string;
  /** Lower-case address whose order it is. */
  readonly maker: string;
  readonly maker_amount: string;
  readonly taker_amount: string;
}

/** What became of it, as far as the venue's answer says. */
export interface EndedLine extends Line {
  readonly kind: 'ended';
  readonly id: string;
  /** `not_sent`: it was refused after the decision. `unknown`: it may have been matched. */
  readonly outcome: 'accepted' | 'rejected' | 'unknown' | 'not_sent';
  readonly rule?: OrderRule;
  readonly why?: string;
  readonly order_id?: string;
  readonly status?: string;
  /** As the venue wrote them: USD or shares. */
  readonly making_amount?: string;
  readonly taking_amount?: string;
  readonly transaction_hashes?: readonly string[];
}

/** A cancel went through; the guard stands before none. */
interface CancelLine extends Line {
  readonly kind: 'cancel';
  readonly method: string;
}
