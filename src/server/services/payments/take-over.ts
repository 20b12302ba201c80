import { LRUCache } from 'lru-cache';
import { OutsideError } from '#domain/errors';
import type { PaymentKey } from '#domain/payment/payment';
import { isAttended, type PaymentRow } from '#domain/payment/payment-row';
import type { Cursor, Decision, OpenPayment, Rows } from '#ports/store';
import { interval } from '../interval.js';
import { lruOptions } from '../lru-options.js';
import type { PaymentDeps } from './contract.js';
import { isWatchedRarely } from './watched-payments.js';

/** With the lease and a look at the chain, this bounds how long a payment is without an owner. */
const POLL_INTERVAL_MS = 1_000;
/** Open payments looked at in one go. */
const PAGE = 500;
/** Pages of one look; the next one goes on where it ended. Refused payments may be open for years. */
const LOOK_PAGES_MAX = 10;
/** Payments that are left to a repeat or the next start, because they broke this process once. */
const LEFT_ALONE_MAX = 10_000;

type TakeOverDeps = Pick<PaymentDeps, 'store' | 'timers' | 'lease' | 'clock' | 'log'>;

/** The payments in work of this process. */
export interface RunsInWork {
  has(key: PaymentKey): boolean;
  /** Whether there is no place for another one. */
  isFull(): boolean;
  /** How many of those that were refused may be watched beside the others. */
  placesToWatch(): number;
  /** Goes on with a payment that is ours now. */
  resume(row: PaymentRow): void;
}

/**
 * Takes up what nobody is at work on: payments whose owner has died, or handed over, and those of
 * this process that have lost their run. Claims of the dead are removed: nothing was sent for them.
 */
export class TakeOvers {
  readonly #deps: TakeOverDeps;
  readonly #runs: RunsInWork;
  readonly #leftAlone = new LRUCache<PaymentKey, true>(lruOptions(LEFT_ALONE_MAX));
  readonly #stopping = new AbortController();
  /** Where the next look begins. */
  #from: Cursor = null;
  #taken = 0;

  constructor(deps: TakeOverDeps, runs: RunsInWork) {
    this.#deps = deps;
    this.#runs = runs;
  }

  /** Looks once, and from then on every second. Rejects if the first look fails. */
  async start(): Promise<void> {
    const taken = await this.#look(Number.POSITIVE_INFINITY);
    if (taken > 0) this.#deps.log.info({ payments: taken }, 'open payments resumed');
    void interval(POLL_INTERVAL_MS, () => this.#lookAgain(), {
      timers: this.#deps.timers,
      signal: this.#stopping.signal,
      onError: (err) => this.#deps.log.error({ err }, 'open payments cannot be looked at'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Payments taken up since the start that were another's, or an earlier life's. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes up a payment that nobody waits for at its owner, for somebody who waits here, or because
   * the chain knows what became of it.
   */
  async takeUp(open: OpenPayment, { isUnattended } = { isUnattended: false }): Promise<void> {
    const taken = await this.#take(open, { isUnattended });
    if (taken !== null) this.#resume(taken);
  }

  /** Leaves a payment to a repeat, or to the next start. */
  leaveAlone(key: PaymentKey): void {
    this.#leftAlone.set(key, true);
  }

  async #lookAgain(): Promise<void> {
    const taken = await this.#look(LOOK_PAGES_MAX);
    if (taken > 0) this.#deps.log.warn({ payments: taken }, 'payments taken over from a process that is gone');
  }

  /** Returns how many payments are in work now that were not. */
  async #look(pagesMax: number): Promise<number> {
    const { store, lease } = this.#deps;
    let taken = 0;
    for (let pages = 1; lease.isHeld(); pages++) {
      const { items, next } = await store.openPaymentsFor(lease.id, this.#from, PAGE);
      const rows = await Promise.all(this.#idleOf(items).map((one) => this.#take(one, { isUnattended: true })));
      taken += rows.filter((row) => row !== null && this.#resume(row)).length;
      this.#from = next;
      if (next === null || pages >= pagesMax || this.#runs.isFull()) break;
    }
    return taken;
  }

  /** Those of a page that are to be taken up: of the refused ones as many as there is place for. */
  #idleOf(items: readonly OpenPayment[]): readonly OpenPayment[] {
    const nowMs = this.#deps.clock.nowMs();
    let places = this.#runs.placesToWatch();
    return items.filter((one) => {
      if (this.#runs.has(one.key) || this.#leftAlone.has(one.key) || isWatchedRarely(one, nowMs)) return false;
      return one.state !== 'FAILED' || places-- > 0;
    });
  }

  #resume(row: PaymentRow): boolean {
    // A client was faster, and its run has claimed the payment in turn.
    if (this.#stopping.signal.aborted || this.#runs.has(row.key)) return false;
    this.#runs.resume(row);
    this.#taken++;
    return true;
  }

  /** Returns the row that is ours now, or null. */
  async #take(
    open: OpenPayment,
    { isUnattended }: Pick<Required<PaymentRow>, 'isUnattended'>,
  ): Promise<PaymentRow | null> {
    const { store, lease, log } = this.#deps;
    try {
      return await store.transact(
        { payment: open.key },
        (rows) => decideTake(rows, open, { owner: lease.id, isUnattended }),
        {
          durable: false,
        },
      );
    } catch (err) {
      if (err instanceof OutsideError && err.failure === 'final') this.leaveAlone(open.key);
      log.error({ err }, 'an open payment cannot be taken up; its row is left as it is');
      return null;
    }
  }
}

interface Taker {
  readonly owner: string;
  readonly isUnattended: boolean;
}

function decideTake(rows: Rows, seen: OpenPayment, { owner, isUnattended }: Taker): Decision<PaymentRow | null> {
  const { payment: row, isOwnerAlive } = rows;
  const nothing = { writes: {}, result: null };
  if (row === null || !row.open || row.epoch !== seen.epoch || row.owner !== seen.owner) return nothing;
  if (row.owner !== owner && isAttended(row, isOwnerAlive)) return nothing;
  if (row.state === 'CLAIMED') return { writes: { removedPayment: row.key }, result: null };
  const { isUnattended: _, ...rest } = row;
  const taken: PaymentRow = { ...rest, owner, epoch: row.epoch + 1, ...(isUnattended ? { isUnattended } : {}) };
  return { writes: { payment: taken }, result: taken };
}
