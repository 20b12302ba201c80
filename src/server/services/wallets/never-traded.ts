import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '#domain/ids';
import type { TradeSource } from '#ports/trade-source';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { lruOptions } from '../lru-options.js';
import { withTimeout } from '../with-timeout.js';

/** How long one look at the venue may take: a caller waits for the answer. */
export const LOOK_MS_MAX = 1_500;
/** Looks under way at once; over it wallets are queued unseen. */
export const LOOKS_MAX = 32;
/** How long "never traded" holds, and for how many wallets it is remembered. */
const NEVER_TRADED_TTL_MS = 300_000;
const NEVER_TRADED_MAX = 10_000;

export interface NeverTradedDeps {
  readonly trades: Pick<TradeSource, 'hasTraded'>;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Knows which wallets never traded, as far as the venue has said. */
export class NeverTraded {
  readonly #cached: LRUCache<WalletAddress, true>;
  readonly #trades: NeverTradedDeps['trades'];
  readonly #timers: Timers;
  #inFlight = 0;

  constructor({ trades, clock, timers }: NeverTradedDeps) {
    this.#trades = trades;
    this.#timers = timers;
    this.#cached = new LRUCache({
      ...lruOptions(NEVER_TRADED_MAX),
      ttl: NEVER_TRADED_TTL_MS,
      ttlResolution: 0,
      perf: { now: () => clock.elapsedMs() },
    });
  }

  /** Whether it is known, without asking. */
  isCached(wallet: WalletAddress): boolean {
    return this.#cached.has(wallet);
  }

  /**
   * Asks the venue once, and not for long. Returns false also when the venue could not be asked.
   * Never rejects.
   */
  async look(wallet: WalletAddress): Promise<boolean> {
    if (this.#inFlight >= LOOKS_MAX) return false;
    this.#inFlight++;
    const never = await this.#ask(wallet);
    if (never) this.#cached.set(wallet, true);
    return never;
  }

  async #ask(wallet: WalletAddress): Promise<boolean> {
    // The place is free when the venue has answered, not when the caller stopped waiting for it.
    const requested = this.#trades
      .hasTraded(wallet)
      .then(
        (traded) => !traded,
        () => false,
      )
      .finally(() => {
        this.#inFlight--;
      });
    return withTimeout(requested, { timers: this.#timers, ms: LOOK_MS_MAX }, () => false);
  }
}
