import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import type { Config } from '#config/config';
import type { EvidenceKeys } from '#ports/evidence-keys';
import { Books } from '#services/books/books';
import { Demo } from '#services/demo/demo';
import { DemoSet } from '#services/demo/demo-set';
import { createEvidence } from '#services/orders/evidence';
import { createMarkets } from '#services/orders/markets';
import { Verdicts } from '#services/orders/verdicts';
import { Latency } from '#services/status/latency';
import { checkHash } from '#wire/polymarket/check-hash';
import { openEvidence, readEngine } from './evidence.js';
import type { Outside } from './outside.js';
import type { Part } from './parts.js';
import type { System } from './system.js';

/** Verdicts on orders, and what they stand on. */
export interface Orders extends Part {
  readonly books: Books;
  readonly verdicts: Verdicts;
  readonly evidenceKeys: EvidenceKeys;
  readonly latency: Latency;
  readonly demo: Demo;
}

/** Wires markets, books and verdicts. Books are followed once somebody asks for one. */
export function composeOrders(
  config: Config,
  { catalog, clobBooks }: Outside,
  { clock, timers, random, log }: System,
): Orders {
  const markets = createMarkets({ catalog, clock, timers });
  const books = new Books({
    connect: connectMarketChannel(config.venue.wsUrl),
    source: clobBooks,
    clock,
    random,
    log,
    onResolved: (conditionId) => markets.markResolved(conditionId),
  });
  const evidenceKeys = openEvidence(config.keysDir);
  const evidenceOf = createEvidence({ issuer: config.baseUrl, engine: readEngine(), keys: evidenceKeys, checkHash });
  const set = new DemoSet({ slugs: config.demoMarkets, markets, stopwatch: clock, log });
  return {
    books,
    verdicts: new Verdicts({ markets, books, clock, evidenceOf }),
    evidenceKeys,
    latency: new Latency(clock),
    demo: new Demo({ set, books, clock, log }),
    stop: () => books.stop(),
  };
}
