import type { Account, LedgerEntry } from '#domain/credits/credits';
import type { Promo, Redemption } from '#domain/credits/promo';
import type { TokenSet } from '#domain/credits/token';
import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { Exposure } from '#domain/payment/proof';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { ScoreDay } from '#domain/scoreboard/score-day';
import type { StoredBasis } from './basis-store.js';
import type { Board, PastVerdict, WalletRow } from './ratings-store.js';
import type { Cursor, ProvenTransfer, StoredAnswer } from './store.js';

/** What was given out on the word of a facilitator, or to a wallet: one of the two is null. */
export interface ExposureRow {
  readonly facilitator: string | null;
  readonly wallet: string | null;
  readonly exposure: Exposure;
}

/** The kinds of rows that a copy is made of. */
export interface CopiedRows {
  readonly promos: Promo;
  readonly redemptions: Redemption;
  readonly accounts: Account;
  readonly entries: LedgerEntry;
  readonly tokens: TokenSet;
  readonly answers: StoredAnswer;
  readonly payments: PaymentRow;
  readonly transfers: ProvenTransfer;
  readonly exposures: ExposureRow;
  readonly board: Board;
  readonly boardRatings: StoredRating & { readonly run: number };
  readonly verdicts: PastVerdict;
  readonly demandRatings: StoredRating;
  readonly walletRows: WalletRow;
  readonly scoreDays: ScoreDay;
  readonly bases: StoredBasis;
  readonly followedBoards: FollowedBoard;
}

export type CopiedKind = keyof CopiedRows;

/**
 * How far a copy has come: of these kinds all is there, and of the next one what lies before the
 * cursor.
 */
export interface CopyProgress {
  /** Names what is copied: it goes on from the same source only. */
  readonly source: string;
  /** When it began: answers that had expired by then are left out. */
  readonly startedAtMs: number;
  readonly done: readonly CopiedKind[];
  readonly from: Cursor;
}

/**
 * The other side of a copy: an empty store, in which nobody works until it is finished. Rejects
 * with an Error that says in one sentence what is wrong.
 */
export interface CopyTarget {
  /**
   * Marks the store as being copied into and returns how far an interrupted copy of the same source
   * has come. Rejects where anything else is in the store, or somebody is at work on it.
   */
  begin(fresh: CopyProgress): Promise<CopyProgress>;
  /** Writes rows, and how far the copy has come with them, in one transaction. */
  put<Kind extends CopiedKind>(kind: Kind, rows: readonly CopiedRows[Kind][], progress: CopyProgress): Promise<void>;
  /** Removes the mark. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
