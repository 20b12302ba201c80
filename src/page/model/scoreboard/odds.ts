import type { Scoreboard, ScoreboardRow } from '#api/scoreboard';
import { roundUp } from '../round-up.js';
import { partText } from '../texts.js';

/** A share with its interval, and where they are drawn: from 0 to 1 of the width. */
interface OddsLine {
  readonly name: string;
  readonly text: string;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** Lines on one axis. */
export interface Odds {
  readonly lines: readonly OddsLine[];
  /** The right end of the axis, in words. */
  readonly end: string;
}

const ALL = 'all';
/** The shortest axis. */
const LEAST_END = 0.005;

/** Returns the rows of all fee categories together, by verdict, size and horizon. */
export function wholeRows({ rows }: Scoreboard): readonly ScoreboardRow[] {
  const order = (row: ScoreboardRow) => [row.verdict === 'OK' ? 0 : 1, row.usd, horizonOrder(row)] as const;
  return rows
    .filter(({ category, n }) => category === ALL && n > 0)
    .toSorted((a, b) => {
      const [one, other] = [order(a), order(b)];
      return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
    });
}

/** Returns how often orders would have filled three cents worse, as lines on one axis. */
export function oddsOf(rows: readonly ScoreboardRow[]): Odds {
  const shown = rows.flatMap((row) => {
    if (row.worse_3c === null) return [];
    const { rate, ci95, ci95_clustered: clustered } = row.worse_3c;
    const [low, high] = clustered ?? ci95;
    const text = `${partText(rate)} (${partText(low)} to ${partText(high)}) of ${row.n.toLocaleString('en-US')}`;
    return [{ name: nameOf(row), text, at: rate, low, high }];
  });
  const end = roundUp(Math.max(LEAST_END, ...shown.map(({ high }) => high)));
  const lines = shown.map((line) => ({ ...line, at: line.at / end, low: line.low / end, high: line.high / end }));
  return { lines, end: partText(end) };
}

/** A day of the picture: its share of the highest, from 0 to 1; and in words. */
export interface OddsDay {
  readonly day: string;
  readonly height: number;
  readonly text: string;
}

/** Returns how often an OK became three cents worse within ten seconds, day by day. */
export function daysOf({ series }: Scoreboard): readonly OddsDay[] {
  const days = series
    .filter(({ verdict, horizon, n }) => verdict === 'OK' && horizon === '10' && n > 0)
    .map(({ day, n, worse_3c: worse }) => ({ day, share: worse / n, n }));
  const top = Math.max(...days.map(({ share }) => share));
  return days.map(({ day, share, n }) => ({
    day,
    height: top > 0 ? share / top : 0,
    text: `${day}: ${partText(share)} of ${n.toLocaleString('en-US')}`,
  }));
}

/** Returns what a row is about, in words. */
export function nameOf({ verdict, usd, horizon }: Pick<ScoreboardRow, 'verdict' | 'usd' | 'horizon'>): string {
  const when = horizon === 'delay' ? 'matching delay' : `${horizon} s`;
  return `${verdict}, ${usd.toLocaleString('en-US')} USD, ${when}`;
}

function horizonOrder({ horizon }: ScoreboardRow): number {
  return horizon === 'delay' ? Number.POSITIVE_INFINITY : Number(horizon);
}
