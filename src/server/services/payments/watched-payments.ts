import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { OpenPayment } from '#ports/store';
import { pagesOf } from '../integrity/pages.js';
import { interval } from '../interval.js';
import type { PaymentDeps } from './contract.js';

/*
 * Payments that were refused early are watched, for their transfer may land until the authorization
 * ends. That can be days, and anybody can have many refused: so they are watched closely while an
 * authorization of the usual length lasts, and rarely from then on.
 */

/** Since it began; longer than an authorization of `maxTimeoutSeconds` can still pay. */
export const WATCHED_CLOSELY_MS = 5 * 60_000;
/** So long one is in work that is taken up later: to write down what the chain says of it. */
export const TAKEN_UP_MS = 60_000;
/** Watched closely at once; the others have their turn as these end. */
export const WATCHED_MAX = 256;
/** Between two looks at those that are watched rarely. */
export const RARE_LOOK_INTERVAL_MS = 60 * 60_000;
/** Asked about in one go: as many as one question to the chain can have. */
const PAGE = 100;

/** How long a payment is still watched closely, or 0. */
export function watchedCloselyMs({ createdAtMs }: Pick<PaymentRow, 'createdAtMs'>, nowMs: number): number {
  return Math.min(WATCHED_CLOSELY_MS, Math.max(0, createdAtMs + WATCHED_CLOSELY_MS - nowMs));
}

/** Whether a payment that is open is only looked at now and then. */
export function isWatchedRarely(open: Pick<OpenPayment, 'state' | 'createdAtMs'>, nowMs: number): boolean {
  return open.state === 'FAILED' && watchedCloselyMs(open, nowMs) === 0;
}

type RareLooksDeps = Pick<PaymentDeps, 'store' | 'chain' | 'lease' | 'clock' | 'timers' | 'log'>;

interface RareLooksHooks {
  has(key: PaymentKey): boolean;
  /** Puts a payment into work of which the chain has something to say. */
  takeUp(open: OpenPayment): Promise<void>;
}

/** Asks the chain about the payments that are watched rarely, at the start and every hour. */
export class RareLooks {
  readonly #deps: RareLooksDeps;
  readonly #hooks: RareLooksHooks;
  readonly #stopping = new AbortController();

  constructor(deps: RareLooksDeps, hooks: RareLooksHooks) {
    this.#deps = deps;
    this.#hooks = hooks;
  }

  start(): void {
    const { timers, log } = this.#deps;
    const onError = (err: unknown) => log.error({ err }, 'refused payments cannot be looked at');
    const look = () => this.#look();
    void look()
      .catch(onError)
      .then(() => interval(RARE_LOOK_INTERVAL_MS, look, { timers, signal: this.#stopping.signal, onError }));
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #look(): Promise<void> {
    const { store, lease, clock } = this.#deps;
    for await (const { items } of pagesOf((from) => store.openPaymentsFor(lease.id, from, PAGE))) {
      await this.#ask(items.filter((one) => isWatchedRarely(one, clock.nowMs()) && !this.#hooks.has(one.key)));
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #ask(idle: readonly OpenPayment[]): Promise<void> {
    const { store, chain } = this.#deps;
    const rows = idle.length === 0 ? [] : await store.ownedPayments(idle.map(({ key }) => key));
    await Promise.all(
      rows.map(async ({ row }) => {
        const { kind } = await chain.resolve(row.payment, row.demand, row.intentBlock);
        if (kind === 'unused' || kind === 'unknown' || this.#stopping.signal.aborted) return;
        await this.#hooks.takeUp(row);
      }),
    );
  }
}
