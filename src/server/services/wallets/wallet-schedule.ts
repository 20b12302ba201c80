import type { RatingConfig } from '#domain/rating/rating-config';
import { asOfOf, ratingWindows } from '#domain/rating/rating-windows';
import type { SecondsSpan } from '#domain/rating/unseen';
import type { Board } from '#ports/ratings-store';
import type { Clock } from '#system/clock';

/** How long a process whose tape lacks trades leaves a board that is due to others. */
export const NIGHT_PATIENCE_MS = 600_000;
/** How long it leaves a queued wallet to them. */
export const WALLET_PATIENCE_MS = 60_000;
/** What a tape holds is looked at this often. */
const POLL_INTERVAL_MS = 30_000;

/** WALLET_JOBS: all, nothing, or what the tape of the process is good for. */
export type WalletJobs = 'on' | 'off' | 'auto';

export interface WalletScheduleDeps {
  readonly jobs: WalletJobs;
  readonly clock: Clock;
  readonly config: RatingConfig;
  /** Whether the tape holds all trades of a span that the venue's feed still lists. */
  readonly holdsAllListed: (span: SecondsSpan) => Promise<boolean>;
  /** Whether it holds all trades of a span. */
  readonly holdsAll: (span: SecondsSpan) => Promise<boolean>;
}

/**
 * What of the work on wallets this process takes among those that share a store. One whose tape
 * covers the window comes first: a shorter tape makes a board and verdicts that say less.
 */
export class WalletSchedule {
  readonly #deps: WalletScheduleDeps;
  readonly #startedAtMs: number;
  #cached: { readonly atMs: number; readonly holds: boolean } | null = null;

  constructor(deps: WalletScheduleDeps) {
    this.#deps = deps;
    this.#startedAtMs = deps.clock.elapsedMs();
  }

  /** How long a wallet has to have waited before this process rates it; null: it rates none. */
  async walletPatienceMs(): Promise<number | null> {
    const { jobs } = this.#deps;
    if (jobs === 'off') return null;
    return jobs === 'on' || (await this.#holdsAllListed()) ? 0 : WALLET_PATIENCE_MS;
  }

  /** Whether a board that is due is for this process to make. */
  async isNightOurs({ board, dueS, lateMs }: { board: Board | null; dueS: number; lateMs: number }): Promise<boolean> {
    const { jobs, clock, config, holdsAll } = this.#deps;
    if (jobs !== 'auto' || board === null) return jobs !== 'off';
    // After a common stop nobody has had the time to be first.
    if (Math.min(lateMs, clock.elapsedMs() - this.#startedAtMs) >= NIGHT_PATIENCE_MS) return true;
    return holdsAll({ fromS: ratingWindows(dueS, config).fromS, toS: dueS - 1 });
  }

  async #holdsAllListed(): Promise<boolean> {
    const { clock, config, holdsAllListed } = this.#deps;
    const atMs = clock.elapsedMs();
    if (this.#cached !== null && atMs - this.#cached.atMs < POLL_INTERVAL_MS) return this.#cached.holds;
    const asOfS = asOfOf(Math.floor(clock.nowMs() / 1e3));
    const holds = await holdsAllListed({ fromS: ratingWindows(asOfS, config).fromS, toS: asOfS - 1 });
    this.#cached = { atMs, holds };
    return holds;
  }
}
