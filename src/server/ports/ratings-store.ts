import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { TapeWallet, WalletAddress } from '#domain/ids';
import type { Rating, RatingVerdict } from '#domain/rating/rating';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { EdgePrior } from '#domain/rating/strength/edge-prior';
import type { SecondsSpan } from '#domain/rating/unseen';
import type { BasisStore } from './basis-store.js';
import type { FollowStore } from './follow-store.js';
import type { JobHold, JobLeases } from './job-leases.js';
import type { ScoreStore } from './score-store.js';
import type { Cursor, RowsPage } from './store.js';

/** One nightly run that succeeded. The newest one is in force. */
export interface Board {
  /** Grows with every run. */
  readonly run: number;
  readonly asOfS: number;
  readonly computedAtMs: number;
  readonly config: string;
  /** From this second on the tape holds all trades, but for the gaps; before it nobody looked. */
  readonly tapeStartS: number | null;
  /** Stretches of time of which trades are missing, oldest first; absent: none that are known. */
  readonly gaps?: readonly SecondsSpan[];
  readonly walletsSeen: number;
  readonly walletsByVerdict: Readonly<Record<RatingVerdict, number>>;
  /** COPY verdicts that the same rules gave on outcomes drawn by chance. */
  readonly placeboCopies: number;
  /** Wallets in the order of the list. */
  readonly leaderboard: readonly TapeWallet[];
  readonly redList: readonly TapeWallet[];
  /**
   * How the edges of its wallets are spread, for marks on demand; absent: of too few wallets to
   * tell.
   */
  readonly edgePrior?: EdgePrior;
}

/** What a verdict was on one day. It never changes, and goes when it is old. */
export interface VerdictRecord {
  readonly asOfS: number;
  readonly verdict: RatingVerdict;
  readonly reason: Rating['reason'];
  readonly config: string;
}

/** What a look at a page of verdicts removed, and where the next one begins. */
export interface TrimmedPage {
  readonly removed: number;
  readonly next: Cursor;
}

/** How the last nightly run went. */
export interface RunReport {
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly error: string | null;
}

/** A wallet whose rating is being made or could not be made, as it survives a restart. */
export interface WalletRow {
  readonly wallet: WalletAddress;
  readonly state: 'QUEUED' | 'PROFILING' | 'FAILED';
  readonly queuedAtMs: number;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Not before this moment. */
  readonly nextAttemptAtMs: number;
  readonly lastError: string | null;
}

/** A page of the wallets in work. */
export interface WalletRowsPage {
  readonly items: readonly WalletRow[];
  readonly next: Cursor;
  /** Wallets whose rows are there and cannot be read, and why; absent if there are none. */
  readonly malformed?: readonly { readonly wallet: WalletAddress; readonly error: Error }[];
}

/** A verdict of a run that is or was in force. */
export interface PastVerdict extends VerdictRecord {
  readonly wallet: TapeWallet;
  readonly run: number;
}

/**
 * What is kept of ratings, kind by kind, at most `limit` per page, for those who check, copy or
 * export it; also while others write. What stays is in one page; what comes or goes meanwhile may
 * be.
 */
export interface RatingsListing {
  /** Of the run in force or being made, by wallet; nothing where the run is not kept any more. */
  runRatings(run: number, from: Cursor, limit: number): Promise<RowsPage<StoredRating>>;
  demandRatings(from: Cursor, limit: number): Promise<RowsPage<StoredRating>>;
  /** Of all wallets, every run. */
  verdicts(from: Cursor, limit: number): Promise<RowsPage<PastVerdict>>;
}

/**
 * Durable ratings. What is written is on disk when the promise resolves. Processes may share them;
 * what one has written the others see at once, but for the board and its ratings, which an engine
 * may keep for five seconds. Every method rejects with an OutsideError.
 */
export interface RatingsStore {
  board(): Promise<Board | null>;
  /** The newest run that began to keep ratings, in force or not; 0: none did. Older ones are refused. */
  newestRun(): Promise<number>;
  /** Keeps ratings of a run that is not in force yet. */
  putBoardRatings(run: number, ratings: readonly StoredRating[]): Promise<void>;
  /**
   * Puts a run in force, at once and whole, appends its verdicts to the history, then forgets the
   * ratings of earlier runs. Rejects where a newer run has begun, and where `hold` is given and the
   * job is in other hands by now; then nothing has changed. `followed` is kept in the same
   * transaction, unless a board of its moment is kept already: that one was there first, and nobody
   * may choose another by what came after.
   */
  publish(board: Board, hold?: JobHold, followed?: FollowedBoard): Promise<void>;
  /** The wallet's rating in the run in force; null if it has none there. */
  boardRating(wallet: TapeWallet): Promise<StoredRating | null>;
  /** Verdicts of a wallet, newest first. */
  history(wallet: TapeWallet, limit: number): Promise<readonly VerdictRecord[]>;
  /**
   * Looks at up to `limit` verdicts of histories from the cursor on, and removes those of before
   * this second. One of which it cannot be told is left.
   */
  trimHistory(beforeS: number, from: Cursor, limit: number): Promise<TrimmedPage>;

  /** Ratings made on demand, newest as-of per wallet. */
  demandRating(wallet: TapeWallet): Promise<StoredRating | null>;
  /** Keeps the rating and removes the wallet's row, in one transaction. */
  putDemandRating(rating: StoredRating): Promise<void>;

  walletRow(wallet: WalletAddress): Promise<WalletRow | null>;
  putWalletRow(row: WalletRow): Promise<void>;
  removeWalletRow(wallet: WalletAddress): Promise<void>;
  /** One row that cannot be read does not hide the others. */
  walletRows(from: Cursor, limit: number): Promise<WalletRowsPage>;

  /** How long a rating on demand took on the average, in milliseconds; null: none was made yet. */
  profileMeanMs(): Promise<number | null>;
  putProfileMeanMs(meanMs: number): Promise<void>;

  runReport(): Promise<RunReport | null>;
  putRunReport(report: RunReport): Promise<void>;
  readonly listing: RatingsListing;

  /** Who does what only one process does at a time. */
  readonly jobs: JobLeases;
  /** The days of the scoreboard; unlike most else here they cannot be made again. */
  readonly scores: ScoreStore;
  /** What ratings were computed from. */
  readonly bases: BasisStore;
  /** The boards whose COPY wallets are followed; like the days of the scoreboard they cannot be made again. */
  readonly follows: FollowStore;
  close(): Promise<void>;
}
