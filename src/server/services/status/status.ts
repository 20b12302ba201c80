import type { ComponentStatus, StatusReport } from '#api/status';
import { API_VERSION } from '#api/version';
import { OutsideError } from '#domain/errors';
import { nextRefreshS } from '#domain/rating/rating-windows';
import type { JobName } from '#ports/job-leases';
import type { Board, RatingsStore, RunReport } from '#ports/ratings-store';
import type { StoreLoad } from '#ports/store';
import type { UpstreamHealth } from '#ports/venue';
import type { Clock } from '#system/clock';
import type { Books } from '../books/books.js';
import type { FeedReport } from '../books/feed.js';
import type { Lease } from '../payments/lease.js';
import type { Payments } from '../payments/payments.js';
import type { ProofsReport } from '../payments/proofs.js';
import type { TapeRecorder } from '../tape/recorder.js';
import type { TimeReport } from '../time/believed-clock.js';
import type { Wallets } from '../wallets/wallets.js';
import type { Latency } from './latency.js';
import { degradedBy } from './rules.js';

export interface StatusDeps {
  readonly clock: Clock;
  readonly time: () => TimeReport;
  /** Never rejects. */
  readonly storeHealth: () => Promise<UpstreamHealth>;
  /** On the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
  readonly upstreams: readonly { health(): UpstreamHealth }[];
  readonly books: Pick<Books, 'report'>;
  readonly latency: Pick<Latency, 'report'>;
  readonly payments: Pick<Payments, 'report'>;
  readonly lease: Pick<Lease, 'id' | 'isHeld' | 'othersCount'>;
  /** What this process is called; null: its lease names it. */
  readonly replicaId: string | null;
  /** What one of the processes on a store does at a time, and this one does. */
  readonly jobsHeld: () => readonly JobName[];
  readonly storeLoad: () => StoreLoad;
  readonly wallets: Pick<Wallets, 'report'>;
  readonly recorder: Pick<TapeRecorder, 'report'>;
  readonly ratings: Pick<RatingsStore, 'board' | 'runReport'>;
  /** What was too old to keep, since the start. */
  readonly trimmed: () => { readonly paymentAnswers: number; readonly verdicts: number };
  /** When it is looked next whether a board is due; null or absent: nobody looks. */
  readonly nextLookAtMs?: () => number | null;
}

interface LastSeen {
  readonly board: Board | null;
  readonly run: RunReport | null;
  readonly fault: string | null;
}

/** Beneath this the next night's board or tape may not fit. */
const FREE_BYTES_MIN = 200e6;

/** Tells how the service is doing, from what it saw itself; asking changes nothing. */
export class Status {
  readonly #deps: StatusDeps;
  readonly #startedAtMs: number;
  /** The ratings as they were when they could last be read, and why they cannot be now. */
  #lastSeen: LastSeen = { board: null, run: null, fault: null };

  constructor(deps: StatusDeps) {
    this.#deps = deps;
    this.#startedAtMs = deps.clock.nowMs();
  }

