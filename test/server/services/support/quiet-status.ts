import { newFrameCounters } from '#domain/book/frame-applier';
import type { StatusDeps } from '#services/status/status';
import type { Clock } from '#system/clock';

/** What a service is made of that is well and has nothing to do, for tests of one of its parts. */
export function quietStatus(clock: Clock): StatusDeps {
  const well = { ok: true, lastOkAtMs: clock.nowMs(), lastError: null };
  return {
    clock,
    time: () => ({ isConfirmed: true, aheadMs: 0, sources: 2 }),
    storeHealth: async () => ({ name: 'store', ...well }),
    freeBytes: async () => 1e9,
    upstreams: [],
    books: {
      report: () => ({
        held: 300,
        oldestAgeMs: 1_500,
        medianAgeMs: 700,
        hashes: { agreed: 1, differed: 0 },
        feed: { sockets: 2, live: 2, tokens: 300, silentMs: 1_500, counters: newFrameCounters() },
      }),
    },
    lease: { id: 'life', isHeld: () => true, othersCount: 1 },
    replicaId: 'two',
    jobsHeld: () => ['night'],
    storeLoad: () => ({
      engine: 'postgresql',
      changesWaiting: 3,
      oldestWaitMs: 250,
      connections: { open: 6, busy: 2 },
      standbys: [{ name: 'two', syncState: 'async' }],
    }),
    latency: { report: () => ({ count: 0, p50Ms: null, p95Ms: null }) },
    payments: {
      report: () => ({
        ...{
          inWork: 0,
          unresolved: 0,
          answered: 0,
          refused: 0,
          unverified: 0,
          unverifiedShare: null,
          broken: 0,
          takenOver: 2,
        },
        proofs: { facilitators: new Map(), oldestUnprovenMs: null, lastRefutedAtMs: null },
      }),
    },
    wallets: {
      report: () => ({
        ...{ queued: 0, inWork: 0, resting: 0, oldestQueuedAgeMs: null, rated: 0, meanMs: 0 },
        ...{ failures: 0, unreadable: 0, broken: 0, lastError: null },
      }),
    },
    recorder: {
      report: () => ({
        ...{ lastOkAtMs: null, lastError: null, lastFillS: null, gapsOpen: 0 },
        ...{ fills: 0, skipped: 0, hints: 0, feedGaps: 0 },
        feed: { name: 'rtds', ok: null, lastOkAtMs: null, lastError: null },
      }),
    },
    ratings: { board: async () => null, runReport: async () => null },
    trimmed: () => ({ paymentAnswers: 3, verdicts: 4 }),
  };
}
