import { LRUCache } from 'lru-cache';
import {
  asyncScheduler,
  EMPTY,
  exhaustMap,
  filter,
  merge,
  type Observable,
  type SchedulerLike,
  Subscription,
  share,
  tap,
  throttleTime,
  timer,
} from 'rxjs';
import { contentOf } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import type { Log } from '#ports/log';
import type { Tape } from '#ports/tape';
import type { TradeSource } from '#ports/trade-source';
import type { UpstreamHealth } from '#ports/venue';
import type { TradeHint } from '#streams/trade-hints';
import type { Clock } from '#system/clock';
import { lruOptions } from '../lru-options.js';
import { backfillTrades } from './backfill.js';
import { createFeedHealth } from './feed-health.js';
import type { TapeMarkets } from './markets.js';
import { LIVE_JOB } from './recorded-gaps.js';

export interface TapeRecorderDeps {
  readonly tape: Pick<Tape, 'addFills' | 'addRows' | 'progressOf' | 'saveProgress'>;
  readonly source: TradeSource;
  readonly markets: TapeMarkets;
  /** The live feed; null if there is none. */
  readonly hints: Observable<TradeHint> | null;
  readonly clock: Clock;
  readonly log: Log;
  /** How far back trades are wanted, from the start of the service. */
  readonly lookbackS: number;
  /**
   * Whether the clock can be believed: one that is ahead would claim trades that are still to come;
   * absent: always.
   */
  readonly isTimeKnown?: () => boolean;
  /** How often the venue is asked where no hint comes. */
  readonly intervalMs?: number;
  /** A hint brings the next round forward, but rounds that hints call for stay this far apart. */
  readonly soonerMs?: number;
  readonly scheduler?: SchedulerLike;
}

/** How the recorder stands, for /status.json. */
interface TapeRecorderReport {
  /** When a round last went through; null before the first. */
  readonly lastOkAtMs: number | null;
  readonly lastError: string | null;
  /** The newest trade that was recorded, in seconds; null before the first. */
  readonly lastFillS: number | null;
  /** Stretches of time whose trades are still being fetched, or of which rows could not be read. */
  readonly gapsOpen: number;
  readonly fills: number;
  /** Rows that were no trades, or could not be read. */
  readonly skipped: number;
  readonly hints: number;
  /** How often the live feed was away. */
  readonly feedGaps: number;
  readonly feed: UpstreamHealth;
}

export interface TapeRecorder {
  start(): void;
  /** Ends after the page that is under way. */
  stop(): Promise<void>;
  /** Resolves when the first round at a known time has ended, whatever became of it. */
  readonly begun: Promise<void>;
  /**
   * One round now; the rounds of `start` do the same. Never rejects: the report says what went
   * wrong.
   */
  round(): Promise<void>;
  report(): TapeRecorderReport;
}

const INTERVAL_MS = 30_000;
const SOONER_MS = 5_000;
/**
 * Of one round: half a million trades, so that markets get their turn; the rest waits for the next
 * round.
 */
const PAGES_PER_ROUND = 500;
const CONDITIONS_PER_ROUND = 2_000;
const TIME_UNKNOWN = 'the time is not confirmed: nothing is recorded until two clocks agree';
/** Trades of the last minute are asked for twice: those that are in already are known by these. */
const SEEN_FILLS_MAX = 100_000;

/**
 * Returns what keeps the tape up to the minute: it asks the Data API, sooner on hints of the live
 * feed, and fills holes.
 */
export function createTapeRecorder(deps: TapeRecorderDeps): TapeRecorder {
  const { tape, source, markets, clock, log, scheduler = asyncScheduler, isTimeKnown = () => true } = deps;
  const nowS = () => Math.floor(clock.nowMs() / 1_000);
  /** null: no round was made at a known time yet. */
  let sinceS: number | null = null;
  const seen = new LRUCache<string, true>(lruOptions(SEEN_FILLS_MAX));
  const stopping = new AbortController();
  const running = new Subscription();
  const feed = createFeedHealth(clock);
  let report: Omit<TapeRecorderReport, 'feed'> = {
    lastOkAtMs: null,
    lastError: null,
    lastFillS: null,
    gapsOpen: 0,
    fills: 0,
    skipped: 0,
    hints: 0,
    feedGaps: 0,
  };
  let inFlight: Promise<void> = Promise.resolve();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });

  function onAdded(fills: readonly Fill[]): void {
    for (const fill of fills) seen.set(keyOf(fill), true);
    const lastFillS = fills.reduce((last, { timeS }) => Math.max(last, timeS), report.lastFillS ?? 0);
    if (fills.length > 0) report = { ...report, lastFillS, fills: report.fills + fills.length };
  }

  async function record(): Promise<void> {
    const { signal } = stopping;
    const isStored = (fill: Fill) => seen.has(keyOf(fill));
    sinceS ??= nowS() - deps.lookbackS;
    const span = { fromS: sinceS, toS: nowS() };
    const options = { job: LIVE_JOB, pagesMax: PAGES_PER_ROUND, signal, isStored, onAdded };
    const { open, lost, skipped } = await backfillTrades({ tape, source, clock }, { kind: 'feed' }, span, options);
    report = { ...report, gapsOpen: open + lost, skipped: report.skipped + skipped };
    await markets.refresh({ conditionsMax: CONDITIONS_PER_ROUND, signal });
  }

  function round(): Promise<void> {
    inFlight = roundOnce();
    return inFlight;
  }

  async function roundOnce(): Promise<void> {
    try {
      // Any answer of the venue also says what time it is: this one is for its date alone.
      if (!isTimeKnown()) await source.fetchTrades(null);
      if (!isTimeKnown()) throw new Error(TIME_UNKNOWN);
      await record();
      report = { ...report, lastOkAtMs: clock.nowMs(), lastError: null };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report = { ...report, lastError: reason };
      log.warn({ reason }, 'trades not recorded; will be tried again in the next round');
    }
    if (isTimeKnown()) begin();
  }

  function receive(hint: TradeHint): void {
    feed.receive(hint);
    if (hint.kind === 'traded') report = { ...report, hints: report.hints + 1 };
    if (hint.kind === 'gap') report = { ...report, feedGaps: report.feedGaps + 1 };
  }

  return {
    start() {
      const hints = (deps.hints ?? EMPTY).pipe(
        tap(receive),
        filter(({ kind }) => kind === 'traded'),
        share(),
      );
      const sooner = hints.pipe(
        throttleTime(deps.soonerMs ?? SOONER_MS, scheduler, { leading: false, trailing: true }),
      );
      const regular = timer(0, deps.intervalMs ?? INTERVAL_MS, scheduler);
      running.add(merge(regular, sooner).pipe(exhaustMap(round)).subscribe());
    },
    async stop() {
      stopping.abort();
      running.unsubscribe();
      await inFlight;
    },
    begun,
    round,
    report: () => ({ ...report, feed: feed.health() }),
  };
}

/**
 * What makes a fill itself (docs/ratings.md, "Repeats"), for sources that give no place in the
 * block.
 */
function keyOf(fill: Fill): string {
  return `${contentOf(fill)} ${fill.occurrence ?? 0}`;
}
