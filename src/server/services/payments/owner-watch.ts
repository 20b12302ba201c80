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

interface Waiter {
  readonly fingerprint: string;
  readonly resolve: (event: OwnerEvent) => void;
}

/** Waits for what becomes of payments that another process is at work on. */
export class OwnerWatch {
  readonly #deps: WatchDeps;
  readonly #waiters = new Map<PaymentKey, Waiter>();
  #isLooking = false;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  /** Resolves when the owner has an outcome, or is gone; never after the signal. */
  wait({ key, fingerprint }: PaymentInWork, signal: AbortSignal): Promise<OwnerEvent> {
    signal.addEventListener('abort', () => this.#waiters.delete(key), { once: true });
    return new Promise((resolve) => {
      this.#waiters.set(key, { fingerprint, resolve });
      if (!this.#isLooking) void this.#lookAgainAndAgain();
    });
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { timers, log } = this.#deps;
    this.#isLooking = true;
    while (this.#waiters.size > 0) {
      await timers.sleep(POLL_INTERVAL_MS);
      try {
        await this.#look();
      } catch (err) {
        log.error({ err }, 'payments of another process cannot be looked at');
      }
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const requested = [...this.#waiters];
    const found = await this.#deps.store.ownedPayments(requested.map(([key]) => key));
    const byKey = new Map(found.map((one) => [one.row.key, one]));
    for (const [key, waiter] of requested) {
      const event = this.#eventOf(byKey.get(key), waiter.fingerprint);
      if (event === null || this.#waiters.get(key) !== waiter) continue;
      this.#waiters.delete(key);
      waiter.resolve(event);
    }
  }

  /** null: its owner is at it. */
  #eventOf(found: OwnedPayment | undefined, fingerprint: string): OwnerEvent | null {
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
