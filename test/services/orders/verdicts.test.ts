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
      markets: { resolve: async () => ({ market, outcome }), resolveAtHand: () => ({ market, outcome }) },
      books: { getBook: async () => ({ book, ageMs }), isAtHand: () => true },
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
});
