import type { ComponentStatus, StatusReport } from '#api/status';
import { API_VERSION } from '#api/version';
import { nextRefreshS } from '#domain/rating/rating-windows';
import type { Clock } from '#ports/clock';
import type { RatingsStore } from '#ports/ratings-store';
import type { UpstreamHealth } from '#ports/venue';
import type { Books } from '../books/books.js';
import type { Payments } from '../payments/payments.js';
import type { TapeRecorder } from '../tape/recorder.js';
import type { Wallets } from '../wallets/wallets.js';
import type { Latency } from './latency.js';
import { degradedBy } from './rules.js';

export interface StatusDeps {
  readonly clock: Clock;
  readonly upstreams: readonly { health(): UpstreamHealth }[];
  readonly books: Pick<Books, 'report'>;
  readonly latency: Pick<Latency, 'report'>;
  readonly payments: Pick<Payments, 'report'>;
  readonly wallets: Pick<Wallets, 'report'>;
  readonly recorder: Pick<TapeRecorder, 'report'>;
  readonly ratings: Pick<RatingsStore, 'board' | 'runReport'>;
}

/** Tells how the service is doing, from what it saw itself; asking changes nothing. */
export class Status {
  readonly #deps: StatusDeps;
  readonly #startedAtMs: number;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
    this.#startedAtMs = deps.clock.nowMs();
  }

  /** Rejects if the store of the ratings cannot be read. */
  async report(): Promise<StatusReport> {
    const books = this.#deps.books.report();
    const { count, p50Ms, p95Ms } = this.#deps.latency.report();
    const { inWork, unresolved, answered, refused, broken } = this.#deps.payments.report();
    const nowMs = this.#deps.clock.nowMs();
    const ratings = await this.#ratings(nowMs);
    const figures = {
      api_version: API_VERSION,
      now: toInstant(nowMs),
      started_at: toInstant(this.#startedAtMs),
      components: this.#components(books.feed, ratings.last_run_error),
      books: {
        held: books.held,
        oldest_age_seconds: toSeconds(books.oldestAgeMs),
        median_age_seconds: toSeconds(books.medianAgeMs),
        sockets: books.feed.sockets,
        sockets_live: books.feed.live,
        frames: books.feed.counters.frames,
        frames_bad: books.feed.counters.bad,
        hashes_agreed: books.hashes.agreed,
        hashes_differed: books.hashes.differed,
      },
      preflight_trade: { count, p50_ms: p50Ms, p95_ms: p95Ms },
      payments: { in_work: inWork, unresolved, answered, refused, broken },
      ratings,
      wallet_queue: this.#queue(),
      tape: this.#tape(),
    };
    const rules = degradedBy(figures, nowMs);
    return { status: rules.length === 0 ? 'ok' : 'degraded', degraded_by: [...rules], ...figures };
  }

  async #ratings(nowMs: number): Promise<StatusReport['ratings']> {
    const { ratings } = this.#deps;
    const [board, run] = await Promise.all([ratings.board(), ratings.runReport()]);
    return {
      data_through: board === null ? null : toInstant(board.asOfS * 1e3),
      computed_at: board === null ? null : toInstant(board.computedAtMs),
      next_refresh_at: toInstant(nextRefreshS(Math.floor(nowMs / 1e3), board?.asOfS ?? null) * 1e3),
      wallets: board?.walletsSeen ?? 0,
      placebo_copy_count: board?.placeboCopies ?? null,
      rating_config: board?.config ?? null,
      last_run_error: run?.error ?? null,
    };
  }

  #queue(): StatusReport['wallet_queue'] {
    const { queued, inWork, resting, oldestQueuedAgeMs, rated, broken } = this.#deps.wallets.report();
    return { queued, in_work: inWork, resting, oldest_age_seconds: toSeconds(oldestQueuedAgeMs), rated, broken };
  }

  #tape(): StatusReport['tape'] {
    const { lastFillS, fills, skipped, gapsOpen, feedGaps } = this.#deps.recorder.report();
    const lastFillAt = lastFillS === null ? null : toInstant(lastFillS * 1e3);
    return { last_fill_at: lastFillAt, fills, rows_skipped: skipped, gaps_open: gapsOpen, feed_gaps: feedGaps };
  }

  #components(feed: ReturnType<Books['report']>['feed'], lastRunError: string | null): Record<string, ComponentStatus> {
    const components: Record<string, ComponentStatus> = {};
    for (const upstream of this.#deps.upstreams) {
      const { name, lastOkAtMs, lastError } = upstream.health();
      components[name] = toComponent(lastOkAtMs, lastError);
    }
    const down = feed.sockets - feed.live;
    components['market-channel'] = {
      ok: down === 0,
      last_ok_at: feed.lastDataAtMs === null ? null : toInstant(feed.lastDataAtMs),
      error: down === 0 ? null : `${down} of ${feed.sockets} sockets bring no data`,
    };
    const { lastOkAtMs, lastError } = this.#deps.recorder.report();
    components['trade-recorder'] = toComponent(lastOkAtMs, lastError);
    components['rating-job'] = toComponent(null, lastRunError);
    return components;
  }
}

function toComponent(lastOkAtMs: number | null, error: string | null): ComponentStatus {
  return { ok: error === null, last_ok_at: lastOkAtMs === null ? null : toInstant(lastOkAtMs), error };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1e3;
}
