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
      overtakenOf: () => null,
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

  describe('with a plan', () => {
    const book = new OrderBook(outcome.tokenId as TokenId, market.conditionId);
    book.asks.set(3_500, 100_000_000);
    book.asks.set(3_600, 1_000_000_000);
    const verdicts = new Verdicts({
      markets: { resolve: async () => ({ market, outcome }), resolveCached: () => ({ market, outcome }) },
      books: { getBook: async () => null, getCached: () => ({ book, ageMs: 10 }), isCached: () => true },
      clock,
      evidenceOf: () => '{}',
      overtakenOf: () => null,
    });
    const ask = async (more: object) =>
      (await verdicts.judge(OrderRequestSchema.parse({ slug: market.slug, usd: 71, ...more }))).text;

    beforeEach(() => {
      book.hashFields = { ...book.hashFields, tickSize: '0.01', negRisk: null };
    });

    it('has the same bytes as without, and the plan behind them', async () => {
      const [bare, planned, signed] = [await ask({}), await ask({ plan: 1 }), await ask({ plan: 1, evidence: 1 })];
      expect(bare).to.not.include('"plan"').and.not.include('worst_price');
      expect(planned.startsWith(`${bare.slice(0, -1)},"worst_price":"0.36","plan":{"order_type":"FOK"`)).to.equal(true);
      expect(signed).to.equal(`${planned.slice(0, -1)},"evidence":{}}`);
    });

    it('has the same bytes before an exit and an order at rest, which stand behind it in this order', async () => {
      const bare = await ask({});
      const more = await ask({ exit: 1, limit_price: 0.3, post_only: 1 });
      expect(more.startsWith(`${bare.slice(0, -1)},"exit":null,"exit_reason":"thin_book","limit":{`)).to.equal(true);
      const { limit } = OrderVerdictSchema.parse(JSON.parse(more));
      expect(limit).to.include({ price: '0.3', post_only: true, crosses: false });
      expect(await ask({ limit_price: 0.4 })).to.include('"crosses":true');
    });

    it('says behind the plan how often orders like it were overtaken, and looks up a VETO nowhere', async () => {
      const overtaken = { horizon: 1, worse_by_cents: 3, rate: 0.02, ci95: [0.01, 0.03], n: 1_234 } as const;
      const questions: object[] = [];
      const counting = new Verdicts({
        markets: { resolve: async () => ({ market, outcome }), resolveCached: () => ({ market, outcome }) },
        books: { getBook: async () => null, getCached: () => ({ book, ageMs: 10 }), isCached: () => true },
        clock,
        evidenceOf: () => '{}',
        overtakenOf(question) {
          questions.push(question);
          return { ...overtaken, ci95: [...overtaken.ci95] };
        },
      });
      const ask = async (usd: number, more: object) =>
        (await counting.judge(OrderRequestSchema.parse({ slug: market.slug, usd, ...more }))).text;
      const found = OrderVerdictSchema.parse(JSON.parse(await ask(71, { plan: '1' })));
      expect(found.overtaken).to.deep.equal(overtaken);
      expect(questions).to.deep.equal([{ verdict: 'OK', usd: 71, category: 'fee-free', matchingDelayS: 0 }]);
      expect(JSON.parse(await ask(1_000, { plan: '1' })).overtaken).to.equal(null);
      expect(await ask(71, {})).to.equal(
        await ask(71, { plan: '1' }).then((text) => `${text.split(',"worst_price"')[0]}}`),
      );
      expect(questions).to.have.length(2);
    });

    it('says the same of that order as the verdict of its size does', async () => {
      const { plan } = OrderVerdictSchema.parse(JSON.parse(await ask({ plan: 1 })));
      const usd = Number(plan!.maker_amount) / 1e6;
      expect(usd).to.be.below(71);
      const { verdict, reason_codes, numbers, meta } = OrderVerdictSchema.parse(JSON.parse(await ask({ usd })));
      expect(plan).to.deep.include({ verdict, reason_codes, valid_until: meta!.valid_until });
      expect(Number(plan!.usd_needed)).to.be.closeTo(usd + numbers.taker_fee_usd, 1e-9);
    });

    it('takes the exchange from the book, and from the market where the venue did not say it with the book', async () => {
      const exchange = async () => OrderVerdictSchema.parse(JSON.parse(await ask({ plan: 1 }))).plan!.neg_risk;
      expect(await exchange()).to.equal(market.negRisk);
      book.hashFields = { ...book.hashFields, negRisk: !market.negRisk };
      expect(await exchange()).to.equal(!market.negRisk);
    });

    it('names the other outcome in place of a SELL where its book is at hand and young enough', async () => {
      const [own, other] = market.outcomes;
      const stale = new OrderBook(own!.tokenId, market.conditionId);
      stale.bids.set(4_000, 1_000_000_000);
      const fresh = new OrderBook(other!.tokenId, market.conditionId);
      fresh.asks.set(6_100, 1_000_000_000);
      const sell = async (isAtHand: boolean) => {
        const getCached = (tokenId: TokenId) =>
          tokenId === own!.tokenId ? { book: stale, ageMs: 90_000 } : isAtHand ? { book: fresh, ageMs: 10 } : null;
        const verdicts = new Verdicts({
          markets: { resolve: async () => ({ market, outcome }), resolveCached: () => ({ market, outcome }) },
          books: { getBook: () => Promise.reject(new Error('nobody waits for it')), getCached, isCached: () => true },
          clock,
          evidenceOf: unwanted,
          overtakenOf: () => null,
        });
        const order = OrderRequestSchema.parse({ slug: market.slug, side: 'SELL', usd: 40, plan: 1 });
        const { remedies } = OrderVerdictSchema.parse(JSON.parse((await verdicts.judge(order)).text));
        return remedies!.map(({ change, order }) => [change, order.token_id, order.usd]);
      };
      const wait = ['wait', own!.tokenId, 40];
      expect(await sell(true)).to.deep.equal([wait, ['other_outcome', other!.tokenId, 61]]);
      expect(await sell(false)).to.deep.equal([wait]);
    });

    it('says why there is none', async () => {
      book.hashFields = { ...book.hashFields, tickSize: null };
      const { plan, plan_reason, worst_price } = OrderVerdictSchema.parse(JSON.parse(await ask({ plan: 1 })));
      expect({ plan, plan_reason, worst_price }).to.deep.equal({
        plan: null,
        plan_reason: 'unknown_tick',
        worst_price: '0.36',
      });
    });
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
            events.push('catalog');
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
        overtakenOf: () => null,
      });
      return { events, verdicts };
    }

    for (const [isCached, requested] of [
      [{ market: true, book: true }, []],
      [{ market: true, book: false }, ['venue']],
      [{ market: false, book: true }, ['catalog']],
      [{ market: false, book: false }, ['catalog', 'venue']],
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

    it('is VETO where the market was said to be resolved while the venue was asked for its book', async () => {
      const over = { ...market, status: { ...market.status, closed: true, umaResolutionStatus: 'resolved' } };
      let now = market;
      const verdicts = new Verdicts({
        markets: { resolve: async () => ({ market, outcome }), resolveCached: () => ({ market: now, outcome }) },
        books: {
          getCached: () => null,
          async getBook() {
            now = over;
            return { book, ageMs: 10 };
          },
          isCached: () => false,
        },
        clock,
        evidenceOf: unwanted,
        overtakenOf: () => null,
      });
      const { reason_codes } = OrderVerdictSchema.parse(JSON.parse((await verdicts.judge(order)).text));
      expect(reason_codes).to.include('MARKET_CLOSED');
    });

    it('judges the book of the moment of the question if all is at hand', async () => {
      const { verdicts } = received({ market: true, book: true });
      const answered = verdicts.judge(order);
      book.asks.set(5_000, 2_000_000_000);
      const { numbers } = OrderVerdictSchema.parse(JSON.parse((await answered).text));
      expect(numbers.visible_depth_usd).to.equal(500);
    });
  });
});
