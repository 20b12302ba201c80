import type { PaymentKey } from '#domain/payment/payment';
import { isAttended, type PaymentRow } from '#domain/payment/payment-row';
import type { PaymentSteps } from '#machines/payment-events';
import type { OwnedPayment } from '#ports/store';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';
import { standsFor } from './purchase-names.js';

/** One look for all who wait: a block takes ten times as long. */
const POLL_INTERVAL_MS = 200;

/**
 * Goes on with a payment for somebody who waits for it until the signal. Resolves with whether it is
 * in work here; if not, another process is at it.
 */
export type Attend = (payment: OwnedPayment, signal: AbortSignal) => Promise<boolean>;

interface Waiter {
  readonly resolve: (event: OwnerEvent) => void;
  readonly signal: AbortSignal;
  isAttending: boolean;
}

type OwnerEvent = Awaited<ReturnType<PaymentSteps['awaitOwner']>>;
type WatchDeps = Pick<PaymentDeps, 'store' | 'timers' | 'lease' | 'log'>;

/** Waits for what becomes of payments that others are at work on. */
export class OwnerWatch {
  readonly #deps: WatchDeps;
  readonly #attend: Attend;
  readonly #waiters = new Map<PaymentInWork, Waiter>();
  #isLooking = false;

  constructor(deps: WatchDeps, attend: Attend) {
    this.#deps = deps;
    this.#attend = attend;
  }

  /** Resolves when there is an outcome, or nobody is at work on it; never after the signal. */
  wait(inWork: PaymentInWork, signal: AbortSignal): Promise<OwnerEvent> {
    signal.addEventListener('abort', () => this.#waiters.delete(inWork), { once: true });
    return new Promise((resolve) => {
      this.#waiters.set(inWork, { resolve, signal, isAttending: false });
      if (!this.#isLooking) void this.#lookAgainAndAgain();
    });
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { timers, log } = this.#deps;
    this.#isLooking = true;
    while (this.#waiters.size > 0) {
      try {
        await this.#look();
      } catch (err) {
        log.error({ err }, 'payments that others are at work on cannot be looked at');
      }
      if (this.#waiters.size > 0) await timers.sleep(POLL_INTERVAL_MS);
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const waiters = [...this.#waiters];
    const found = await this.#deps.store.ownedPayments(waiters.map(([inWork]) => watchedBy(inWork)));
    const byKey = new Map(found.map((one) => [one.row.key, one]));
    for (const [inWork, waiter] of waiters) {
      const one = byKey.get(watchedBy(inWork));
      const event = inWork.follows === null ? this.#ownEvent(one, inWork) : followedEvent(one, inWork);
      if (this.#waiters.get(inWork) !== waiter) continue;
      if (event === null) {
        if (inWork.follows !== null) this.#keepGoing(one!, waiter);
        continue;
      }
      this.#waiters.delete(inWork);
      waiter.resolve(event);
    }
  }

  /** Where no client of its own waits for it any more, it would be sent for none. */
  #keepGoing(followed: OwnedPayment, waiter: Waiter): void {
    if (waiter.isAttending || followed.row.state !== 'SETTLING') return;
    waiter.isAttending = true;
    void this.#attend(followed, waiter.signal).then((isHere) => {
      waiter.isAttending = isHere;
    });
  }

  /** null: its owner is at it. */
  #ownEvent(found: OwnedPayment | undefined, { fingerprint }: PaymentInWork): OwnerEvent | null {
    // Given up, and perhaps begun anew for another request: a new claim finds out.
    if (found === undefined || found.row.fingerprint !== fingerprint) return { type: 'owner.gone' };
    const { row, isOwnerAlive } = found;
    if (row.state === 'SETTLED') return { type: 'settlement.recorded', answered: toAnswered(row, true) };
    if (row.state === 'FAILED') return { type: 'failure.recorded', reason: toRefused(row).reason };
    // Where its owner has no client, it would be sent for none; here somebody waits.
    const isElsewhere = isAttended(row, isOwnerAlive) && row.owner !== this.#deps.lease.id;
    return isElsewhere ? null : { type: 'owner.gone' };
  }
}

function watchedBy({ follows, key }: PaymentInWork): PaymentKey {
  return follows ?? key;
}

/**
 * What comes of the payment that was made before under a name of this purchase. null: it may yet
 * pay, whoever is at work on it. Once it has ended unpaid, this one may: a new claim finds out.
 */
function followedEvent(found: OwnedPayment | undefined, { requested }: PaymentInWork): OwnerEvent | null {
  if (!standsFor(found ?? null, requested.fingerprint)) return { type: 'owner.gone' };
  return found!.row.state === 'SETTLED' ? boughtEvent(found!.row) : null;
}

/** The answer of another payment for the same purchase. */
export function boughtEvent(row: PaymentRow): Extract<OwnerEvent, { type: 'settlement.recorded' }> {
  return { type: 'settlement.recorded', answered: { ...toAnswered(row, true), boughtBy: row.key } };
}
