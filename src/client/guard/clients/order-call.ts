import type { GuardedOrder, PlannedAmounts } from '../order.js';

/** One order of a call of a guarded method, whichever client it is of. */
export interface OrderCall {
  readonly order: GuardedOrder;
  /** Never takes, and pays no fee: the venue refuses it where it would cross the book. */
  readonly isPostOnly: boolean;
  readonly balanceUsd: number | null;
  estimatePrice(): Promise<number>;
  /** Signs the order in these amounts; sends nothing. */
  signPlanned(amounts: PlannedAmounts): Promise<unknown>;
  /** Signs the order as it was written, from a copy; of a signed one, returns it. */
  signAsWritten(): Promise<unknown>;
  /** Posts a signed order, once. */
  post(signed: unknown): Promise<unknown>;
  /** The client's own method, from copies of what it was called with. */
  callThrough(): Promise<unknown>;
}

/** What a client is to the guard. */
export interface GuardedClient {
  /** Methods that are replaced by others of the same form. */
  readonly single: Readonly<Record<string, (...args: readonly unknown[]) => OrderCall>>;
  /** The method that posts several signed orders. */
  readonly batch: {
    readonly method: string;
    calls(args: readonly unknown[]): readonly OrderCall[];
    /** Posts those of the calls that may go out, once. */
    post(args: readonly unknown[], kept: readonly number[]): Promise<unknown>;
  };
  readonly cancels: readonly string[];
  /** Methods that trade where the guard sees no order: no cap and no freeze could hold them. */
  readonly unguarded: readonly string[];
  /** Whether its methods throw what the venue refuses. */
  throwsErrors(): boolean;
  /** A refusal in the form of its answers. */
  refusedAnswer(rule: string, text: string, status: string): unknown;
  /** Returns what an answer says of an order. */
  read(answer: unknown): VenueAnswer;
  readError(error: unknown): VenueAnswer;
}

/**
 * What became of a posted order. `rejected`: the venue said no, and it is in no book. `unknown`: all
 * that is neither.
 */
export interface VenueAnswer {
  readonly kind: 'accepted' | 'rejected' | 'unknown';
  readonly why: string;
  readonly orderId: string | null;
  readonly status: string | null;
  readonly makingAmount: string | null;
  readonly takingAmount: string | null;
  readonly transactionHashes: readonly string[];
}
