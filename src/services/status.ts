import type { ComponentStatus, StatusReport } from '#api/status';
import { API_VERSION } from '#api/version';
import type { Clock } from '#ports/clock';
import type { UpstreamHealth } from '#ports/venue';
import type { Books } from './books.js';
import type { Latency } from './latency.js';
import type { Payments } from './payments.js';

export interface StatusDeps {
  readonly clock: Clock;
  readonly upstreams: readonly { health(): UpstreamHealth }[];
  readonly books: Pick<Books, 'report'>;
  readonly latency: Pick<Latency, 'report'>;
  readonly payments: Pick<Payments, 'report'>;
}

/** Tells how the service is doing, from what it saw itself; asking changes nothing. */
export class Status {
  readonly #startedAtMs: number;

  constructor(private readonly deps: StatusDeps) {
    this.#startedAtMs = deps.clock.nowMs();
  }

  report(): StatusReport {
    const books = this.deps.books.report();
    const { count, p50Ms, p95Ms } = this.deps.latency.report();
    const { inWork, unresolved, answered, refused } = this.deps.payments.report();
    const components = this.#components(books.feed);
    return {
      status: Object.values(components).every(({ ok }) => ok) ? 'ok' : 'degraded',
      api_version: API_VERSION,
      now: toInstant(this.deps.clock.nowMs()),
      started_at: toInstant(this.#startedAtMs),
      components,
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
      payments: { in_work: inWork, unresolved, answered, refused },
    };
  }

  #components(feed: ReturnType<Books['report']>['feed']): Record<string, ComponentStatus> {
    const components: Record<string, ComponentStatus> = {};
    for (const upstream of this.deps.upstreams) {
      const { name, lastOkAtMs, lastError } = upstream.health();
      components[name] = {
        ok: lastError === null,
        last_ok_at: lastOkAtMs === null ? null : toInstant(lastOkAtMs),
        error: lastError,
      };
    }
    const down = feed.sockets - feed.live;
    components['market-channel'] = {
      ok: down === 0,
      last_ok_at: feed.lastDataAtMs === null ? null : toInstant(feed.lastDataAtMs),
      error: down === 0 ? null : `${down} of ${feed.sockets} sockets bring no data`,
    };
    return components;
  }
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

function toSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1e3;
}
