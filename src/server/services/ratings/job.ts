import { Problem } from '#domain/errors';
import type { RatingVerdict } from '#domain/rating/rating';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { ratingWindows } from '#domain/rating/rating-windows';
import { seenWindow } from '#domain/rating/seen-window';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { EdgePrior } from '#domain/rating/strength/edge-prior';
import { strengthOf } from '#domain/rating/strength/strength';
import { isAllSeen, type SecondsSpan } from '#domain/rating/unseen';
import { isoDay } from '#domain/time';
import type { JobHold } from '#ports/job-leases';
import type { Log } from '#ports/log';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { Tape, TapeProgress } from '#ports/tape';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { HeldJob, JobOwner } from '../jobs/job-owner.js';
import { BoardDraft } from './board-draft.js';
import { ratingConfigHash } from './config-hash.js';
import { followUpBoards } from './follow-up.js';
import { NamesCursor } from './names-cursor.js';
import { PLACEBO_SEED } from './placebo-seed.js';
import { rateSeen, type View } from './rate-seen.js';
import { storeBases } from './store-bases.js';

/** Ratings written in one transaction. */
const RATINGS_PER_WRITE = 500;
/** Some in 10,000 wallets are COPY; what is above gets no second mark. */
const COPIES_HELD_MAX = 10_000;
/**
 * Run numbers are the clock's milliseconds with room for this many processes that begin within one.
 */
const RUNS_PER_MS = 1_000;

export interface RatingJobDeps {
  readonly store: RatingsStore;
  readonly tape: Pick<Tape, 'compact' | 'rateAll' | 'outcomes' | 'names' | 'status' | 'fillsOf' | 'marketsOf'>;
  readonly jobs: Pick<JobOwner, 'doAlone'>;
  /** Fetches what markets became since the last run, into the tape. */
  readonly refreshMarkets: (signal?: AbortSignal) => Promise<void>;
  /** Stretches of time of which trades are known to be missing from the tape. */
  readonly gapsOf: (span: SecondsSpan) => Promise<readonly SecondsSpan[]>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly config: RatingConfig;
}

export interface RunOptions {
  readonly progress?: TapeProgress;
  /** Makes no board of a moment whose board, or a later one, is in force. */
  readonly onlyIfDue?: boolean;
  /** Puts the board in force although one of a later moment is. */
  readonly replaceLater?: boolean;
  /**
   * Gives the run up between two batches; the last board stays in force, and it counts as no
   * failure.
   */
  readonly signal?: AbortSignal;
}

export type RunOutcome =
  | { readonly kind: 'published'; readonly board: Board }
  /** Nothing was due: another process has made the board. */
  | { readonly kind: 'in_force'; readonly board: Board }
  /** This process or another one is rating already. */
  | { readonly kind: 'busy' };

/**
 * Rates the whole tape at one moment and puts the board in force, at once and whole. A run that
 * fails leaves the last board in force. Of the processes on a store one rates at a time; if one was
 * taken for dead and goes on all the same, the store refuses its board.
 */
export class RatingJob {
  readonly #deps: RatingJobDeps;
  readonly #hash: string;
  #running = false;

  constructor(deps: RatingJobDeps) {
    this.#deps = deps;
    this.#hash = ratingConfigHash(deps.config);
  }

