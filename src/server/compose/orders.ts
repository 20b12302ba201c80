import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import type { Config } from '#config/config';
import type { EvidenceKeys } from '#ports/evidence-keys';
import type { JobName } from '#ports/job-leases';
import type { RatingsStore } from '#ports/ratings-store';
import { Books } from '#services/books/books';
import { Demo } from '#services/demo/demo';
import { DemoSet } from '#services/demo/demo-set';
import { JobOwner } from '#services/jobs/job-owner';
import { createEvidence } from '#services/orders/evidence';
import { createMarkets, type Markets } from '#services/orders/markets';
import { Verdicts } from '#services/orders/verdicts';
import type { ScoreView } from '#services/scoreboard/score-view';
import { Scoreboard } from '#services/scoreboard/scoreboard';
import { Latency } from '#services/status/latency';
import type { Clock } from '#system/clock';
import { checkHash } from '#wire/polymarket/check-hash';
import type { EvidenceSigner } from './evidence.js';
import type { Outside } from './outside.js';
import type { Part } from './parts.js';
import type { System } from './system.js';

/** Verdicts on orders, and what they stand on. */
export interface Orders extends Part {
  readonly books: Books;
  readonly verdicts: Verdicts;
  readonly markets: Pick<Markets, 'heldFault'>;
  readonly scoreboard: Scoreboard;
  /** What one process at a time does for orders, and this one does. */
  readonly jobsHeld: () => readonly JobName[];
  readonly evidenceKeys: EvidenceKeys;
  readonly latency: Latency;
  readonly demo: Demo;
}

interface OrderDeps {
  readonly outside: Outside;
  /** Where the days of the scoreboard and followed boards are kept, and who counts. */
  readonly ratings: Pick<RatingsStore, 'scores' | 'follows' | 'jobs'>;
  readonly time: Clock;
  readonly signer: EvidenceSigner;
}

/** Wires markets, books and verdicts. Books are followed once somebody asks for one. */
export function composeOrders(
  config: Config,
  { outside: { catalog, clobBooks }, ratings, time, signer }: OrderDeps,
  { clock, timers, random, log }: System,
): Orders {
  const markets = createMarkets({ catalog, clock, timers });
  const books = new Books({
    connect: connectMarketChannel(config.venue.wsUrl),
    source: clobBooks,
    clock,
    time,
    random,
    log,
    onResolved: (conditionId) => markets.markResolved(conditionId),
  });
  const evidenceOf = createEvidence({ ...signer, checkHash });
  const set = new DemoSet({ slugs: config.demoMarkets, markets, stopwatch: clock, log });
  const jobs = new JobOwner({ leases: ratings.jobs, stopwatch: clock, timers, random, log });
  const scoreboard = new Scoreboard({
    scores: ratings.scores,
    follows: ratings.follows,
    jobs,
    books,
    marketOf: (tokenId) => markets.held(tokenId),
    clock: time,
    timers,
    log,
    isOn: config.isScoreboardOn,
  });
  const overtakenOf: ScoreView['overtakenOf'] = (question) => scoreboard.view.overtakenOf(question);
  return {
    books,
    markets,
    verdicts: new Verdicts({ markets, books, clock, evidenceOf, overtakenOf }),
    scoreboard,
    jobsHeld: () => jobs.held,
    evidenceKeys: signer.keys,
    latency: new Latency(clock),
    demo: new Demo({ set, books, clock, log }),
    start: () => scoreboard.start(),
    async stop() {
      await scoreboard.stop();
      books.stop();
    },
  };
}
