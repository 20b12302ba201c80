import type { TapeWallet } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { SecondsSpan } from '#domain/rating/unseen';
import type { TokenOutcomes } from './chain-trades.js';

/** A wallet's public display name, as the venue last gave it. */
export interface WalletName {
  readonly wallet: TapeWallet;
  readonly name: string;
}

/** The tables beside the fills; a newer row of a market or wallet counts before an older one. */
export interface TapeRows {
  readonly markets: TapeMarket;
  readonly names: WalletName;
}

/** What the tape holds. Times in seconds; null while it is empty. */
export interface TapeStatus {
  readonly fills: number;
  readonly segments: number;
  readonly markets: number;
  readonly marketsResolved: number;
  readonly firstFillS: number | null;
  readonly lastFillS: number | null;
  readonly bytes: number;
  /** The fills of this day and before lie sorted by wallet; null before the first compaction. */
  readonly compactedThroughDay: string | null;
}

/** One thing that is wrong with the tape: which file, and what. */
export interface TapeFault {
  readonly file: string;
  readonly fault: string;
}

/** What to import. */
export interface CsvImport {
  readonly fills: string;
  readonly markets: string;
  /** Times after the day that follows this moment are refused. */
  readonly nowS: number;
  /** Takes the place of what was imported from files of this name. */
  readonly replace?: string;
  /** Nothing is written: only what would be. */
  readonly isDry?: boolean;
}

/** What an import added, or would add. */
export interface ImportReport {
  readonly fills: number;
  /** The same file was imported before: it stays one import. */
  readonly isRepeated: boolean;
  /**
   * Fills, and conditions of market rows, of the imports that are taken back; what others told too
   * stays.
   */
  readonly fillsReplaced: number;
  readonly marketsReplaced: number;
  readonly markets: number;
  /** Times of the oldest and the newest fill, in seconds; null if there are no fills. */
  readonly firstFillS: number | null;
  readonly lastFillS: number | null;
  /** Markets among them that the tape knew before; what is said of them now counts. */
  readonly marketsKnown: number;
}

/** What copying some entries brought. */
interface OutcomeTally {
  readonly entries: number;
  /** Of these: settled, and their scheduled end has passed. */
  readonly scored: number;
  /**
   * Of the scored ones: what a staked dollar returned each, after slippage and fees, in
   * nano-dollars.
   */
  readonly returnFeeNano: number;
}

/** Which first entries are looked at. */
export interface OutcomeSpan {
  readonly fromS: number;
  readonly toS: number;
  readonly knownS: number;
  /** Of these alone; absent: of all. */
  readonly wallets?: readonly TapeWallet[];
}

/** The first entries of a wallet in one event, of one day of some span of time. */
export interface OutcomeSums {
  readonly wallet: TapeWallet;
  /** A name of the event that is the same for all wallets. */
  readonly event: string;
  /** Midnight UTC, when the day of the entries begins. */
  readonly dayS: number;
  readonly all: OutcomeTally;
  /** Those that pass the leaderboard filter. */
  readonly filtered: OutcomeTally;
}

/** Research data sets of the venue's past that an import reads, as Parquet (docs/history.md). */
export type HistoryFormat = 'polymarket-users' | 'orderfilled';

/**
 * Where the tokens and markets of a history are described: the two tables of `polymarket-users`.
 */
export interface HistoryTables {
  readonly predictions: string;
  readonly markets: string;
}

/** What to take into the tape from files of past trades. */
export interface HistoryImport {
  readonly format: HistoryFormat;
  /** Paths, or patterns with `*`, `?` and `**`. */
  readonly files: readonly string[];
  /**
   * Who says which market a token is of: the tables, which also bring the markets, or somebody to
   * ask.
   */
  readonly tokens: { readonly tables: HistoryTables } | { readonly outcomes: TokenOutcomes };
  /** Times after the day that follows this moment are refused. */
  readonly nowS: number;
  /** Nothing is written: only what would be. */
  readonly isDry?: boolean;
  /** Rows that are read and kept together: what is held in memory, and what a kill costs. */
  readonly rowsPerPart?: number;
  /** Ends the import after the part that is in work. */
  readonly signal?: AbortSignal;
}

