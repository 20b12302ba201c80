import type { RatingConfig } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import type { MarketFacts, TradeSource } from '#ports/trade-source';
import type { WalletClaims } from '#ports/wallet-claims';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';

/** What is answered about a wallet. Only `rated` is paid for. */
export type WalletAnswer =
  | {
      readonly kind: 'rated';
      readonly stored: StoredRating;
      /**
       * Oldest fill of the tape that the board was made from; null or absent: made from all of the
       * wallet's trades.
       */
      readonly tapeStartS?: number | null;
      readonly nextRefreshS: number;
      /** A newer rating should be in force. */
      readonly isLate?: boolean;
    }
  /** Below the floor, or `stored` is null: it never traded. */
  | { readonly kind: 'no_coverage'; readonly stored: StoredRating | null; readonly nextRefreshS: number }
  /** `position`: how many are before it, itself included; 0: it is being computed. */
  | { readonly kind: 'queued'; readonly retryAfterS: number; readonly position: number };

/** What is known about a wallet without asking anybody. */
export type Standing =
  | { readonly kind: 'rated' | 'no_coverage'; readonly stored: StoredRating; readonly tapeStartS: number | null }
  /** There is a rating on demand, made for an earlier moment or by other cut-offs. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'unknown' };

/** The part of the tape that one wallet needs. */
export type WalletTape = Pick<Tape, 'fillsOf' | 'marketsOf' | 'addRows' | 'namesOf'>;

export interface WalletDeps {
  readonly store: RatingsStore;
  readonly trades: TradeSource;
  readonly facts: MarketFacts;
  readonly tape: WalletTape;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly timers: Timers;
  readonly config: RatingConfig;
  /** When it is looked next whether a board is due; null or absent: nobody looks. */
  readonly nextLookAtMs?: () => number | null;
  /**
   * Takes one piece of queued work from what a caller may cause. Returns null, or the seconds until
   * there is more.
   */
  readonly limitCaller: (caller: string) => Promise<number | null>;
  /** How the processes on the store share the queue; absent: each works off its own. */
  readonly sharing?: { readonly claims: WalletClaims; readonly owner: string };
  /**
   * How long a wallet has to have waited in a shared queue before this process rates it; null: it
   * leaves all to others; absent: not at all.
   */
  readonly patienceMs?: () => Promise<number | null>;
}

/** How the wallets stand, for /status.json. */
export interface WalletsReport {
  readonly queued: number;
  readonly inWork: number;
  /** Failed, and resting before they are tried again. */
  readonly resting: number;
  readonly oldestQueuedAgeMs: number | null;
  readonly meanMs: number;
  readonly rated: number;
  readonly failures: number;
  /** Of these: the venue answered, and what it said could not be read or contradicted itself. */
  readonly unreadable: number;
  /** What failed last; null once a computation has gone through since. */
  readonly lastError: string | null;
  /** Runs that a fault of this program ended. */
  readonly broken: number;
}
