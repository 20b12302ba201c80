import { expect } from 'chai';
import fc from 'fast-check';
import { OrderRequestSchema } from '#api/order-request';
import type { BookSnapshot } from '#domain/book/book';
import { Ladder } from '#domain/book/ladder';
import { OrderBook } from '#domain/book/order-book';
import type { ConditionId, TokenId } from '#domain/ids';
import type { Market } from '#domain/market';
import { assess } from '#judge/assess';
import { thresholdsOf, toVerdictBody } from '#judge/verdict-body';
import { Verdicts } from '#services/orders/verdicts';
import { arbitraryLevel } from '#test/support/arbitrary-books';
import { ManualClock } from '#test/support/manual-clock';
import { sampleMarket } from '#test/support/sample-markets';
import { PROPERTY_RUNS } from '#test/support/size';

const TICK = 100;
const level = arbitraryLevel(TICK);
/** Sides that overlap now and then. */
const sides = fc.record({
  bids: fc.array(level, { maxLength: 6 }),
  asks: fc.array(level, { maxLength: 6 }),
});

/** What happens to a book, to what the catalogue says of its market, and to the clock. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('snapshot'), sides }),
  fc.record({ kind: fc.constant('change'), side: fc.constantFrom('BUY', 'SELL'), level, isGone: fc.boolean() }),
  fc.record({ kind: fc.constant('REST'), sides: fc.option(sides) }),
  fc.record({ kind: fc.constantFrom('disconnected', 'unlisted', 'same market') }),
  fc.record({ kind: fc.constant('market'), isClosed: fc.boolean(), rate: fc.constantFrom(0, 0.04) }),
  fc.record({ kind: fc.constant('time'), ms: fc.constantFrom(1, 999, 30_000, 60_000) }),
);
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

const order = fc.record(
  {
    side: fc.constantFrom('BUY', 'SELL'),
    usd: fc.constantFrom(100, 100.0000004, 2_500, '250', 1, 10_000_000),
    max_slippage_c: fc.constantFrom(1, 2),
    max_book_age_s: fc.constantFrom(60, 60, 5),
  },
  { requiredKeys: [] },
);

/** A service whose book, market and time are moved by hand. */
class World {
  readonly clock = new ManualClock(Date.UTC(2026, 6, 14));
  readonly #sample = sampleMarket(1);
  readonly #tokenId = this.#sample.outcomes[0]!.tokenId as TokenId;
  readonly book = new OrderBook(this.#tokenId, this.#sample.conditionId as ConditionId);
  market: Market = this.#sample;
  readonly #verdicts = new Verdicts({
    markets: { resolve: async () => this.#target(), resolveAtHand: () => this.#target() },
    books: {
      getBook: async () => null,
      getAtHand: () => ({ book: this.book, ageMs: this.book.ageMs(this.clock.elapsedMs()) ?? 0 }),
      isAtHand: () => true,
    },
    clock: this.clock,
    evidenceOf: () => '',
  });
  /** The venue's clock. */
  #venueMs = 1;

  #target() {
    return { market: this.market, outcome: this.market.outcomes[0]! };
  }

  play(one: Event): void {
    const nowMs = this.clock.elapsedMs();
    switch (one.kind) {
      case 'snapshot':
        this.book.applySnapshot(this.#snapshot(one.sides), nowMs);
        return;
      case 'change': {
        const { side, isGone, level } = one;
        const sizeMicros = isGone ? 0 : level.sizeMicros;
        this.book.applyChange({ ...level, sizeMicros, tokenId: this.#tokenId, side, hash: null }, ++this.#venueMs);
        this.book.confirm(nowMs);
        return;
      }
      case 'REST': {
        const held = { bids: [...this.book.bids.levels()], asks: [...this.book.asks.levels()] };
        this.book.reconcile(this.#snapshot(one.sides ?? held), this.book.question(nowMs));
        return;
      }
      case 'disconnected':
        this.book.disconnect();
        return;
      case 'unlisted':
        this.book.markUnlisted(nowMs);
        return;
      case 'market':
        this.market = {
          ...this.market,
          status: { ...this.market.status, closed: one.isClosed },
          fee: { ...this.market.fee, rate: one.rate },
        };
        return;
      case 'same market':
        this.market = structuredClone(this.market);
        return;
      case 'time':
        this.clock.advance(one.ms);
    }
  }

  /** Returns what is answered. */
  ask(raw: object): string {
    const answer = this.#verdicts.judge(OrderRequestSchema.parse({ token_id: '1', ...raw }));
    if (answer instanceof Promise) throw new Error('all of it is at hand');
    return answer.text;
  }

  /** Returns what must be answered. */
  judge(raw: object): string {
    const request = OrderRequestSchema.parse({ token_id: '1', ...raw });
    const { market, outcome } = this.#target();
    const thresholds = thresholdsOf(request);
    const bookAgeMs = this.book.ageMs(this.clock.elapsedMs()) ?? 0;
    const assessment = assess({ ...request, thresholds, market, book: this.book, bookAgeMs });
    return JSON.stringify(toVerdictBody(market, outcome, assessment, thresholds, this.clock.nowMs()));
  }

  #snapshot({ bids, asks }: Pick<BookSnapshot, 'bids' | 'asks'>): BookSnapshot {
    const unsaid = { hash: null, minOrderSize: null, tickSize: null, negRisk: null, lastTradePrice: null };
    const { tokenId, conditionId } = this.book;
    return { tokenId, conditionId, bids, asks, timestampMs: ++this.#venueMs, ...unsaid };
  }
}

describe('a verdict that is asked for again', () => {
  it('is the one that would be made anew, whatever became of the book, its market and the time', () => {
    // Three times after everything that happens: an answer is kept from the second time on.
    const games = fc.tuple(fc.array(order, { minLength: 1, maxLength: 6 }), fc.array(event, { maxLength: 20 }));
    fc.assert(
      fc.property(games, ([orders, events]) => {
        const world = new World();
        const askAll = () => {
          for (const asked of [...orders, ...orders, ...orders]) expect(world.ask(asked)).to.equal(world.judge(asked));
        };
        askAll();
        for (const one of events) {
          world.play(one);
          askAll();
        }
      }),
      { numRuns: PROPERTY_RUNS / 4 },
    );
  });

  it('is found for as long as the book stands still, and looks at none of its levels', () => {
    const world = new World();
    world.play({ kind: 'snapshot', sides: { bids: [], asks: [{ priceTicks: 5_000, sizeMicros: 1_000_000_000 }] } });
    const looks = looksAt(world.book.asks);
    const looksFor = (asked: object) => {
      const before = looks.count;
      world.ask(asked);
      return looks.count - before;
    };
    for (const kind of ['time', 'unlisted', 'same market'] as const) {
      world.play(kind === 'time' ? { kind, ms: 1 } : { kind });
      expect(looksFor({}), kind).to.be.above(0);
      expect(looksFor({}), `${kind}: asked for the second time, it is made to be kept`).to.be.above(0);
      expect(looksFor({}), kind).to.equal(0);
    }
    for (const usd of [1, 2, 3, 4]) looksFor({ usd });
    expect(looksFor({}), 'four others were asked since').to.be.above(0);
  });
});

/** Counts how often the length of a ladder is asked for: nobody walks it otherwise. */
function looksAt(ladder: Ladder): { readonly count: number } {
  const looks = { count: 0 };
  const { get } = Object.getOwnPropertyDescriptor(Ladder.prototype, 'length')!;
  Object.defineProperty(ladder, 'length', {
    get() {
      looks.count++;
      return get!.call(this);
    },
  });
  return looks;
}
