import type { LedgerEntry } from '../credits/credits.js';
import type { PaymentRow } from './payment-row.js';

/** How a call was paid for: with a payment of its own, or from prepaid credits. */
const LANES = ['x402', 'credits'] as const;
type Lane = (typeof LANES)[number];

/**
 * What one tool was paid on one day (UTC) in one lane. The pack is an operation of the lane x402.
 */
export interface RevenueLine {
  readonly day: string;
  readonly lane: Lane;
  readonly operation: string;
  readonly calls: number;
  /**
   * Micro-USDC that came in. Credits were paid for with their pack, on its day: 0 in their lane.
   */
  readonly usdcMicros: bigint;
  /** Credits that were used; 0 in the lane x402. */
  readonly credits: number;
}

/** From this moment on, and before that one. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How the ledger names a debit that was given back, before the operation. */
const GIVEN_BACK = 'refund ';

/**
 * Adds up what came in and what was used, row by row. A payment counts on the day on which it
 * began, once it is settled and unless the chain has refuted it; a debit that was given back counts
 * as none, on the day on which it was given back.
 */
export class Revenue {
  readonly #span: Span;
  readonly #lines = new Map<string, RevenueLine>();

  constructor(span: Span) {
    this.#span = span;
  }

  addPayment({ state, proof, operation, createdAtMs, demand }: PaymentRow): void {
    if (state !== 'SETTLED' || proof?.kind === 'refuted') return;
    this.#add(createdAtMs, { lane: 'x402', operation, calls: 1, usdcMicros: demand.amountMicros, credits: 0 });
  }

  addEntry({ kind, operation, atMs, credits }: LedgerEntry): void {
    if (kind === 'debit') this.#add(atMs, { lane: 'credits', operation, calls: 1, usdcMicros: 0n, credits });
    if (kind !== 'refund') return;
    const undone = operation.startsWith(GIVEN_BACK) ? operation.slice(GIVEN_BACK.length) : operation;
    this.#add(atMs, { lane: 'credits', operation: undone, calls: -1, usdcMicros: 0n, credits: -credits });
  }

  /** By day, lane and operation. */
  lines(): readonly RevenueLine[] {
    return [...this.#lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  #add(atMs: number, { lane, operation, calls, usdcMicros, credits }: Omit<RevenueLine, 'day'>): void {
    if (atMs < this.#span.fromMs || atMs >= this.#span.toMs) return;
    const day = new Date(atMs).toISOString().slice(0, 10);
    const key = JSON.stringify([day, LANES.indexOf(lane), operation]);
    const sum = this.#lines.get(key) ?? { calls: 0, usdcMicros: 0n, credits: 0 };
    this.#lines.set(key, {
      day,
      lane,
      operation,
      calls: sum.calls + calls,
      usdcMicros: sum.usdcMicros + usdcMicros,
      credits: sum.credits + credits,
    });
  }
}