/** What a history added, or would add, beyond what earlier runs of the import had. */
export interface HistoryReport {
  readonly files: number;
  /** Of these: those that an earlier run had imported whole. */
  readonly filesKnown: number;
  /** Of the files, without what earlier runs had read. */
  readonly rows: number;
  readonly fills: number;
  /** Rows of tokens that no market is known for, or one of more than two outcomes. */
  readonly unknownTokens: number;
  /** Rows that are no order of a wallet, or too small to have a price. */
  readonly notTrades: number;
  readonly markets: number;
  /** Markets with a winner of which it is not said since when: their entries stay pending. */
  readonly marketsUndated: number;
  /** Stretches of time of which all imports of this format brought everybody's trades. */
  readonly whole: readonly SecondsSpan[];
  /** Whether all files are in. */
  readonly isComplete: boolean;
}

/**
 * A long step of the tape, reported while it goes on: how much of how much, in the step's own unit.
 */
export type TapeProgress = (step: string, done: number, all: number) => void;

/**
 * The columnar trade tape: fills in segments by day, markets with the first scheduled end and the
 * latest resolution ever seen. What is added is on disk, whole or not at all, when the promise
 * resolves; adding a segment again under its name replaces it, so every step may be repeated after
 * a crash. Several processes may read while one adds. Every method rejects with an OutsideError.
 */
export interface Tape {
  /**
   * `segment` names where the fills came from (letters, digits, "-", "_", "."). Fills may repeat
   * fills of other segments.
   */
  addFills(segment: string, fills: readonly Fill[]): Promise<void>;
  addRows<Table extends keyof TapeRows>(table: Table, rows: readonly TapeRows[Table][]): Promise<void>;
  /**
   * Imports CSV (or .csv.gz) files with the columns of a tape export. Rejects, naming row, column
   * and value, where they do not fit; then nothing was added. Two files of one name are two
   * imports, and the same file again is the same one. An imported market stands over an earlier
   * import of it. With `replace` everything is compacted as well, and all of it happens or nothing
   * does.
   */
  importCsv(order: CsvImport, progress?: TapeProgress): Promise<ImportReport>;
  /**
   * The stretches of time of the CSV imports that were not taken back, each from its oldest to its
   * newest fill.
   */
  importedSpans(): Promise<readonly SecondsSpan[]>;
  /**
   * Imports a data set in Parquet, piece by piece. Rejects, naming the file, if it lacks a column
   * or a row cannot be read; what was imported before stays, and the same import goes on after it.
   * A file is known by its digest: the same file again adds nothing.
   */
  importHistory(order: HistoryImport, progress?: TapeProgress): Promise<HistoryReport>;
  /** Sorts the fills of whole past days by wallet, token and time, without repeats. */
  compact(beforeS: number, progress?: TapeProgress): Promise<void>;

  fillsOf(wallet: TapeWallet): Promise<readonly Fill[]>;
  marketsOf(conditions: readonly string[]): Promise<ReadonlyMap<string, TapeMarket>>;
  namesOf(wallets: readonly TapeWallet[]): Promise<ReadonlyMap<TapeWallet, string>>;
  /** The name of every wallet that has one, in batches, by wallet. */
  names(): AsyncIterable<readonly WalletName[]>;
  /** Conditions of fills that no market row describes. */
  unknownConditions(limit: number): Promise<readonly string[]>;
  /**
   * Markets without a confirmed payout whose scheduled end has passed (or that have none), those
   * with the newest fills first.
   */
  unresolvedConditions(nowS: number, limit: number): Promise<readonly string[]>;

  /**
   * Sums of every wallet with an in-scope first entry in the window, in batches, by wallet. With
   * `placeboSeed` every payout is drawn anew from the entry prices instead (docs/ratings.md,
   * "Placebo board").
   */
  rateAll(
    asOfS: number,
    config: RatingConfig,
    options?: { readonly placeboSeed?: number; readonly progress?: TapeProgress },
  ): AsyncIterable<readonly RatingSums[]>;

  /**
   * What became of the first entries from `fromS` to before `toS`, as far as it was known at
   * `knownS`, in batches, by wallet, event and day. Entries are first over the whole tape.
   */
  outcomes(span: OutcomeSpan, config: RatingConfig, progress?: TapeProgress): AsyncIterable<readonly OutcomeSums[]>;

  /** Where a resumable job stopped: JSON that only the job understands; null: never begun. */
  progressOf(job: string): Promise<unknown>;
  saveProgress(job: string, progress: unknown): Promise<void>;

  status(): Promise<TapeStatus>;
  /** Reads everything and returns what is wrong. */
  verify(progress?: TapeProgress): Promise<readonly TapeFault[]>;
  close(): Promise<void>;
}
