import { OTHER_CATEGORY, SCORE_EVENTS, type ScoreCell, type ScoreDay } from '#domain/scoreboard/score-day';
import { HORIZONS, SCORED_SIZES, SCORED_VERDICTS } from '#domain/scoreboard/score-key';
import { RATINGS_VERSION, readRatingRow } from './rating-rows.js';
import { malformedRow } from './row-fields.js';
import type { RowReader } from './row-reader.js';

/** Numbers of a group in a row: which it is, the orders priced again, and each event. */
const GROUP_WIDTH = 2 + SCORE_EVENTS.length;
const SIZES = SCORED_SIZES.map(String) as `${(typeof SCORED_SIZES)[number]}`[];

/**
 * Returns the stored form of a day: its cells in one list, the counts of a cell's groups and bins
 * one behind the other.
 */
export function encodeScoreDay({ passes, skipped, missed, cells }: ScoreDay): unknown {
  return [RATINGS_VERSION, passes, skipped, missed, cells.length, cells.map(encodeCell)];
}

function encodeCell({ verdict, usd, horizon, category, worstMicros, unseen, groups, bins }: ScoreCell): unknown {
  const counts = [...groups].flatMap(([group, of]) => [group, ...of]);
  return [verdict, String(usd), horizon, category, worstMicros, unseen, counts, [...bins].flat()];
}

/** Returns a day from its stored form, or throws the error that names the row. */
export function decodeScoreDay(key: string, raw: unknown, day: string): ScoreDay {
  const read = readRatingRow(key, raw, 6);
  const about = { passes: read.count('passes'), skipped: read.count('skipped'), missed: read.count('missed') };
  const count = read.count('cells');
  const listed = read.inner('cells', count);
  const cells: ScoreCell[] = [];
  for (let at = 0; at < count; at++) cells.push(decodeCell(key, listed.inner(`cells.${at}`, 8)));
  return { day, ...about, cells };
}

function decodeCell(key: string, read: RowReader): ScoreCell {
  return {
    verdict: read.oneOf(SCORED_VERDICTS, 'verdict'),
    usd: read.oneOf(SIZES, 'usd') === '100' ? 100 : 1_000,
    horizon: read.oneOf(HORIZONS, 'horizon'),
    category: read.text('category') || OTHER_CATEGORY,
    worstMicros: read.count('worstMicros'),
    unseen: read.count('unseen'),
    groups: new Map(split(key, read.counts('groups'), GROUP_WIDTH).map(([group, ...of]) => [group!, of])),
    bins: new Map(split(key, read.counts('bins'), 2).map(([bin, of]) => [bin!, of!])),
  };
}

function split(key: string, counts: readonly number[], width: number): readonly (readonly number[])[] {
  if (counts.length % width !== 0) throw malformedRow(key, `${counts.length} counts are no multiple of ${width}`);
  return Array.from({ length: counts.length / width }, (_, at) => counts.slice(at * width, (at + 1) * width));
}
