import type { WalletAddress } from '#domain/ids';

/** What is assumed of a computation before one was measured. */
const FIRST_GUESS_MS = 20_000;
/** How much the newest duration counts in the mean. */
const NEWEST_SHARE = 0.2;
/**
 * Bounds of the wait that is reported to callers (docs/interface-wallets.md, "Queued wallets").
 */
const RETRY_AFTER_S_MIN = 1;
const RETRY_AFTER_S_MAX = 3_600;

interface Waiting {
  readonly wallet: WalletAddress;
  readonly begin: () => void;
}

/**
 * Whose turn it is: first come, first served, so many at once. It knows how long a turn takes, and
 * so how long one waits.
 */
export class WalletQueue {
  readonly #concurrency: number;
  #waiting: Waiting[] = [];
  readonly #working = new Set<WalletAddress>();
  #meanMs = FIRST_GUESS_MS;
  #measured = false;

  /** `concurrency`: how many turns there are at once. */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get working(): number {
    return this.#working.size;
  }

  get meanMs(): number {
    return this.#meanMs;
  }

  /** Takes what a turn took in an earlier life of the service for its first guess. */
  expect(meanMs: number): void {
    if (!this.#measured) this.#meanMs = meanMs;
  }

  /** Resolves when it is the wallet's turn; `leave` ends the turn, or the waiting for it. */
  turn(wallet: WalletAddress): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ wallet, begin });
      this.#beginNext();
    });
  }

  /**
   * Ends the wallet's turn, or takes it out of the queue. `tookMs` is given when its computation
   * went through.
   */
  leave(wallet: WalletAddress, tookMs: number | null = null): void {
    if (tookMs !== null) this.#measure(tookMs);
    this.#working.delete(wallet);
    this.#waiting = this.#waiting.filter((waiting) => waiting.wallet !== wallet);
    this.#beginNext();
  }

  /**
   * Returns how many are before the wallet, itself included; 0: it is in work; null: it does not
   * wait.
   */
  positionOf(wallet: WalletAddress): number | null {
    if (this.#working.has(wallet)) return 0;
    const at = this.#waiting.findIndex((waiting) => waiting.wallet === wallet);
    return at < 0 ? null : at + 1;
  }

  /**
   * Returns after how many seconds a wallet at this position should be rated: the turns before it,
   * and its own.
   */
  retryAfterS(position: number): number {
    const turns = Math.ceil(position / this.#concurrency) + 1;
    return boundedRetryAfterS((turns * this.#meanMs) / 1e3);
  }

  #beginNext(): void {
    while (this.#working.size < this.#concurrency) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#working.add(next.wallet);
      next.begin();
    }
  }

  #measure(tookMs: number): void {
    this.#meanMs = this.#measured ? this.#meanMs + (tookMs - this.#meanMs) * NEWEST_SHARE : tookMs;
    this.#measured = true;
  }
}

/** Returns a wait in whole seconds, within the bounds of what is reported. */
export function boundedRetryAfterS(seconds: number): number {
  return Math.min(RETRY_AFTER_S_MAX, Math.max(RETRY_AFTER_S_MIN, Math.ceil(seconds)));
}
