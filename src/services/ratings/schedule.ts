import { asOfOf, DAY_S } from '#domain/rating/rating-windows';
import type { Clock } from '#ports/clock';
import type { Log } from '#ports/log';
import type { Random } from '#ports/random';
import type { RatingsStore, RunReport } from '#ports/ratings-store';
import type { RatingJob } from './job.js';

/** The nightly run begins at 03:00 UTC, so that it is done by 04:30 (interface, "Profile refresh"). */
export const RUN_AT_S = 3 * 3_600;
/** The first and the longest wait after a run that failed; half of each is by chance. */
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 900_000;
/** The clock is looked at this often: a machine that slept, or whose clock was set, is late by no more. */
const LOOK_EVERY_MS_MAX = 600_000;

/** Runs something once, after so many milliseconds. Returns what cancels it. */
export type Timer = (run: () => void, ms: number) => () => void;

/** The timer of the process; it does not keep it alive. */
export const processTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface RatingScheduleDeps {
  readonly store: Pick<RatingsStore, 'board' | 'runReport'>;
  readonly job: Pick<RatingJob, 'run'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly timer: Timer;
}

/** How the board stands, for /status.json. */
export interface ScheduleReport {
  readonly boardAsOfS: number | null;
  readonly lastRun: RunReport | null;
  readonly failuresInARow: number;
  readonly nextLookAtMs: number | null;
}

/** Sees to it that the board in force is the one that is due: once a night, at the start where it is old, and again after failures. */
export class RatingSchedule {
  #cancel: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #failures = 0;
  #nextLookAtMs: number | null = null;
  readonly #stopping = new AbortController();

  constructor(private readonly deps: RatingScheduleDeps) {}

  start(): void {
    this.#lookIn(0);
  }

  /** Begins nothing more, and gives up a run that is under way: the last board stays in force, and the next start rates anew. */
  stop(): void {
    this.#stopping.abort();
    this.#cancel();
  }

  /** Resolves when what is under way has ended. */
  async idle(): Promise<void> {
    while (this.#looking !== null) await this.#looking;
  }

  async report(): Promise<ScheduleReport> {
    const [board, lastRun] = await Promise.all([this.deps.store.board(), this.deps.store.runReport()]);
    return {
      boardAsOfS: board?.asOfS ?? null,
      lastRun,
      failuresInARow: this.#failures,
      nextLookAtMs: this.#nextLookAtMs,
    };
  }

  #lookIn(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#nextLookAtMs = this.deps.clock.nowMs() + ms;
    this.#cancel = this.deps.timer(() => {
      this.#looking = this.#look().finally(() => {
        this.#looking = null;
      });
    }, ms);
  }

  async #look(): Promise<void> {
    const { store, job, clock, log } = this.deps;
    try {
      const dueS = lastDueAsOf(clock.nowMs());
      const board = await store.board();
      if (board === null || board.asOfS < dueS) await job.run(dueS, { signal: this.#stopping.signal });
      this.#failures = 0;
      this.#lookIn(Math.min(LOOK_EVERY_MS_MAX, msToNextRun(clock.nowMs())));
    } catch (err) {
      if (this.#stopping.signal.aborted) return;
      this.#failures++;
      const ms = this.#retryMs();
      log.error(
        { err, failuresInARow: this.#failures, retryInMs: ms },
        'rating run failed; the last board stays in force',
      );
      this.#lookIn(ms);
    }
  }

  #retryMs(): number {
    const ceiling = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** Math.min(this.#failures - 1, 10));
    return Math.round(ceiling / 2 + (ceiling / 2) * this.deps.random.next());
  }
}

/** Returns the moment of the board that should be in force: today's from 03:00 UTC on, before that yesterday's. */
export function lastDueAsOf(nowMs: number): number {
  return asOfOf(Math.floor(nowMs / 1e3) - RUN_AT_S);
}

function msToNextRun(nowMs: number): number {
  return (lastDueAsOf(nowMs) + DAY_S + RUN_AT_S) * 1e3 - nowMs;
}
