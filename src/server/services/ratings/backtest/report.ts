import { type ClusteredMean, clusteredMean } from '#domain/rating/clustered-mean';
import type { RatingConfig } from '#domain/rating/rating-config';
import { DAY_S } from '#domain/time';
import type { BacktestDay } from './day.js';
import { GROUPS } from './groups.js';

/** What following a group brought, on one date or on all of them. */
export interface BacktestRow {
  readonly group: string;
  /** On all dates: the mean per date. */
  readonly wallets: number;
  /** Scored entries after the leaderboard filter, and the mean return of each staked dollar. */
  readonly result: ClusteredMean;
  /** Entries after the leaderboard filter that cannot be scored yet. */
  readonly pending: number;
  /** The same of every first entry. */
  readonly allEntries: number;
  readonly allRoi: number | null;
  /**
   * Of the COPY of dates that have another date about a month later: how many there are, and which
   * part of them is COPY then.
   */
  readonly copiesAMonthAgo: number | null;
  readonly stillCopy: number | null;
}

interface BacktestDate {
  readonly asOfS: number;
  readonly toS: number;
  readonly tapeStartS: number;
  readonly verdicts: BacktestDay['verdicts'];
  readonly placeboCopies: number;
  readonly rows: readonly BacktestRow[];
}

export interface BacktestReport {
  /** Results are those that were known at this moment. */
  readonly knownS: number;
  readonly config: string;
  readonly dates: readonly BacktestDate[];
  /** Over all dates; an event that lies in several is one. */
  readonly total: readonly BacktestRow[];
  /** Whether all dates are in it. */
  readonly isComplete: boolean;
}

/** Returns the rows of each date and of all. */
export function reportOf(days: readonly BacktestDay[], config: RatingConfig): Pick<BacktestReport, 'dates' | 'total'> {
  const still = stillCopies(days, config);
  return {
    dates: days.map((day, i) => ({
      ...{ asOfS: day.asOfS, toS: day.toS, tapeStartS: day.tapeStartS },
      ...{ verdicts: day.verdicts, placeboCopies: day.placeboCopies },
      rows: GROUPS.map((_, group) => toRow([day], group, group === COPY_GROUP ? [still[i]!] : [], config)),
    })),
    total: GROUPS.map((_, group) => toRow(days, group, group === COPY_GROUP ? still : [], config)),
  };
}

const COPY_GROUP = GROUPS.indexOf('COPY');

/**
 * How many COPY of a date were still COPY a month later, and of how many; null if there is no date
 * by then.
 */
type Still = { readonly of: number; readonly still: number } | null;

function stillCopies(days: readonly BacktestDay[], config: RatingConfig): readonly Still[] {
  return days.map((day) => {
    const later = aMonthAfter(day, days, config);
    if (later === null) return null;
    const then = new Set(later.copies);
    return { of: day.copies.length, still: day.copies.filter((wallet) => then.has(wallet)).length };
  });
}

/**
 * The date that lies nearest to a month later: with a date a week that is the fourth, 28 days
 * after.
 */
function aMonthAfter(day: BacktestDay, days: readonly BacktestDay[], config: RatingConfig): BacktestDay | null {
  const off = ({ asOfS }: BacktestDay) => Math.abs(asOfS - day.asOfS - config.monthDays * DAY_S);
  const [nearest] = days.filter(({ asOfS }) => asOfS > day.asOfS).sort((a, b) => off(a) - off(b));
  return nearest !== undefined && 2 * off(nearest) <= nearest.everyS ? nearest : null;
}

function toRow(
  days: readonly BacktestDay[],
  group: number,
  still: readonly Still[],
  config: RatingConfig,
): BacktestRow {
  const own = days.map(({ groups }) => groups[group]!);
  const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((all, one) => all + of(one), 0);
  const events = new Map<string, { scored: number; returnFeeNano: number }>();
  for (const [event, scored, returnFeeNano] of own.flatMap((one) => one.events)) {
    const before = events.get(event) ?? { scored: 0, returnFeeNano: 0 };
    events.set(event, { scored: before.scored + scored, returnFeeNano: before.returnFeeNano + returnFeeNano });
  }
  const result = clusteredMean([...events.values()], config.intervalZ);
  const allScored = sum(({ all }) => all.scored);
  const existing = still.filter((one) => one !== null);
  const copies = existing.reduce((all, one) => all + one.of, 0);
  return {
    group: GROUPS[group]!,
    wallets: days.length === 0 ? 0 : sum(({ wallets }) => wallets) / days.length,
    result,
    pending: sum(({ entries }) => entries) - result.entries,
    allEntries: sum(({ all }) => all.entries),
    allRoi: allScored === 0 ? null : sum(({ all }) => all.returnFeeNano) / 1e9 / allScored,
    copiesAMonthAgo: existing.length === 0 ? null : copies,
    stillCopy: copies === 0 ? null : existing.reduce((all, one) => all + one.still, 0) / copies,
  };
}
