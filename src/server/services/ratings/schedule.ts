import { type Backoff, backoffMs } from '#domain/backoff';
import { asOfOf } from '#domain/rating/rating-windows';
import { DAY_S } from '#domain/time';
import type { Log } from '#ports/log';
import type { Board, RatingsStore, RunReport } from '#ports/ratings-store';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';
import { boardThatCounts, type RatingJob } from './job.js';

/**
 * The nightly run begins at 03:00 UTC, so that it is done by 04:30 (docs/interface-wallets.md,
 * "Profile refresh").
 */
const RUN_AT_S = 3 * 3_600;
/** Waits after a run that failed. */
const RETRY: Backoff = { minMs: 60_000, maxMs: 900_000 };
/**
 * The clock is looked at this often: a machine that slept, or whose clock was set, is late by no
 * more.
 */
const POLL_INTERVAL_MS_MAX = 600_000;
/**
 * A board that is due and another process's business is looked for this often: its process may die.
 */
const STANDBY_LOOK_MS = 10_000;

export interface RatingScheduleDeps {
  readonly store: Pick<RatingsStore, 'board' | 'runReport'>;
  readonly job: Pick<RatingJob, 'run'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly timers: Timers;
  /** Whether the clock can be believed: no board is made by one that may be wrong; absent: always. */
  readonly isTimeKnown?: () => boolean;
  /** Whether this process should make a board that is due; absent: always. */
  readonly isForUs?: (due: DueBoard) => Promise<boolean>;
}

/** A board that is due, and the one in force. */
export interface DueBoard {
  readonly board: Board | null;
  readonly dueS: number;
  /** How long it has been due. */
  readonly lateMs: number;
}

/** How the board stands, for /status.json. */
export interface ScheduleReport {
  readonly boardAsOfS: number | null;
  readonly lastRun: RunReport | null;
  readonly failuresInARow: number;
  readonly nextLookAtMs: number | null;
}

/**
 * Sees to it that the board in force is the one that is due: once a night, at the start where it is
 * old, and again after failures.
 */
export class RatingSchedule {
  readonly #deps: RatingScheduleDeps;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  #nextLookAtMs: number | null = null;

  constructor(deps: RatingScheduleDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#lookAgainAndAgain();
  }

  /**
   * Begins nothing more, and gives up a run that is under way: the last board stays in force, and
   * the next start rates anew. Resolves when it has ended.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /**
   * When it is looked next whether a board is due, or when it was, while a run is under way; null
   * before the start.
   */
  get nextLookAtMs(): number | null {
    return this.#nextLookAtMs;
  }

  async report(): Promise<ScheduleReport> {
    const [board, lastRun] = await Promise.all([this.#deps.store.board(), this.#deps.store.runReport()]);
    return {
      boardAsOfS: board?.asOfS ?? null,
      lastRun,
      failuresInARow: this.#failures,
      nextLookAtMs: this.#nextLookAtMs,
    };
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { clock, timers } = this.#deps;
    const { signal } = this.#stopping;
    let waitMs = 0;
    while (!signal.aborted) {
      this.#nextLookAtMs = clock.nowMs() + waitMs;
      await timers.sleep(waitMs, signal);
      if (!signal.aborted) waitMs = await this.#look(signal);
    }
  }

  /** Rates if a board is due, and returns after how many milliseconds to look again. */
  async #look(signal: AbortSignal): Promise<number> {
    const { store, clock, isTimeKnown } = this.#deps;
    if (isTimeKnown?.() === false) return STANDBY_LOOK_MS;
    try {
      const dueS = lastDueAsOf(clock.nowMs());
      const board = boardThatCounts(await store.board(), clock);
      const isDue = board === null || board.asOfS < dueS;
      if (isDue && !(await this.#rate(dueS, board, signal))) return STANDBY_LOOK_MS;
      this.#failures = 0;
      return Math.min(POLL_INTERVAL_MS_MAX, msToNextRun(clock.nowMs()));
    } catch (err) {
      return signal.aborted ? 0 : this.#noteFailure(err);
    }
  }

  /**
   * Returns whether the board that is due is in force; false: it is for another process to make, so
   * far.
   */
  async #rate(dueS: number, board: Board | null, signal: AbortSignal): Promise<boolean> {
    const { job, clock, isForUs } = this.#deps;
    const lateMs = clock.nowMs() - (dueS + RUN_AT_S) * 1e3;
    if (isForUs !== undefined && !(await isForUs({ board, dueS, lateMs }))) return false;
    return (await job.run(dueS, { signal, onlyIfDue: true })).kind !== 'busy';
  }

  #noteFailure(err: unknown): number {
    const retryInMs = backoffMs(RETRY, this.#failures, this.#deps.random.next());
    this.#failures++;
    this.#deps.log.error(
      { err, failuresInARow: this.#failures, retryInMs },
      'rating run failed; the last board stays in force',
    );
    return retryInMs;
  }
}

/**
 * Returns the moment of the board that should be in force: today's from 03:00 UTC on, before that
 * yesterday's.
 */
export function lastDueAsOf(nowMs: number): number {
  return asOfOf(Math.floor(nowMs / 1e3) - RUN_AT_S);
}

function msToNextRun(nowMs: number): number {
  return (lastDueAsOf(nowMs) + DAY_S + RUN_AT_S) * 1e3 - nowMs;
}
