import { BOOK_BUDGET, CATALOG_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { createClobBooks } from '#adapters/polymarket/clob';
import { createGammaCatalog } from '#adapters/polymarket/gamma';
import { connectMarketChannel } from '#adapters/polymarket/market-channel';
import { systemRandom } from '#adapters/process/system-random';
import { OrderRequestSchema } from '#api/order-request';
import type { OrderVerdict } from '#api/order-verdict';
import { type LocalMarket, type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { Books } from '#services/books/books';
import { createMarkets, type Markets } from '#services/orders/markets';
import { Verdicts } from '#services/orders/verdicts';
import { newEvidenceFixture } from './evidence-fixture.js';
import { ManualClock } from './manual-clock.js';
import { ManualTimers } from './manual-timers.js';
import { WAIT_MS } from './time-limits.js';

/** Real time that can be moved ahead, so that a minute of silence costs a test nothing. */
class MovableClock {
  #aheadMs = 0;
  #steppedMs = 0;
  nowMs(): number {
    return Date.now() + this.#aheadMs + this.#steppedMs;
  }
  elapsedMs(): number {
    return performance.now() + this.#aheadMs;
  }
  /** Sets wall time by so much, while no time passes. */
  step(ms: number): void {
    this.#steppedMs += ms;
  }
  skip(ms: number): void {
    this.#aheadMs += ms;
  }
}

/**
 * The verdict path on a local venue whose books move only when told to: everything real but the
 * clock.
 */
export interface LiveVerdicts {
  readonly venue: LocalVenue;
  readonly books: Books;
  readonly markets: Markets;
  readonly clock: MovableClock;
  /** Steps of the wall clock that were logged, in milliseconds. */
  readonly steps: readonly number[];
  /** How often REST was asked for books. */
  booksRequested(): number;
  market(slug: string): LocalMarket;
  judge(order: Record<string, unknown>): Promise<OrderVerdict>;
  /** Whether an order could be judged without asking the venue. */
  isCached(order: Record<string, unknown>): boolean;
  stop(): Promise<void>;
}

/** What is asked of the catalog is not about time, and the machine may be busy. */
const PATIENT = { ...CATALOG_BUDGET, attemptTimeoutMs: WAIT_MS, sumMs: WAIT_MS };

const silent = { debug() {}, info() {}, error() {} };

export async function startLiveVerdicts(): Promise<LiveVerdicts> {
  const clock = new MovableClock();
  const venue = await startLocalVenue({ clock, tickMs: 0 });
  const http = { clock, baseUrl: venue.clobUrl };
  const gamma = createHttpJson({ ...http, upstream: 'gamma', baseUrl: venue.gammaUrl, budget: PATIENT });
  const clob = createHttpJson({ ...http, upstream: 'clob-markets', budget: PATIENT });
  const rest = createClobBooks({ clob: createHttpJson({ ...http, upstream: 'clob-books', budget: BOOK_BUDGET }) });
  let requested = 0;
  const source: typeof rest = {
    ...rest,
    fetchBook: (tokenId, callClass) => {
      requested++;
      return rest.fetchBook(tokenId, callClass);
    },
    fetchBooks: (tokenIds, isHeld) => {
      requested++;
      return rest.fetchBooks(tokenIds, isHeld);
    },
  };
  const steps: number[] = [];
  const warn = (facts: object) => {
    if ('steppedMs' in facts) steps.push(Number(facts.steppedMs));
  };
  const markets = createMarkets({
    catalog: createGammaCatalog({ gamma, clob }),
    clock,
    timers: new ManualTimers(new ManualClock()),
  });
  const books = new Books({
    connect: connectMarketChannel(venue.wsUrl),
    source,
    clock,
    random: systemRandom,
    log: { ...silent, warn },
    onResolved: (conditionId) => markets.markResolved(conditionId),
  });
  const evidence = newEvidenceFixture();
  const verdicts = new Verdicts({ markets, books, clock, evidenceOf: evidence.evidenceOf, overtakenOf: () => null });
  return {
    venue,
    books,
    markets,
    clock,
    steps,
    booksRequested: () => requested,
    market: (slug) => venue.markets.find((market) => market.slug === slug)!,
    judge: async (order) => JSON.parse((await verdicts.judge(OrderRequestSchema.parse(order))).text) as OrderVerdict,
    isCached: (order) => verdicts.isCached(OrderRequestSchema.parse(order)),
    async stop() {
      books.stop();
      evidence.remove();
      await venue.close();
    },
  };
}

/** Waits until the condition holds; fails after the limit with what was waited for. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = WAIT_MS): Promise<void> {
  const deadlineMs = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
