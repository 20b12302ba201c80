import type { FollowUp } from '#api/follow-up';
import { SCOREBOARD_METHOD, type Scoreboard, type ScoreboardRow } from '#api/scoreboard';
import { seedOf } from '#domain/scoreboard/draw';
import type { Interval } from '#domain/scoreboard/intervals';
import type { ScoreDay } from '#domain/scoreboard/score-day';
import { HORIZONS, SCORED_VERDICTS } from '#domain/scoreboard/score-key';
import { countsOf, type ScoreRate, type ScoreRow, toScoreTable } from '#domain/scoreboard/score-table';

type Series = Scoreboard['series'];

/** What a report is about, beside the counts. */
export interface ReportSpan {
  readonly isOn: boolean;
  readonly from: string;
  readonly to: string;
  readonly series: Series;
  /** Absent: of a single day. */
  readonly followUp?: FollowUp;
}

/** Returns the answer of GET /scoreboard.json for counts of one day or of several together. */
export function toScoreboard(counts: ScoreDay, { isOn, from, to, series, followUp }: ReportSpan): Scoreboard {
  return {
    ...{ is_on: isOn, from, to, method: SCOREBOARD_METHOD, seed: seedOf(to) },
    ...{ draws: counts.passes, draws_skipped: counts.skipped, orders_missed: counts.missed },
    rows: toScoreTable(counts).map(toRow),
    series,
    ...(followUp === undefined ? {} : { follow_up: followUp }),
  };
}

/** Returns what the series says of a day. */
export function seriesOf(day: ScoreDay): Series {
  return SCORED_VERDICTS.flatMap((verdict) =>
    HORIZONS.flatMap((horizon) => {
      const veto = countsOf(day, verdict, horizon, 'veto');
      const worse = countsOf(day, verdict, horizon, 'worse3');
      if (veto.n === 0) return [];
      return [{ day: day.day, verdict, horizon, n: veto.n, became_veto: veto.hits, worse_3c: worse.hits }];
    }),
  );
}

/** Returns an interval with six decimals. */
export function toPair({ low, high }: Interval): [number, number] {
  return [rounded(low), rounded(high)];
}

export function rounded(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

function toRow({ rates, groups, worstCents, medianCents, p95Cents, ...row }: ScoreRow): ScoreboardRow {
  const rate = (found: ScoreRate | undefined) =>
    found === undefined
      ? null
      : {
          hits: found.hits,
          rate: rounded(found.rate),
          ci95: toPair(found.wilson),
          ci95_clustered: found.clustered === null ? null : toPair(found.clustered),
        };
  return {
    ...row,
    market_groups: groups,
    became_veto: rate(rates?.veto),
    became_caution: rate(rates?.caution),
    worse_1c: rate(rates?.worse1),
    worse_3c: rate(rates?.worse3),
    worse_10c: rate(rates?.worse10),
    book_gone: rate(rates?.gone),
    median_cents: medianCents,
    p95_cents: p95Cents,
    worst_cents: worstCents,
  };
}
