import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Pair } from './pair.js';

const POLL_INTERVAL_MS = 150;

/** How long it took, as seen from outside; null: it did not happen. */
export interface Took {
  /** From the first look that showed the transfer to the first that showed its row settled. */
  readonly bookedMs: number | null;
  /**
   * From the death of its owner to the first look at which it was nobody's or another's, or had an
   * end.
   */
  readonly takenOverMs: number | null;
}

/** Looks at the row of a payment and at its transfer, again and again. */
export class Watch {
  readonly #pair: Pair;
  readonly #key: PaymentRow['key'];
  readonly #payer: Address;
  #row: PaymentRow | null = null;
  #transferAtMs: number | null = null;
  #settledAtMs: number | null = null;
  #orphan: { readonly row: PaymentRow; readonly atMs: number } | null = null;
  #takenAtMs: number | null = null;
  #isOver = false;
  readonly #looking: Promise<void>;

  constructor(pair: Pair, key: PaymentRow['key'], payer: Address) {
    this.#pair = pair;
    this.#key = key;
    this.#payer = payer;
    this.#looking = this.#look();
  }

  /** Its owner dies now. */
  async orphan(): Promise<void> {
    const row = await this.#pair.store.payment(this.#key);
    if (row?.open === true) this.#orphan = { row, atMs: performance.now() };
  }

  /**
   * Resolves when what was paid is settled, and nothing that is open is left by a dead owner; or
   * after so long.
   */
  async untilBooked(msMax: number): Promise<void> {
    const untilMs = performance.now() + msMax;
    while (!this.#isBooked() && performance.now() < untilMs) await sleep(POLL_INTERVAL_MS);
  }

  async end(): Promise<{ readonly row: PaymentRow | null; readonly took: Took }> {
    this.#isOver = true;
    await this.#looking;
    const row = await this.#pair.store.payment(this.#key);
    // It may have been settled between the last two looks.
    if (row?.state === 'SETTLED') this.#settledAtMs ??= performance.now();
    return {
      row,
      took: {
        bookedMs:
          this.#transferAtMs === null ? null : Math.max(0, (this.#settledAtMs ?? Infinity) - this.#transferAtMs),
        takenOverMs: this.#orphan === null ? null : (this.#takenAtMs ?? Infinity) - this.#orphan.atMs,
      },
    };
  }

  #isBooked(): boolean {
    if (this.#orphan !== null && this.#takenAtMs === null) return false;
    return this.#transferAtMs === null ? this.#row?.state !== 'CLAIMED' : this.#settledAtMs !== null;
  }

  async #look(): Promise<void> {
    while (!this.#isOver) {
      const transfers = this.#transferAtMs === null ? await this.#pair.world.transfersFrom(this.#payer) : [];
      if (transfers.length > 0) this.#transferAtMs = performance.now();
      this.#row = await this.#pair.store.payment(this.#key);
      if (this.#row?.state === 'SETTLED') this.#settledAtMs ??= performance.now();
      if (this.#orphan !== null && isTaken(this.#row, this.#orphan.row)) this.#takenAtMs ??= performance.now();
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

function isTaken(now: PaymentRow | null, before: PaymentRow): boolean {
  return now === null || !now.open || now.owner !== before.owner || now.epoch !== before.epoch;
}
