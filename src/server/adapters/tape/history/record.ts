import type { SecondsSpan } from '#domain/rating/unseen';
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
  readonly unplaced?: readonly SecondsSpan[];
}

/** Beyond, what lies between is given up as well. */
const UNPLACED_MAX = 256;

/** Returns the spans of seconds that were not whole before, or are not since; oldest first. */
export function withUnplaced(before: readonly SecondsSpan[], seconds: readonly number[]): readonly SecondsSpan[] {
  const spans: SecondsSpan[] = [];
  const all = [...before, ...seconds.map((second) => ({ fromS: second, toS: second }))];
  for (const span of all.toSorted((a, b) => a.fromS - b.fromS)) {
    const last = spans.at(-1);
    if (last === undefined || span.fromS > last.toS + 1) spans.push(span);
    else spans[spans.length - 1] = { fromS: last.fromS, toS: Math.max(last.toS, span.toS) };
  }
  const [first, last] = [spans[0], spans.at(-1)];
  const isTooMany = spans.length > UNPLACED_MAX;
  return isTooMany && first !== undefined && last !== undefined ? [{ fromS: first.fromS, toS: last.toS }] : spans;
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
  return own.flatMap(({ unplaced = [] }) => unplaced).reduce(without, spans);
}

function without(spans: readonly SecondsSpan[], hole: SecondsSpan): readonly SecondsSpan[] {
  return spans.flatMap(({ fromS, toS }) =>
    [
      { fromS, toS: Math.min(toS, hole.fromS - 1) },
      { fromS: Math.max(fromS, hole.toS + 1), toS },
    ].filter((left) => left.fromS <= left.toS),
  );
}