  /**
   * Rejects with the OutsideError of tape or store, or a Problem where a later board is in force or
   * the tape is empty.
   */
  async run(asOfS: number, options: RunOptions = {}): Promise<RunOutcome> {
    if (this.#running) return { kind: 'busy' };
    this.#running = true;
    try {
      const done = await this.#deps.jobs.doAlone('night', (held) => this.#report(asOfS, options, held));
      return done.kind === 'busy' ? done : done.value;
    } finally {
      this.#running = false;
    }
  }

  /** Records in the store how the run goes. What cannot be recorded does not stop it. */
  async #report(asOfS: number, options: RunOptions, held: HeldJob): Promise<RunOutcome> {
    const { store, clock, log } = this.#deps;
    const inForce = await store.board();
    const counts = boardThatCounts(inForce, clock);
    if (options.onlyIfDue && counts !== null && counts.asOfS >= asOfS) return { kind: 'in_force', board: counts };
    // A refusal, reported to the caller: it says nothing about how the board stands.
    if (counts !== null && counts.asOfS > asOfS && !options.replaceLater) throw laterBoard(counts);
    const startedAtMs = clock.nowMs();
    const report = (error: string | null, endedAtMs: number | null) =>
      store.putRunReport({ startedAtMs, endedAtMs, error }).catch(() => undefined);
    await report(null, null);
    try {
      const signal = options.signal === undefined ? held.signal : AbortSignal.any([options.signal, held.signal]);
      const board = await this.#rate({ asOfS, inForce, hold: held.hold }, { ...options, signal });
      await report(null, clock.nowMs());
      log.info({ run: board.run, asOfS, wallets: board.walletsSeen, ...board.walletsByVerdict }, 'board in force');
      await this.#followUp(asOfS, held.hold, { ...options, signal });
      return { kind: 'published', board };
    } catch (error) {
      // The report is of whoever has the job.
      if (options.signal?.aborted || !(await held.isOurs())) throw error;
      await report(error instanceof Error ? error.message : String(error), clock.nowMs());
      throw error;
    }
  }

