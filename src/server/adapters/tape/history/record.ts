import type { SecondsSpan } from '#domain/rating/unseen';
import { mergeSpans, missingSpans, type Span } from '#domain/time-spans';
import type { HistoryFormat } from '#ports/tape';
import type { TapeFolder } from '../files/folder.js';
import { readProgress, saveProgress } from '../files/progress.js';

const JOB = 'history';

/** How far a file is in. */
export interface FileRecord {
  readonly name: string;
  readonly format: HistoryFormat;
  /** Who said where its tokens belong. */
  readonly tables: string;
  /** Rows before this one are in the tape. */
  readonly nextRow: number;
  readonly isWhole: boolean;
  /** Times of its oldest and newest row, in seconds. */
  readonly firstS: number;
  readonly lastS: number;
  /**
   * Seconds with rows whose tokens nobody could place, but might one day: their trades are not all
   * in the tape. Absent: none.
   */
  readonly unplaced?: readonly Span[];
}

/** Beyond, what lies between is given up as well. */
const UNPLACED_MAX = 256;

/** Returns the seconds that were not whole before, or are not since. */
export function withUnplaced(before: readonly Span[], seconds: readonly number[]): readonly Span[] {
  const spans = mergeSpans([...before, ...seconds.map((second) => ({ from: second, to: second }))]);
  const [newest, oldest] = [spans[0], spans.at(-1)];
  if (spans.length <= UNPLACED_MAX || newest === undefined || oldest === undefined) return spans;
  return [{ from: oldest.from, to: newest.to }];
}

/**
 * What was imported of histories, by all runs: files by their digests, and the tables that were
 * imported last.
 */
export interface HistoryRecord {
  readonly tables: string | null;
  readonly files: Readonly<Record<string, FileRecord>>;
}

export async function readRecord(dir: string): Promise<HistoryRecord> {
  return ((await readProgress(dir, JOB)) as HistoryRecord | null) ?? { tables: null, files: {} };
}

export function saveRecord(folder: TapeFolder, record: HistoryRecord): Promise<void> {
  return saveProgress(folder, JOB, record);
}

/** Files of days that follow each other leave less than this between their trades. */
const BETWEEN_FILES_S = 86_400;

/**
 * Returns the stretches of time of which whole files brought the trades, oldest first; a day
 * without its file is a gap.
 */
export function wholeSpansOf({ files }: HistoryRecord, format: HistoryFormat): readonly SecondsSpan[] {
  const spans: SecondsSpan[] = [];
  const own = Object.values(files).filter((file) => file.format === format && file.isWhole && file.nextRow > 0);
  for (const { firstS, lastS } of own.toSorted((a, b) => a.firstS - b.firstS)) {
    const last = spans.at(-1);
    if (last === undefined || firstS - last.toS > BETWEEN_FILES_S) spans.push({ fromS: firstS, toS: lastS });
    else spans[spans.length - 1] = { fromS: last.fromS, toS: Math.max(last.toS, lastS) };
  }
  const holes = own.flatMap(({ unplaced = [] }) => unplaced);
  return spans.flatMap(({ fromS, toS }) =>
    missingSpans({ from: fromS, to: toS }, holes)
      .toReversed()
      .map(({ from, to }) => ({ fromS: from, toS: to })),
  );
}