  /** Never rejects: what cannot be read is said to be down, beside what was last known of it. */
  async report(): Promise<StatusReport> {
    const books = this.#deps.books.report();
    const { count, p50Ms, p95Ms } = this.#deps.latency.report();
    const { inWork, unresolved, answered, refused, broken, takenOver, proofs, ...payments } =
      this.#deps.payments.report();
    const nowMs = this.#deps.clock.nowMs();
    await this.#lookAtRatings();
    const run = this.#lastSeen.run;
    const figures = {
      api_version: API_VERSION,
      now: toInstant(nowMs),
      started_at: toInstant(this.#startedAtMs),
      components: { ...this.#components(nowMs, books.feed, run), ...(await this.#storage()) },
      clock: this.#clock(),
      books: {
        held: books.held,
        oldest_age_seconds: toSeconds(books.oldestAgeMs),
        median_age_seconds: toSeconds(books.medianAgeMs),
        sockets: books.feed.sockets,
        sockets_live: books.feed.live,
        frames: books.feed.counters.frames,
        frames_bad: books.feed.counters.bad,
        frames_scanned: books.feed.counters.scanned,
        frames_parsed: books.feed.counters.parsed,
        hashes_agreed: books.hashes.agreed,
        hashes_differed: books.hashes.differed,
      },
      preflight_trade: { count, p50_ms: p50Ms, p95_ms: p95Ms },
      payments: {
        in_work: inWork,
        unresolved,
        answered,
        refused,
        unverified: payments.unverified,
        unverified_share: payments.unverifiedShare,
        broken,
      },
      replica: this.#replica(takenOver),
      store: this.#store(),
      settlements: toSettlements(proofs),
      ratings: this.#ratings(nowMs),
      wallet_queue: this.#queue(),
      tape: this.#tape(),
      trimmed: this.#trimmed(),
    };
    const rules = degradedBy(figures, nowMs);
    return { status: rules.length === 0 ? 'ok' : 'degraded', degraded_by: [...rules], ...figures };
  }

  #nextLookS(): number | null {
    const atMs = this.#deps.nextLookAtMs?.() ?? null;
    return atMs === null ? null : Math.ceil(atMs / 1e3);
  }

  async #lookAtRatings(): Promise<void> {
    const { ratings } = this.#deps;
    try {
      const [board, run] = await Promise.all([ratings.board(), ratings.runReport()]);
      this.#lastSeen = { board, run, fault: null };
    } catch (error) {
      this.#lastSeen = {
        ...this.#lastSeen,
        fault: error instanceof OutsideError ? error.message : 'they cannot be read',
      };
    }
  }

  #ratings(nowMs: number): StatusReport['ratings'] {
    const { board, run } = this.#lastSeen;
    return {
      data_through: board === null ? null : toInstant(board.asOfS * 1e3),
      computed_at: board === null ? null : toInstant(board.computedAtMs),
      tape_start: board === null || board.tapeStartS === null ? null : toInstant(board.tapeStartS * 1e3),
      tape_gaps: board?.gaps?.length ?? 0,
      next_refresh_at: toInstant(nextRefreshS(Math.floor(nowMs / 1e3), board?.asOfS ?? null, this.#nextLookS()) * 1e3),
      wallets: board?.walletsSeen ?? 0,
      placebo_copy_count: board?.placeboCopies ?? null,
      rating_config: board?.config ?? null,
      last_run_error: run?.error ?? null,
    };
  }

  /** Components of the service: its store, and room on the disk. */
  async #storage(): Promise<Record<string, ComponentStatus>> {
    const { storeHealth, freeBytes } = this.#deps;
    const [{ ok, lastOkAtMs, lastError }, free] = await Promise.all([storeHealth(), freeBytes().catch(() => null)]);
    const isScarce = free === null || free < FREE_BYTES_MIN;
    const shortage = free === null ? 'the disk does not answer' : `${Math.floor(free / 1e6)} MB are free`;
    return {
      store: toComponent(ok, lastOkAtMs, lastError),
      disk_free: toComponent(!isScarce, null, isScarce ? `${shortage}; ${FREE_BYTES_MIN / 1e6} MB are needed` : null),
    };
  }

  #replica(takenOver: number): StatusReport['replica'] {
    const { lease, replicaId, jobsHeld } = this.#deps;
    return {
      id: replicaId ?? lease.id,
      is_lease_held: lease.isHeld(),
      others: lease.othersCount,
      payments_taken_over: takenOver,
      jobs: [...jobsHeld()],
    };
  }

  #clock(): StatusReport['clock'] {
    const { isConfirmed, aheadMs, sources } = this.#deps.time();
    return { confirmed: isConfirmed, ahead_seconds: aheadMs === null ? null : aheadMs / 1e3, sources };
  }

  #store(): StatusReport['store'] {
    const { engine, changesWaiting, oldestWaitMs, connections, standbys } = this.#deps.storeLoad();
    return {
      engine,
      changes_waiting: changesWaiting,
      oldest_wait_seconds: toSeconds(oldestWaitMs),
      connections,
      standbys: standbys?.map(({ name, syncState }) => ({ name, sync_state: syncState })) ?? null,
    };
  }

  #queue(): StatusReport['wallet_queue'] {
    const { queued, inWork, resting, oldestQueuedAgeMs, rated, unreadable, broken } = this.#deps.wallets.report();
    const oldestAgeS = toSeconds(oldestQueuedAgeMs);
    return { queued, in_work: inWork, resting, oldest_age_seconds: oldestAgeS, rated, unreadable, broken };
  }

  #tape(): StatusReport['tape'] {
    const { lastFillS, fills, skipped, gapsOpen, feedGaps } = this.#deps.recorder.report();
    const lastFillAt = lastFillS === null ? null : toInstant(lastFillS * 1e3);
    return { last_fill_at: lastFillAt, fills, rows_skipped: skipped, gaps_open: gapsOpen, feed_gaps: feedGaps };
  }

  #trimmed(): StatusReport['trimmed'] {
    const { paymentAnswers, verdicts } = this.#deps.trimmed();
    return { payment_answers: paymentAnswers, verdicts };
  }

  #components(nowMs: number, feed: FeedReport, run: RunReport | null): Record<string, ComponentStatus> {
    const components: Record<string, ComponentStatus> = {};
    const tape = this.#deps.recorder.report();
    for (const { name, ok, lastOkAtMs, lastError } of [...this.#deps.upstreams.map((one) => one.health()), tape.feed]) {
      components[name] = toComponent(ok, lastOkAtMs, lastError);
    }
    const down = feed.sockets - feed.live;
    components['market-channel'] = {
      ok: feed.sockets === 0 ? null : down === 0,
      last_ok_at: feed.silentMs === null ? null : toInstant(nowMs - feed.silentMs),
      error: down === 0 ? null : `${down} of ${feed.sockets} sockets bring no data`,
    };
    const { lastOkAtMs, lastError } = tape;
    const hasRun = lastOkAtMs !== null || lastError !== null;
    components['trade-recorder'] = toComponent(hasRun ? lastError === null : null, lastOkAtMs, lastError);
    const fault = this.#lastSeen.fault ?? run?.error ?? null;
    components['rating-job'] = toComponent(fault === null ? (run === null ? null : true) : false, null, fault);
    return components;
  }
}

/** An error that is over, or that of one endpoint among several, is none of the component. */
function toComponent(ok: boolean | null, lastOkAtMs: number | null, error: string | null): ComponentStatus {
  const lastOkAt = lastOkAtMs === null ? null : toInstant(lastOkAtMs);
  return { ok, last_ok_at: lastOkAt, error: ok === false ? error : null };
}

function toSettlements({ facilitators, oldestUnprovenMs, lastRefutedAtMs }: ProofsReport): StatusReport['settlements'] {
  const words = [...facilitators].map(([name, { unprovenMicros, refutedMicros }]) => [
    name,
    { unproven_micros: Number(unprovenMicros), refuted_micros: Number(refutedMicros) },
  ]);
  return {
    facilitators: Object.fromEntries(words),
    oldest_unproven_seconds: toSeconds(oldestUnprovenMs),
    last_refuted_at: lastRefutedAtMs === null ? null : toInstant(lastRefutedAtMs),
  };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1e3;
}
