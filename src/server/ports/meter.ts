/** A call of something that is sold, when it has ended. */
interface CallEnd {
  /** A tool, or `credits`. */
  readonly tool: string;
  /** How it ended: the kind of the gate's result. */
  readonly result: string;
  /** Credits that were debited for it. */
  readonly creditsUsed: number;
}

/** An answer of a facilitator, or that there was none. */
interface FacilitatorEnd {
  readonly facilitator: string;
  readonly operation: 'verify' | 'settle';
  /** The kind of the outcome. */
  readonly outcome: string;
  readonly ms: number;
}

/** A payment whose row has become SETTLED. */
interface Sale {
  /** What was bought. */
  readonly operation: string;
  readonly amountMicros: bigint;
  readonly creditsSold: number;
}

/**
 * Where what is known of a payment and what the chain shows contradict each other, so that a person
 * has to look: `refuted`, a settlement was reported and never paid; `paid_after_failure`, a payment
 * that was refused has paid after all; `transfer_taken`, the transfer that pays for it is
 * noted for another.
 */
export const CONTRADICTIONS = ['refuted', 'paid_after_failure', 'transfer_taken'] as const;
type Contradiction = (typeof CONTRADICTIONS)[number];

/**
 * Counts and times for operators what no later look could find out. It never throws and is fast.
 */
export interface Meter {
  callEnded(end: CallEnd): void;
  /**
   * What a tool made of understood parameters: a verdict, or the code of the problem that it had.
   */
  verdictMade(verdict: { readonly tool: string; readonly outcome: string; readonly ms: number }): void;
  facilitatorAnswered(end: FacilitatorEnd): void;
  paymentSettled(sale: Sale): void;
  contradicted(kind: Contradiction): void;
}
