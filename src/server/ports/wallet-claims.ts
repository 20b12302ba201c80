import type { WalletAddress } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { RatingsStore, WalletRow } from './ratings-store.js';
import type { SharedLimits } from './shared-limits.js';

/**
 * A wallet that this process rates. Another owner has a later epoch, and an earlier one has no say.
 */
export interface WalletClaim {
  readonly wallet: WalletAddress;
  readonly owner: string;
  readonly epoch: number;
}

/** Where a wallet stands in the queue. */
export interface QueuePosition {
  readonly queuedAtMs: number;
  /** Not before this moment. */
  readonly nextAttemptAtMs: number;
  /** Some process is at it. */
  readonly isInWork: boolean;
  /** Wallets that were queued before and nobody is at. */
  readonly ahead: number;
}

/** The queue as a whole. */
export interface QueueSummary {
  readonly waiting: number;
  readonly inWork: number;
  /** Of those that wait: not before a later moment. */
  readonly resting: number;
  readonly oldestQueuedAtMs: number | null;
}

/**
 * The queue of wallets that processes on one store work off together: each wallet is rated by one
 * of them. A claim is good for WALLET_CLAIM_MS after it was taken or renewed, by the store's own
 * clock. All reject as every change of a store does; false: the wallet is not ours any more, and
 * nothing was written.
 */
export interface WalletClaims {
  /** Queues a wallet unless it is; null: so many rows are there already. */
  enter(row: WalletRow, rowsMax: number): Promise<QueuePosition | null>;
  /** Returns where a wallet stands; null: it is not queued. */
  positionOf(wallet: WalletAddress): Promise<QueuePosition | null>;
  /**
   * Takes up to `limit` wallets that nobody is at, whose time has come and that were queued by that
   * moment, first what was queued first. A wallet that was queued later than now, or rests longer
   * than any can, was queued or given back by a clock that was ahead: it is taken as well.
   */
  take(
    owner: string,
    limit: number,
    times: { readonly nowMs: number; readonly queuedUntilMs: number },
  ): Promise<readonly TakenWallet[]>;
  /** Renews an owner's claims of these wallets, and returns those that are still its own. */
  renew(owner: string, wallets: readonly WalletAddress[]): Promise<readonly WalletAddress[]>;
  /** Gives all wallets of an owner to whoever takes them. */
  release(owner: string): Promise<void>;
  summary(nowMs: number): Promise<QueueSummary>;

  /** Keeps the row of a claimed wallet. */
  keep(claim: WalletClaim, row: WalletRow): Promise<boolean>;
  /** Keeps its row, and gives it to whoever takes it when its time has come. */
  giveBack(claim: WalletClaim, row: WalletRow): Promise<boolean>;
  /** Keeps its rating and takes it out of the queue, in one transaction. */
  finish(claim: WalletClaim, stored: StoredRating): Promise<boolean>;
  /** Takes it out of the queue. */
  remove(claim: WalletClaim): Promise<boolean>;
}

export interface TakenWallet {
  readonly claim: WalletClaim;
  /** null: it cannot be read, and the wallet is all that is known. */
  readonly row: WalletRow | null;
}

/** The longest rest of a wallet after a failure. */
export const WALLET_REST_MS_MAX = 900_000;

/** How long a claim is good after it was taken or renewed. */
export const WALLET_CLAIM_MS = 15_000;

/** Ratings that several processes share, with their queue and what they count together. */
export interface SharedRatings extends RatingsStore {
  readonly claims: WalletClaims;
  readonly limits: SharedLimits;
}
