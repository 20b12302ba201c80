import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { ChannelFrame } from '../frames/frames.js';
import { ONE_USD_TICKS, tradePriceText } from '../market/book-view.js';
import { fillFirstBook } from '../market/first-book.js';
import { idsFromSlug, type LiveMarket } from '../market/live-market.js';
import type { EventSpec, OutcomeIndex } from '../market/market-spec.js';
import { MirrorBook } from '../market/mirror-book.js';
import { Quoting } from '../market/quoting.js';
import { between, chance, seededRandom, seedFor } from '../market/seeded-random.js';
import type { Tape } from '../market/tape.js';
import type { TapeRow } from '../market/tape-rows.js';
import { liveEvent, type VenueState } from '../market/venue-state.js';
import { pickWallet } from '../market/wallets.js';
import { Exchange } from './exchange.js';
import { priceFor } from './trading.js';

export interface SimulationOptions {
  readonly seed: number;
  readonly clock: Clock;
  readonly state: VenueState;
  readonly tape: Tape;
  readonly publish: (frame: ChannelFrame) => void;
}

/** Every simulated market with its market maker. Each has dice of its own, seeded by its slug. */
export class Simulation {
  readonly #options: SimulationOptions;
  readonly #exchanges = new Map<string, Exchange>();

  constructor(options: SimulationOptions) {
    this.#options = options;
  }

  /** Lists events with full books and a few trades of the last `tradedForS` seconds. */
  add(events: readonly EventSpec[], tradedForS = FIRST_TRADES_WITHIN_S): void {
    const rows = events.flatMap((event) => this.#addEvent(event, tradedForS));
    this.#options.tape.add(rows.sort((a, b) => a.timestampS - b.timestampS));
  }

  /** Takes an event off the listing. */
  remove(slug: string): void {
    for (const market of this.#options.state.event(slug)?.markets ?? []) this.#exchanges.delete(market.spec.slug);
    this.#options.state.unlist(slug);
  }

  get marketCount(): number {
    return this.#exchanges.size;
  }

  /** Lets something happen so many times, in every market or in the one with this slug. */
  step(count: number, slug?: string): void {
    const exchanges = [...this.#exchanges].filter(([each]) => slug === undefined || each === slug);
    for (let done = 0; done < count; done++) {
      for (const [, exchange] of exchanges) exchange.step(this.#options.clock.nowMs());
    }
  }

  /** Returns the simulated market with this slug, if there is one. */
  exchange(slug: string): Exchange | undefined {
    return this.#exchanges.get(slug);
  }

  /** Lets something happen in one market, chosen by a number in [0, 1). */
  stepOne(choice: number): void {
    const exchanges = [...this.#exchanges.values()];
    exchanges[Math.floor(choice * exchanges.length)]?.step(this.#options.clock.nowMs());
  }

  #addEvent(spec: EventSpec, tradedForS: number): TapeRow[] {
    const nowMs = this.#options.clock.nowMs();
    const books = new Map<string, MirrorBook>();
    const event = liveEvent(spec, nowMs, (slug) => {
      const { protocol, tickSize } = spec.markets.find((market) => market.slug === slug)!;
      const ids = idsFromSlug(slug, protocol);
      const book = new MirrorBook(ids, spec.negRisk, tickSize, nowMs);
      books.set(slug, book);
      return { ids, books: book };
    });
    this.#options.state.list(event);
    return event.markets.flatMap((market) => this.#open(market, books.get(market.spec.slug), tradedForS));
  }

  #open(market: LiveMarket, book: MirrorBook | undefined, tradedForS: number): TapeRow[] {
    if (book === undefined || !market.active) return [];
    const { seed, tape, publish, clock } = this.#options;
    const random = seededRandom(seedFor(seed, market.spec.slug));
    fillFirstBook(book, market.spec.shape, random);
    const rows = firstTrades(market, book, random, tape, clock.nowMs(), tradedForS);
    if (!market.hasBook) return rows;
    const quoting = new Quoting(book, market.spec.shape, random);
    this.#exchanges.set(market.spec.slug, new Exchange(market, quoting, random, tape, publish));
    return rows;
  }
}

const TRADES_PER_MARKET = 6;
/** First trades lie so far back at most. */
const FIRST_TRADES_WITHIN_S = 6 * 3600;
const YOUNGEST_S = 60;

/**
 * Returns a few trades of the last `withinS` seconds before now, so that the tape and the last
 * trade price are not empty; none where that is less than a minute: a market that has just been
 * listed has no past.
 */
function firstTrades(
  market: LiveMarket,
  book: MirrorBook,
  random: Random,
  tape: Tape,
  nowMs: number,
  withinS: number,
): TapeRow[] {
  if (withinS <= YOUNGEST_S) return [];
  const nowS = Math.floor(nowMs / 1000);
  const ages = Array.from({ length: TRADES_PER_MARKET }, () => between(random, YOUNGEST_S, withinS)).sort(
    (a, b) => b - a,
  );
  return ages.map((age) => {
    const ticks = nearMid(book, random);
    book.lastTradePrice = tradePriceText(ticks);
    const outcome: OutcomeIndex = chance(random, 0.25) ? 1 : 0;
    const wallet = pickWallet(random);
    const price = priceFor(outcome, ticks) / ONE_USD_TICKS;
    return {
      wallet,
      market,
      outcome,
      side: chance(random, 0.7) ? ('BUY' as const) : ('SELL' as const),
      shares: Math.max(5, Math.round((wallet.clipUsd / price) * 100) / 100),
      price,
      timestampS: nowS - age,
      transactionHash: tape.nextTransactionHash(),
      taker: true,
    };
  });
}

function nearMid(book: MirrorBook, random: Random): number {
  const step = book.stepTicks;
  const ticks = Math.round(book.midTicks / step + between(random, -2, 2)) * step;
  return Math.min(Math.max(ticks, step), ONE_USD_TICKS - step);
}
