import { Problem } from '#domain/errors';
import type { RatingConfig } from '#domain/rating/rating-config';
import { asOfOf, ratingWindows } from '#domain/rating/rating-windows';
import type { SecondsSpan } from '#domain/rating/unseen';
import { isoDay } from '#domain/time';
import type { Tape, TapeProgress } from '#ports/tape';
import type { Clock } from '#system/clock';
import { ratingConfigHash } from '../config-hash.js';
import { type BacktestDay, DaySchema, playDay } from './day.js';
import { type BacktestReport, reportOf } from './report.js';

export interface BacktestDeps {
  readonly tape: Pick<Tape, 'compact' | 'rateAll' | 'outcomes' | 'status' | 'progressOf' | 'saveProgress'>;
  /** Stretches of time of which trades are known to be missing from the tape. */
  readonly gapsOf: (span: SecondsSpan) => Promise<readonly SecondsSpan[]>;
  readonly clock: Clock;
  readonly config: RatingConfig;
}

/** Dates from `fromS` to `toS`, both inclusive, each a midnight in UTC. */
export interface BacktestOrder {
  readonly fromS: number;
  readonly toS: number;
  readonly everyS: number;
}

export interface BacktestOptions {
  /** What is done of all, from 0 to 1, and the date that is in work. */
  readonly progress?: (part: number, asOfS: number, step: string) => void;
  /** Ends the run after the date that is in work. */
  readonly signal?: AbortSignal;
}

/** Dates of one run. */
const DATES_MAX = 1_000;
/** What one date goes through: rating, two passes for the placebo, and the results. */
const STEPS = ['rate', 'draw', 'rate', 'results'] as const;

/**
 * Rates a tape at each of some dates as it would have been rated then, and follows each group of
 * wallets until the next date (docs/history.md, "Backtest"). Each date is kept when it is done, and
 * taken from there by the next run as long as tape and rules are the same. Rejects with the
 * OutsideError of the tape, or a Problem if nothing can be tried.
 */
export async function runBacktest(
  deps: BacktestDeps,
  order: BacktestOrder,
  { progress, signal }: BacktestOptions = {},
): Promise<BacktestReport> {
  const { tape, clock, config } = deps;
  const nowS = Math.floor(clock.nowMs() / 1e3);
  await tape.compact(asOfOf(nowS));
  const status = await tape.status();
  const { firstFillS, lastFillS } = status;
  if (firstFillS === null || lastFillS === null) throw nothingToTry('the tape is empty');
  // What is after its last trade the tape may know in part: the markets that ended early.
  const knownS = asOfOf(Math.min(nowS, lastFillS));
  const dates = datesOf(order, knownS);
  if (dates.length === 0) throw nothingToTry(`the tape ends on ${isoDay(knownS)}; --from must lie before`);
  const { fills, markets, marketsResolved } = status;
  const hash = ratingConfigHash(config);
  const tapeNow = [fills, markets, marketsResolved, firstFillS, lastFillS];
  const fingerprint = [hash, order.everyS, knownS, ...tapeNow].join(' ');
  const days: BacktestDay[] = [];
  for (const [i, asOfS] of dates.entries()) {
    if (signal?.aborted) break;
    const report: TapeProgress = stepReporter((part, step) => progress?.((i + part) / dates.length, asOfS, step));
    const stored = await storedDay(deps, asOfS, fingerprint);
    days.push(stored ?? (await makeDay(deps, { order, asOfS, knownS, firstFillS, fingerprint }, report)));
    progress?.((i + 1) / dates.length, asOfS, 'done');
  }
  return { knownS, config: hash, ...reportOf(days, config), isComplete: days.length === dates.length };
}

function datesOf({ fromS, toS, everyS }: BacktestOrder, knownS: number): readonly number[] {
  const dates: number[] = [];
  for (let asOfS = fromS; asOfS <= toS && asOfS < knownS; asOfS += everyS) {
    if (dates.push(asOfS) > DATES_MAX)
      throw nothingToTry(`these are more than ${DATES_MAX} dates; use a longer --every`);
  }
  return dates;
}

interface DayOrder {
  readonly order: BacktestOrder;
  readonly asOfS: number;
  readonly knownS: number;
  readonly firstFillS: number;
  readonly fingerprint: string;
}

const jobOf = (asOfS: number) => `backtest-${isoDay(asOfS)}`;

async function storedDay({ tape }: BacktestDeps, asOfS: number, fingerprint: string): Promise<BacktestDay | null> {
  const stored = DaySchema.safeParse(await tape.progressOf(jobOf(asOfS))).data;
  return stored?.fingerprint === fingerprint ? stored : null;
}

async function makeDay(deps: BacktestDeps, day: DayOrder, report: TapeProgress): Promise<BacktestDay> {
  const { tape, config, gapsOf } = deps;
  const { asOfS, knownS, firstFillS, fingerprint, order } = day;
  const gaps = await gapsOf({ fromS: ratingWindows(asOfS, config).fromS, toS: asOfS - 1 });
  const span = { asOfS, everyS: order.everyS, knownS, firstFillS, gaps };
  const made = { fingerprint, ...(await playDay(deps, span, report)) };
  await tape.saveProgress(jobOf(asOfS), made);
  return made;
}

/** Returns what turns the progress of the steps, one after the other, into that of the date. */
function stepReporter(report: (part: number, step: string) => void): TapeProgress {
  let at = 0;
  return (step, done, all) => {
    while (at < STEPS.length - 1 && STEPS[at] !== step) at++;
    report((at + done / Math.max(1, all)) / STEPS.length, step);
    if (done === all && at < STEPS.length - 1) at++;
  };
}

function nothingToTry(why: string): Problem {
  return new Problem('invalid_parameter', `There is nothing to try: ${why}.`);
}
