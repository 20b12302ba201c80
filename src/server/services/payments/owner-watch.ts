import type { PaymentKey } from '#domain/payment/payment';
import { isAttended } from '#domain/payment/payment-row';
import type { PaymentSteps } from '#machines/payment-events';
import type { OwnedPayment } from '#ports/store';
import type { PaymentDeps } from './contract.js';
import type { PaymentInWork } from './in-work.js';
import { toAnswered, toRefused } from './outcomes.js';

/** One look for all who wait: a block takes ten times as long. */
const POLL_INTERVAL_MS = 200;

type OwnerEvent = Awaited<ReturnType<PaymentSteps['awaitOwner']>>;
type WatchDeps = Pick<PaymentDeps, 'store' | 'timers' | 'lease' | 'log'>;

/** Waits for what becomes of payments that others are at work on. */
export class OwnerWatch {
  readonly #deps: WatchDeps;
  readonly #waiters = new Map<PaymentInWork, (event: OwnerEvent) => void>();
  #isLooking = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Resolves when there is an outcome, or nobody is at work on it; never after the signal. */
  wait(inWork: PaymentInWork, signal: AbortSignal): Promise<OwnerEvent> {
    signal.addEventListener('abort', () => this.#waiters.delete(inWork), { once: true });
    return new Promise((resolve) => {
      this.#waiters.set(inWork, resolve);
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
    for (const [inWork, resolve] of waiters) {
      const one = byKey.get(watchedBy(inWork));
      const event = inWork.follows === null ? this.#ownEvent(one, inWork) : followedEvent(one, inWork);
      if (event === null || this.#waiters.get(inWork) !== resolve) continue;
      this.#waiters.delete(inWork);
      resolve(event);
    }
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
 * pay, whoever is at work on it. Once it has ended unpaid, this one may.
 */
function followedEvent(found: OwnedPayment | undefined, inWork: PaymentInWork): OwnerEvent | null {
  const row = found?.row;
  if (row?.state === 'SETTLED') {
    return { type: 'settlement.recorded', answered: { ...toAnswered(row, true), boughtBy: row.key } };
  }
  const isOpen = row?.state === 'SETTLING' || (row?.state === 'CLAIMED' && found?.isOwnerAlive === true);
  if (isOpen) return null;
  inWork.replaces = inWork.follows;
  return { type: 'owner.gone' };
}
