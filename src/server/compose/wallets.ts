import { connectRtds } from '#adapters/polymarket/rtds';
import { lazyTape } from '#adapters/tape/lazy-tape';
import type { Config } from '#config/config';
import { backoffMs } from '#domain/backoff';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import type { SecondsSpan } from '#domain/rating/unseen';
import { LIMITED_ADDRESSES_MAX, QUEUE_LIMIT } from '#http/limits/limits';
import { createRateLimiter } from '#http/limits/rate-limit';
import { withShared } from '#http/limits/shared-limiter';
import type { CrashPoints } from '#ports/crash-point';
import type { JobName } from '#ports/job-leases';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { SharedLimits } from '#ports/shared-limits';
import type { Upstream } from '#ports/venue';
import { JobOwner } from '#services/jobs/job-owner';
import { boardThatCounts, RatingJob } from '#services/ratings/job';
import { type DueBoard, RatingSchedule } from '#services/ratings/schedule';
import { holdsAllListed } from '#services/tape/all-listed';
import { createTapeMarkets, refreshForBoard } from '#services/tape/markets';
import { recordedGaps } from '#services/tape/recorded-gaps';
import { createTapeRecorder, type TapeRecorder } from '#services/tape/recorder';
import type { BelievedTime } from '#services/time/believed-clock';
import { oldVerdicts, startTrimmer } from '#services/trimmer';
import { WalletLists } from '#services/wallets/lists';
import { createWalletEvidence, type WalletEvidenceOf } from '#services/wallets/wallet-evidence';
import { WalletSchedule } from '#services/wallets/wallet-schedule';
import { Wallets } from '#services/wallets/wallets';
import { withTimeout } from '#services/with-timeout';
import { steadyScheduler } from '#streams/steady-scheduler';
import { TRADE_BACKOFF, tradeHints$ } from '#streams/trade-hints';
import { crashingRatings, crashingTape } from './crashing.js';
import type { EvidenceSigner } from './evidence.js';
import { openRatingsOf } from './ratings.js';
import type { System } from './system.js';
import { openTapeModule, openTapeSources } from './tape.js';

/**
 * How far back trades are recorded: the rating window, and a month in which first entries may lie
 * that make later ones repeats.
 */
const LOOKBACK_S = (RATING_CONFIG.windowDays + RATING_CONFIG.monthDays) * 86_400;

/**
 * How long a page or a batch that is under way may take to end when the service stops; then it is
 * lost, and fetched or made again.
 */
const STOP_WAIT_MS = 3_000;

/** How long the tape may take to close; its engine may be in the middle of a query. */
const CLOSE_WAIT_MS = 500;

/** Everything about wallets, wired and not yet at work. */
export interface WalletModule {
  readonly wallets: Wallets;
  readonly lists: WalletLists;
  readonly walletEvidenceOf: WalletEvidenceOf;
  readonly recorder: TapeRecorder;
  readonly ratings: RatingsStore;
  readonly upstreams: readonly Upstream[];
  /** Limits that all processes on the store count together; null: there is but this one. */
  readonly limits: SharedLimits | null;
  /** Whether a sweep of what is shared is for this process now. */
  readonly isLeader: () => Promise<boolean>;
  /** What only one of the processes on the store does at a time, and this one does. */
  readonly jobsHeld: () => readonly JobName[];
  /** When it is looked next whether a board is due. */
  readonly nextLookAtMs: () => number | null;
  /** Verdicts that were too old to keep, since the start. */
  readonly verdictsTrimmed: () => number;
  /**
   * Takes up queued wallets, begins to record trades, and rates the board once the first trades are
   * in.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface WalletDeps extends Pick<System, 'random' | 'timers' | 'log'> {
  readonly clock: BelievedTime;
  /** Recording begins when it has settled. */
  readonly history: Promise<void>;
  readonly signer: EvidenceSigner;
  /** null: nothing is armed. */
  readonly crash?: CrashPoints | null;
}

