import { LRUCache } from 'lru-cache';
import type { FollowUp } from '#api/follow-up';
import { OVERTAKEN_N_MIN, type Overtaken, type Scoreboard } from '#api/scoreboard';
import { dayAfter, type ScoreDay, ScoreTally } from '#domain/scoreboard/score-day';
import { type ScoredVerdict, type ScoreKey, scoreKeyText, sizeFor } from '#domain/scoreboard/score-key';
import { scoreRateOf } from '#domain/scoreboard/score-table';
import { isoDay } from '#domain/time';
import type { ScoreStore } from '#ports/score-store';
import type { Clock } from '#system/clock';
import { rounded, seriesOf, toPair, toScoreboard } from './report.js';

/** The days that are counted together. */
const WINDOW_DAYS = 30;
/** For orders on markets that are matched at once. */
const USUAL_HORIZON_S = 1;
const WORSE_CENTS = 3;
/** Most answers of `overtakenOf` that are kept until the counts change. */
const KNOWN_MAX = 2_000;
/** Most days whose reports are kept. */
const DAYS_CACHED_MAX = 16;

/** An order as it is looked up on the scoreboard. */
export interface OvertakenQuestion {
  readonly verdict: ScoredVerdict;
  readonly usd: number;
  readonly category: string;
  readonly matchingDelayS: number;
}

export interface ScoreViewDeps {
  readonly scores: Pick<ScoreStore, 'day'>;
  readonly clock: Clock;
  readonly isOn: boolean;
  /** What copying wallets came to. */
  readonly follow: { readonly report: FollowUp };
}

/**
 * What is shown of the scoreboard: the last 30 days. Today and yesterday change, the days before
 * are read once a day, one after the other.
 */
export class ScoreView {
  readonly #deps: ScoreViewDeps;
  /** The day that the view ends with. */
  #today: string;
  #past: readonly ScoreDay[] = [];
  #pastSeries: Scoreboard['series'] = [];
  #recent: readonly ScoreDay[] = [];
  #text: string | null = null;
  /** What of wallets is in `#text`. */
  #followUp: FollowUp | null = null;
  readonly #texts = new LRUCache<string, string>({ max: DAYS_CACHED_MAX });
  readonly #overtaken = new Map<string, Overtaken | null>();

  constructor(deps: ScoreViewDeps) {
    this.#deps = deps;
    this.#today = isoDay(deps.clock.nowMs() / 1e3);
  }

  /** Reads what the store has. Rejects where it cannot be read; then all is as before. */
  async refresh(): Promise<void> {
    const today = isoDay(this.#deps.clock.nowMs() / 1e3);
    if (today !== this.#today || this.#past.length === 0) await this.#readPast(today);
    const recent = await Promise.all([dayAfter(today, -1), today].map((day) => this.#deps.scores.day(day)));
    this.show(recent.filter((day) => day !== null));
  }

  /** Reads the days before once a new one has begun. */
  async refreshDay(today: string): Promise<void> {
    if (today !== this.#today) await this.refresh();
  }

  /** Shows these counts of today and yesterday, each whole, in place of those before. */
  show(days: readonly ScoreDay[]): void {
    const known = this.#recent.filter(({ day }) => !days.some((one) => one.day === day));
    this.#recent = [...known, ...days].filter(({ day }) => day >= dayAfter(this.#today, -1));
    this.#text = null;
    this.#overtaken.clear();
  }

  /** Returns the answer of GET /scoreboard.json as text, the same object until something changes. */
  text(): string {
    const followUp = this.#deps.follow.report;
    if (this.#text !== null && this.#followUp === followUp) return this.#text;
    this.#followUp = followUp;
    this.#text = JSON.stringify(this.#report(followUp));
    return this.#text;
  }

  /**
   * Returns the same of one day (like 2026-11-27), as the store has it; null: nothing was counted
   * then. Rejects where the store cannot be read.
   */
  async textOf(day: string): Promise<string | null> {
    const known = this.#texts.get(day);
    if (known !== undefined) return known;
    const counts = await this.#deps.scores.day(day);
    if (counts === null) return null;
    const span = { isOn: this.#deps.isOn, from: day, to: day, series: seriesOf(counts) };
    const text = JSON.stringify(toScoreboard(counts, span));
    // The last two may still change.
    if (day < dayAfter(isoDay(this.#deps.clock.nowMs() / 1e3), -1)) this.#texts.set(day, text);
    return text;
  }

  /** Returns what is said of orders like this one; null: there were too few. */
  overtakenOf({ verdict, usd, category, matchingDelayS }: OvertakenQuestion): Overtaken | null {
    const isDelayed = matchingDelayS > 0;
    const key: ScoreKey = { verdict, usd: sizeFor(usd), horizon: isDelayed ? 'delay' : '1', category };
    const text = `${scoreKeyText(key)}/${matchingDelayS}`;
    const known = this.#overtaken.get(text);
    if (known !== undefined) return known;
    const found = this.#lookUp(key, isDelayed ? matchingDelayS : USUAL_HORIZON_S);
    if (this.#overtaken.size >= KNOWN_MAX) this.#overtaken.clear();
    this.#overtaken.set(text, found);
    return found;
  }

  #lookUp(key: ScoreKey, horizonS: number): Overtaken | null {
    const wanted = scoreKeyText(key);
    const cells = this.#days.flatMap((day) => day.cells.filter((cell) => scoreKeyText(cell) === wanted));
    const rate = scoreRateOf(cells, 'worse3');
    if (rate === null || rate.n < OVERTAKEN_N_MIN) return null;
    const ci95 = toPair(rate.clustered ?? rate.wilson);
    return { horizon: horizonS, worse_by_cents: WORSE_CENTS, rate: rounded(rate.rate), ci95, n: rate.n };
  }

  /** What was counted in all, the days before yesterday put together. */
  get #days(): readonly ScoreDay[] {
    return [...this.#past, ...this.#recent];
  }

  #report(followUp: FollowUp): Scoreboard {
    const series = [...this.#pastSeries, ...this.#recent.flatMap(seriesOf)];
    return toScoreboard(new ScoreTally(this.#days).toDay(this.#today), {
      isOn: this.#deps.isOn,
      from: dayAfter(this.#today, 1 - WINDOW_DAYS),
      to: this.#today,
      series: series.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
      followUp,
    });
  }

  async #readPast(today: string): Promise<void> {
    const tally = new ScoreTally();
    const series: Scoreboard['series'] = [];
    for (let back = WINDOW_DAYS - 1; back >= 2; back--) {
      const day = await this.#deps.scores.day(dayAfter(today, -back));
      if (day === null) continue;
      tally.addDay(day);
      series.push(...seriesOf(day));
    }
    this.#past = [tally.toDay('')];
    this.#pastSeries = series;
    this.#today = today;
    this.#recent = [];
  }
}
