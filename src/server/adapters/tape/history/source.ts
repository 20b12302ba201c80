import type { TokenOutcomes } from '#ports/chain-trades';
import type { TapeDatabase, TapeSession } from '../engine/database.js';
import type { Needed, ParquetFile, RowTest } from './parquet.js';

/** A piece of a file: rows `from` to before `to`. */
export interface Part {
  readonly file: ParquetFile;
  readonly from: number;
  readonly to: number;
}

/** What came of a piece, or of all pieces so far. */
export interface PartCounts {
  readonly rows: number;
  readonly fills: number;
  readonly unknownTokens: number;
  readonly notTrades: number;
}

export const NO_COUNTS: PartCounts = { rows: 0, fills: 0, unknownTokens: 0, notTrades: 0 };

export function addCounts(a: PartCounts, b: PartCounts): PartCounts {
  return {
    rows: a.rows + b.rows,
    fills: a.fills + b.fills,
    unknownTokens: a.unknownTokens + b.unknownTokens,
    notTrades: a.notTrades + b.notTrades,
  };
}

/** A piece that was read. */
interface PartRead extends PartCounts {
  /** Seconds of the rows of unknown tokens, which are in no table of fills; each once. */
  readonly unplacedS: readonly number[];
}

/** What a piece is read with. */
export interface PartTools {
  readonly database: TapeDatabase;
  readonly session: TapeSession;
  /** Who says where tokens belong. */
  readonly outcomes: TokenOutcomes;
}

/** One format of a history. */
export interface HistorySource {
  readonly needed: readonly Needed[];
  /** Column of the time of a row. */
  readonly time: string;
  /** Rows of a piece: what is held in memory, and what a kill costs. */
  readonly rowsPerPart: number;
  /**
   * Column whose rows belong together while they follow each other: no piece ends between them.
   * Absent: each row stands alone.
   */
  readonly order?: string;
  /** What the values of a file have to be, besides its times. */
  readonly tests: readonly RowTest[];
  /** Makes the table `history_fill` (the columns of a fill) of a piece. */
  readonly read: (tools: PartTools, part: Part) => Promise<PartRead>;
}

/** The table that a piece is read into. */
export const FILL_TABLE = 'history_fill';