/** Wires tape, recorder, ratings and the queue of wallets. */
export async function composeWallets(
  config: Config,
  { clock, random, timers, log, history, signer, crash = null }: WalletDeps,
): Promise<WalletModule> {
  const ownTape = lazyTape(async () => (await openTapeModule(config.dataDir)).tape);
  const tape = crash === null ? ownTape : crashingTape(ownTape, crash);
  const { source, facts, upstreams } = openTapeSources(config.venue, clock);
  const { store: opened, claims, limits } = await openRatingsOf(config);
  const held = crash === null ? opened : crashingRatings(opened, crash);
  const counts = (board: Board | null) => (clock.isConfirmed ? boardThatCounts(board, clock) : board);
  const store = { ...held, board: async () => counts(await held.board()) };
  const markets = createTapeMarkets({ tape, facts, clock });
  const hints = tradeHints$(connectRtds(config.venue.rtdsUrl), {
    backoffMs: (failures) => backoffMs(TRADE_BACKOFF, failures, random.next()),
    scheduler: steadyScheduler(() => clock.elapsedMs()),
  });
  const isTimeKnown = () => clock.isConfirmed;
  const recorder = createTapeRecorder({ tape, source, markets, hints, clock, isTimeKnown, log, lookbackS: LOOKBACK_S });

  const ownCallers = createRateLimiter(QUEUE_LIMIT, LIMITED_ADDRESSES_MAX, clock);
  const callers = withShared(ownCallers, limits, { ...QUEUE_LIMIT, name: 'queue' });
  const nextLookAtMs = () => schedule.nextLookAtMs;
  const jobs = new JobOwner({ leases: store.jobs, stopwatch: clock, timers, random, log });
  const isLeader = () => jobs.isLeader('sweeper');
  const nowS = () => Math.floor(clock.nowMs() / 1e3);
  const gapsOf = (span: SecondsSpan) => recordedGaps(tape, span, nowS());
  const walletSchedule = new WalletSchedule({
    jobs: config.walletJobs,
    clock,
    config: RATING_CONFIG,
    holdsAllListed: (span) => holdsAllListed(tape, span, nowS()),
    holdsAll: async (span) =>
      (await gapsOf(span)).length === 0 && ((await tape.status()).firstFillS ?? span.toS) <= span.fromS,
  });
  const wallets = new Wallets({
    store,
    trades: source,
    facts,
    tape,
    clock,
    random,
    log,
    timers,
    config: RATING_CONFIG,
    nextLookAtMs,
    limitCaller: (caller) => callers.take(caller),
    ...(claims === null
      ? {}
      : { sharing: { claims, owner: jobs.id }, patienceMs: () => walletSchedule.walletPatienceMs() }),
  });
  const refreshMarkets = (signal?: AbortSignal) => refreshForBoard(markets, signal);
  const job = new RatingJob({
    store: held,
    jobs,
    tape,
    refreshMarkets,
    gapsOf,
    clock,
    random,
    log,
    config: RATING_CONFIG,
  });
  const isForUs = claims === null ? {} : { isForUs: (due: DueBoard) => walletSchedule.isNightOurs(due) };
  const schedule = new RatingSchedule({
    store: held,
    job,
    clock,
    isTimeKnown,
    random,
    log,
    timers,
    ...isForUs,
  });

  const trimmer = startTrimmer(oldVerdicts(store), {
    clock: clock.lapses,
    timers,
    isLeader,
    onError: (err) => log.error({ err }, 'old verdicts not removed'),
  });

  let stopped = false;
  /**
   * A board is worth making once there are trades; what fails before is reported elsewhere and does
   * not hold it up.
   */
  async function begin(): Promise<void> {
    await history.catch(() => undefined);
    if (stopped) return;
    recorder.start();
    await recorder.begun;
    if (!stopped) schedule.start();
  }
  return {
    wallets,
    lists: new WalletLists({ store, clock, nextLookAtMs }),
    walletEvidenceOf: createWalletEvidence({ ...signer, store, tape, config: RATING_CONFIG, log }),
    recorder,
    ratings: store,
    upstreams,
    limits,
    isLeader,
    jobsHeld: () => jobs.held,
    nextLookAtMs,
    verdictsTrimmed: () => trimmer.removed(),
    async start() {
      await wallets.resume();
      if (config.walletJobs !== 'off') void begin();
    },
    async stop() {
      stopped = true;
      const left = wallets.stop();
      trimmer.stop();
      const ended = Promise.all([schedule.stop(), recorder.stop()]);
      await withTimeout(ended, { timers, ms: STOP_WAIT_MS }, () => undefined);
      try {
        await withTimeout(tape.close(), { timers, ms: CLOSE_WAIT_MS }, () => undefined);
      } finally {
        await left;
        await jobs.end();
        await store.close();
      }
    },
  };
}
