import { expect } from 'chai';
import { OrderRequestSchema } from '#api/order-request';
import { OrderVerdictSchema } from '#api/order-verdict';
import { OrderBook } from '#domain/book/order-book';
import type { TokenId } from '#domain/ids';
import { Verdicts } from '#services/orders/verdicts';
import { ManualClock } from '#test/support/manual-clock';
import { sampleMarket } from '#test/support/sample-markets';

/** Orders without `evidence` make none. */
const unwanted = () => {
  throw new Error('evidence was made that nobody asked for');
};

describe('a live order verdict', () => {
  const clock = new ManualClock(Date.UTC(2026, 6, 14, 12, 0, 0, 250));
  const market = sampleMarket(1);
  const outcome = market.outcomes[0]!;

  /** Judges an order on an empty book of this age. */
  async function metaAt(ageMs: number, maxAgeS: number) {
    const book = new OrderBook(outcome.tokenId as TokenId, market.conditionId);
    const verdicts = new Verdicts({
      markets: { resolve: async () => ({ market, outcome }), resolveCached: () => ({ market, outcome }) },
      books: { getBook: async () => null, getCached: () => ({ book, ageMs }), isCached: () => true },
      clock,
      evidenceOf: unwanted,
    });
    const order = OrderRequestSchema.parse({ slug: market.slug, max_book_age_s: maxAgeS });
    return OrderVerdictSchema.parse(JSON.parse((await verdicts.judge(order)).text)).meta!;
  }

  it('says when it was made, and until when its book is young enough', async () => {
    expect(await metaAt(1_500, 60)).to.include({
      evaluated_at: '2026-07-14T12:00:00.250Z',
      valid_until: '2026-07-14T12:00:58.750Z',
    });
  });

  it('is valid no longer than it was made when its book is too old already', async () => {
    const { evaluated_at, valid_until } = await metaAt(7_000, 5);
    expect(valid_until).to.equal(evaluated_at);
  });

  describe('of a market and a book that may be at hand', () => {
    const order = OrderRequestSchema.parse({ slug: market.slug });
    const book = new OrderBook(outcome.tokenId as TokenId, market.conditionId);
    book.asks.set(5_000, 1_000_000_000);

    /** Tells in which order things happen. */
    function received(isCached: { readonly market: boolean; readonly book: boolean }) {
      const events: string[] = [];
      const verdicts = new Verdicts({
        markets: {
          resolveCached: () => (isCached.market ? { market, outcome } : null),
          async resolve() {
            events.push('catalogue');
            return { market, outcome };
          },
        },
        books: {
          getCached: () => (isCached.book ? { book, ageMs: 10 } : null),
          async getBook() {
            events.push('venue');
            return { book, ageMs: 10 };
          },
          isCached: () => isCached.book,
        },
        clock,
        evidenceOf: unwanted,
      });
      return { events, verdicts };
    }

    for (const [isCached, requested] of [
      [{ market: true, book: true }, []],
      [{ market: true, book: false }, ['venue']],
      [{ market: false, book: true }, ['catalogue']],
      [{ market: false, book: false }, ['catalogue', 'venue']],
    ] as const) {
      it(`asks ${requested.join(' and ') || 'nobody'}, and answers after its caller has gone on`, async () => {
        const { events, verdicts } = received(isCached);
        const answered = Promise.resolve(verdicts.judge(order)).then(() => events.push('answered'));
        events.push('caller');
        await answered;
        expect(events.filter((event) => event !== 'caller')).to.deep.equal([...requested, 'answered']);
        expect(events.indexOf('caller')).to.be.below(events.indexOf('answered'));
      });
    }

    it('judges the book of the moment of the question if all is at hand', async () => {
      const { verdicts } = received({ market: true, book: true });
      const answered = verdicts.judge(order);
      book.asks.set(5_000, 2_000_000_000);
      const { numbers } = OrderVerdictSchema.parse(JSON.parse((await answered).text));
      expect(numbers.visible_depth_usd).to.equal(500);
    });
  });
});
