import { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import type { Target } from '#domain/order/pick-outcome';
import type { FreshBook } from '#services/books/books';
import { DayTallies } from '#services/scoreboard/day-tallies';
import { Sampler, type SamplerDeps } from '#services/scoreboard/sampler';
import { ManualClock } from '#test/support/manual-clock';
import { sampleMarket } from '#test/support/sample-markets';

/** The middle of a market's book at a time of the play, in ticks of 1e-4 USD. */
export type Path = (ms: number) => number;

/** One share is far more than any order of the sampler takes. */
const DEEP_MICROS = 1e12;
const SPREAD_TICKS = 100;
const STEP_MS = 50;

/**
 * Markets whose books follow paths that are known beforehand, and a sampler that sees them. Each
 * book is one object that changes in place, as those of the service do.
 */
export class PlayedMarkets {
  readonly clock = new ManualClock(Date.parse('2026-11-27T12:00:00Z'));
  readonly days = new DayTallies();
  readonly sampler: Sampler;
  readonly #startedMs = this.clock.elapsedMs();
  readonly #markets = new Map<TokenId, { readonly market: Market; readonly book: OrderBook; readonly path: Path }>();

  /** `plant` changes what the sampler finds around it. */
  constructor(
    paths: readonly Path[],
    {
      facts = {},
      plant,
    }: { readonly facts?: Partial<Market>; readonly plant?: (deps: SamplerDeps) => SamplerDeps } = {},
  ) {
    for (const [at, path] of paths.entries()) {
      const market = sampleMarket(at + 1, facts);
      const { tokenId } = market.outcomes[0]!;
      this.#markets.set(tokenId, { market, book: new OrderBook(tokenId, market.conditionId), path });
    }
    const deps: SamplerDeps = {
      books: { freshTokens: () => [...this.#markets.keys()], peek: (tokenId) => this.look(tokenId) },
      marketOf: (tokenId) => this.#targetOf(tokenId),
      clock: this.clock,
      days: this.days,
    };
    this.sampler = new Sampler(plant?.(deps) ?? deps);
  }

  /** Returns a book as it is, or will be so much later. */
  look(tokenId: TokenId, laterMs = 0): FreshBook | null {
    const played = this.#markets.get(tokenId);
    if (played === undefined) return null;
    const { book, path } = played;
    const middle = path(this.clock.elapsedMs() - this.#startedMs + laterMs);
    const level = (priceTicks: number) => [{ priceTicks, sizeMicros: DEEP_MICROS }];
    book.applySnapshot(
      {
        tokenId,
        conditionId: book.conditionId,
        bids: level(middle - SPREAD_TICKS / 2),
        asks: level(middle + SPREAD_TICKS / 2),
        timestampMs: this.clock.nowMs(),
        hash: null,
        ...{ minOrderSize: null, tickSize: '0.01', negRisk: null, lastTradePrice: null },
      },
      this.clock.elapsedMs(),
    );
    return { book, ageMs: 0 };
  }

  /** The venue has no book for any of the tokens any more, and none is held. */
  unlist(): void {
    for (const { book } of this.#markets.values()) book.markUnlisted(this.clock.elapsedMs());
    this.#markets.clear();
  }

  /** Lets time pass, in which the sampler does what is due, and draws a pass so often. */
  play(ms: number, passMs: number | null = null): void {
    for (let at = 0; at < ms; at += STEP_MS) {
      if (passMs !== null && at % passMs === 0) this.sampler.begin();
      while (this.sampler.step());
      this.clock.advance(STEP_MS);
      for (const tokenId of this.#markets.keys()) this.look(tokenId);
    }
  }

  #targetOf(tokenId: TokenId): Target | null {
    const played = this.#markets.get(tokenId);
    return played === undefined ? null : { market: played.market, outcome: played.market.outcomes[0]! };
  }
}