  async #rate({ asOfS, inForce, hold }: Order, { progress, signal }: RunOptions): Promise<Board> {
    const { store, tape, config, clock, log } = this.#deps;
    await this.#deps.refreshMarkets(signal);
    signal?.throwIfAborted();
    const { firstFillS } = await tape.status();
    if (firstFillS === null) throw emptyTape();
    await tape.compact(asOfS, progress);
    // From its number on a run keeps older ones out, so that none is taken where the job is lost.
    signal?.throwIfAborted();
    const run = this.#nextRun(inForce, await store.newestRun());
    const windows = ratingWindows(asOfS, config);
    const gaps = await this.#deps.gapsOf({ fromS: windows.fromS, toS: asOfS - 1 });
    const seen = seenWindow(firstFillS, gaps, windows);
    const draft = new BoardDraft(config);
    const copies: Copied[] = [];
    const received = progress === undefined ? {} : { progress };
    const names = new NamesCursor(tape.names());
    try {
      for await (const sums of tape.rateAll(asOfS, config, received)) {
        const copied = await this.#keep({ run, names, windows, seen }, sums, draft);
        copies.push(...copied.slice(0, COPIES_HELD_MAX - copies.length));
        signal?.throwIfAborted();
      }
    } finally {
      await names.end();
    }
    const edgePrior = draft.edgePrior();
    await this.#markStrong(run, copies, edgePrior);
    const placeboCopies = await this.#countPlaceboCopies({ windows, seen }, received, signal);
    const facts = {
      run,
      asOfS,
      computedAtMs: clock.nowMs(),
      config: this.#hash,
      tapeStartS: seen.startS,
      placeboCopies,
      ...(seen.gaps.length === 0 ? {} : { gaps: seen.gaps }),
      ...(edgePrior === null ? {} : { edgePrior }),
    };
    const board: Board = { ...facts, ...draft.lists() };
    await storeBases({ bases: store.bases, tape, config, log }, { board, listed: draft.listed() }, signal);
    await store.publish(board, hold, draft.followed(board) ?? undefined);
    return board;
  }

  /**
   * Counts what became of the boards of before. It comes after the new board, and cannot hold it up:
   * what fails is done by the next night.
   */
  async #followUp(knownS: number, hold: JobHold, { progress, signal }: RunOptions): Promise<void> {
    const { store, tape, gapsOf, config, log } = this.#deps;
    const received = { ...(progress === undefined ? {} : { progress }), ...(signal === undefined ? {} : { signal }) };
    try {
      await followUpBoards({ follows: store.follows, tape, gapsOf, config, log }, { knownS, hold, ...received });
    } catch (err) {
      if (signal?.aborted) return;
      log.error({ err }, 'earlier boards could not be followed up; the next night does it');
    }
  }

  /** Returns those that are COPY. */
  async #keep(
    { run, names: all, ...view }: Draft,
    sums: readonly RatingSums[],
    draft: BoardDraft,
  ): Promise<readonly Copied[]> {
    const copies: Copied[] = [];
    const { store, clock, config } = this.#deps;
    const names = await all.of(sums.map(({ wallet }) => wallet));
    for (let at = 0; at < sums.length; at += RATINGS_PER_WRITE) {
      const own = sums.slice(at, at + RATINGS_PER_WRITE);
      const rated = own.map((wallet) => rateSeen(wallet, view, config));
      const computedAtMs = clock.nowMs();
      const stored = rated.map(
        ({ rating, unseen }): StoredRating => ({
          rating,
          name: names.get(rating.wallet) ?? null,
          computedAtMs,
          config: this.#hash,
          ...(isAllSeen(unseen) ? {} : { unseen }),
        }),
      );
      await store.putBoardRatings(run, stored);
      draft.add(
        rated.map(({ rating }) => rating),
        own,
      );
      copies.push(
        ...stored.flatMap((one, i) => (one.rating.verdict === 'COPY' ? [{ stored: one, sums: own[i]! }] : [])),
      );
    }
    return copies;
  }

  /**
   * Only when all wallets were seen is it known how edges are spread. COPY are few, so they are
   * held until then.
   */
  async #markStrong(run: number, copies: readonly Copied[], prior: EdgePrior | null): Promise<void> {
    const { store, config } = this.#deps;
    const strong = copies.flatMap(({ stored, sums }): readonly StoredRating[] => {
      const strength = strengthOf(stored.rating, sums, prior, config);
      return strength === null ? [] : [{ ...stored, strength }];
    });
    for (let at = 0; at < strong.length; at += RATINGS_PER_WRITE) {
      await store.putBoardRatings(run, strong.slice(at, at + RATINGS_PER_WRITE));
    }
  }

  /**
   * How many COPY the same rules give where every outcome is drawn by chance: an estimate of the
   * luck on the real list.
   */
  async #countPlaceboCopies(
    view: View,
    received: { readonly progress?: TapeProgress },
    signal?: AbortSignal,
  ): Promise<number> {
    const { tape, config } = this.#deps;
    const copy: RatingVerdict = 'COPY';
    let copies = 0;
    for await (const sums of tape.rateAll(view.windows.asOfS, config, { placeboSeed: PLACEBO_SEED, ...received })) {
      copies += sums.filter((wallet) => rateSeen(wallet, view, config).rating.verdict === copy).length;
      signal?.throwIfAborted();
    }
    return copies;
  }

  /**
   * Grows with time, also if processes that know nothing of each other begin runs. A run that came
   * to nothing may have been of a clock that was ahead; its number keeps nobody from rating.
   */
  #nextRun(inForce: Board | null, newestRun: number): number {
    const { clock, random } = this.#deps;
    const byTime = clock.nowMs() * RUNS_PER_MS + Math.floor(random.next() * RUNS_PER_MS);
    return Math.max(byTime, newestRun + 1, (inForce?.run ?? 0) + 1);
  }
}

/**
 * Returns the board in force unless it is of a moment that has not come: a clock that was wrong made
 * it, and it keeps nobody from making the one that is due.
 */
export function boardThatCounts(board: Board | null, clock: Pick<Clock, 'nowMs'>): Board | null {
  return board !== null && board.asOfS * 1e3 > clock.nowMs() ? null : board;
}

/** Which board is made, after which one, and by whom. */
interface Order {
  readonly asOfS: number;
  readonly inForce: Board | null;
  readonly hold: JobHold;
}

/** A wallet rated COPY, and what that was made of. */
interface Copied {
  readonly stored: StoredRating;
  readonly sums: RatingSums;
}

/** What is kept, under which number and with which names. */
interface Draft extends View {
  readonly run: number;
  readonly names: NamesCursor;
}

function laterBoard(board: Board): Problem {
  const day = isoDay(board.asOfS);
  const text = `The board of ${day} is in force; to put an earlier one in its place: preflightctl ratings run --replace.`;
  return new Problem('invalid_parameter', text);
}

function emptyTape(): Problem {
  return new Problem(
    'invalid_parameter',
    'The tape is empty. Fill it first: preflightctl tape backfill, or tape import.',
  );
}
