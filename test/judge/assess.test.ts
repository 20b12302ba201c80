import { expect } from 'chai';
import fc from 'fast-check';
import { OrderNumbersSchema } from '#api/order-numbers';
import { FEE_FREE } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { doesSizePass } from '#domain/order/reasons';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { toNumbersBody } from '#judge/verdict-body';
import { arbitraryQuestion, arbitraryUsd, bookOf, OPEN } from '#test/support/arbitrary-books';
import { PROPERTY_RUNS } from '#test/support/size';

const RUNS = PROPERTY_RUNS;
const SEVERITY = { OK: 0, CAUTION: 1, VETO: 2 } as const;

const levels = (...pairs: readonly (readonly [price: number, shares: number])[]) =>
  pairs.map(([price, shares]) => ({ priceTicks: Math.round(price * 1e4), sizeMicros: Math.round(shares * 1e6) }));

const question = (over: Partial<OrderQuestion> = {}): OrderQuestion => ({
  side: 'BUY',
  usd: 100,
  thresholds: DEFAULT_THRESHOLDS,
  market: {
    fee: { rate: 0.04, exponent: 1, category: 'politics_fees', known: true },
    minOrderShares: 5,
    status: OPEN,
  },
  book: bookOf({
    bids: levels([0.49, 1_000], [0.48, 1_000], [0.4, 10_000]),
    asks: levels([0.5, 1_000], [0.52, 1_000], [0.6, 10_000]),
  }),
  bookAgeMs: 1_000,
  ...over,
});

describe('assess', () => {
  describe('arithmetic, by hand', () => {
    it('prices a BUY that one level fills', () => {
      const { verdict, facts, codes } = assess(question());
      expect(verdict).to.equal('OK');
      expect(codes).to.deep.equal(['PASSED']);
      expect(facts.numbers).to.deep.include({
        bestPrice: 0.5,
        expectedVwap: 0.5,
        expectedSlippageCents: 0,
        visibleDepthUsd: 7_020,
        orderVsDepthPct: 1.4245,
        // 200 shares x 0.04 x 0.25
        takerFeeUsd: 2,
        feeDragCentsPerShare: 1,
        bookAgeSeconds: 1,
      });
    });

    it('prices a BUY over two levels: 1000 at 0.50, then 500 USD at 0.52', () => {
      const { facts, codes, verdict } = assess(question({ usd: 1_000 }));
      // 1000 + 500/0.52 = 1961.538462 shares for 1000 USD
      expect(facts.numbers.expectedVwap).to.equal(0.509804);
      expect(facts.numbers.expectedSlippageCents).to.equal(0.9804);
      // 1000 x 0.04 x 0.25 + 961.538462 x 0.04 x 0.2496
      expect(facts.numbers.takerFeeUsd).to.equal(19.6);
      expect(verdict).to.equal('OK');
      expect(codes).to.deep.equal(['PASSED']);
    });

    it('prices a SELL downwards on the bids, with the slippage positive', () => {
      const { facts } = assess(question({ side: 'SELL', usd: 730 }));
      // 490 USD at 0.49 (1000 shares), 240 USD at 0.48 (500 shares)
      expect(facts.numbers.bestPrice).to.equal(0.49);
      expect(facts.numbers.expectedVwap).to.equal(0.486667);
      expect(facts.numbers.expectedSlippageCents).to.equal(0.3333);
    });

    it('uses the exponent of the market for the fee', () => {
      const fee = { rate: 0.25, exponent: 2, category: 'crypto_15_min', known: true };
      const { facts } = assess(question({ usd: 50, market: { ...question().market, fee } }));
      // the venue's own example: 100 shares at 0.50 pay 1.5625
      expect(facts.numbers.takerFeeUsd).to.equal(1.5625);
    });

    it('charges nothing where the market is fee-free', () => {
      const { facts } = assess(question({ market: { ...question().market, fee: FEE_FREE } }));
      expect(facts.numbers.takerFeeUsd).to.equal(0);
      expect(facts.numbers.feeDragCentsPerShare).to.equal(0);
    });
  });

  describe('thresholds, one row each', () => {
    const row = (title: string, over: Partial<OrderQuestion>, verdict: string, ...codes: readonly string[]) =>
      it(`${title}: ${verdict} (${codes.join(', ')})`, () => {
        const answer = assess(question(over));
        expect([answer.verdict, answer.codes]).to.deep.equal([verdict, codes]);
      });
    const oneStep = (second: number) =>
      bookOf({ bids: levels([0.1, 10]), asks: levels([0.5, 100], [second, 100_000]) });
    const market = (status: Partial<typeof OPEN>) => ({ ...question().market, status: { ...OPEN, ...status } });

    // 50 USD at 0.50 and the rest at 0.52: 100 shares + 52/0.52 = 200 shares for 102 USD = 0.51
    // exactly
    row('slippage of exactly max_slippage_c', { book: oneStep(0.52), usd: 102 }, 'OK', 'PASSED');
    row('slippage a hair above', { book: oneStep(0.52), usd: 102.1 }, 'CAUTION', 'SLIPPAGE_CAUTION');
    // 50 + 56 USD: 100 + 100 shares = 0.53 exactly
    row('slippage of exactly veto_slippage_c', { book: oneStep(0.56), usd: 106 }, 'VETO', 'SLIPPAGE_VETO');
    row('slippage a hair below the veto', { book: oneStep(0.56), usd: 105.9 }, 'CAUTION', 'SLIPPAGE_CAUTION');
    const flat = bookOf({ bids: levels([0.1, 10]), asks: levels([0.5, 800]) });
    row('a quarter of the depth', { book: flat, usd: 100 }, 'OK', 'PASSED');
    row('a cent more than a quarter', { book: flat, usd: 100.01 }, 'CAUTION', 'DEPTH_CAUTION');
    row('all of the depth', { book: flat, usd: 400 }, 'CAUTION', 'DEPTH_CAUTION');
    row('a cent more than the book holds', { book: flat, usd: 400.01 }, 'VETO', 'BEYOND_DEPTH');
    row('age of exactly max_book_age_s', { bookAgeMs: 60_000 }, 'OK', 'PASSED');
    row('a millisecond older', { bookAgeMs: 60_001 }, 'VETO', 'BOOK_STALE');
    row('no asks for a BUY', { book: bookOf({ bids: levels([0.4, 9]), asks: [] }) }, 'VETO', 'SIDE_EMPTY');
    row('no book at all', { book: { ...bookOf({ bids: [], asks: [] }), listed: false } }, 'VETO', 'NO_BOOK');
    row(
      'bid at the ask',
      { book: bookOf({ bids: levels([0.5, 9_000]), asks: levels([0.5, 9_000]) }) },
      'VETO',
      'BOOK_CROSSED',
    );
    row('closed', { market: market({ closed: true }) }, 'VETO', 'MARKET_CLOSED');
    row('not accepting orders', { market: market({ acceptingOrders: false }) }, 'VETO', 'NOT_ACCEPTING_ORDERS');
    row('inactive', { market: market({ active: false }) }, 'VETO', 'NOT_ACCEPTING_ORDERS');
    row('proposed', { market: market({ umaResolutionStatus: 'proposed' }) }, 'VETO', 'UNDER_RESOLUTION');
    row('fewer than five shares', { usd: 2.49 }, 'OK', 'PASSED');
    row('a SELL of less than a dollar and five shares', { side: 'SELL', usd: 0.8 }, 'OK', 'PASSED');
    row('a SELL of a cent', { side: 'SELL', usd: 0.01 }, 'OK', 'PASSED');
    row('by the first rules, five shares', { rules: 1, usd: 2.5 }, 'OK', 'PASSED');
    row('by the first rules, fewer', { rules: 1, usd: 2.49 }, 'VETO', 'BELOW_MINIMUM_SHARES');
    const cheap = bookOf({ bids: levels([0.01, 10]), asks: levels([0.05, 90_000]) });
    row('a BUY of a dollar', { book: cheap, usd: 1 }, 'OK', 'PASSED');
    row('a BUY below a dollar', { book: cheap, usd: 0.99 }, 'VETO', 'BELOW_MINIMUM_NOTIONAL');
    const game = (dueMs: number | null, status: Partial<typeof OPEN> = {}) => ({
      market: { ...market(status), gameDueMs: dueMs },
      evaluatedAtMs: Date.parse('2026-11-26T12:00:00Z'),
    });
    row('a game that was due 48 h ago', game(Date.parse('2026-11-24T12:00:00Z')), 'OK', 'PASSED');
    row('a game due a millisecond before', game(Date.parse('2026-11-24T11:59:59.999Z')), 'CAUTION', 'GAME_OVER');
    row('a game to come', game(Date.parse('2026-12-24T12:00:00Z')), 'OK', 'PASSED');
    row('a market that is no game', game(null), 'OK', 'PASSED');
    row('an old game that is closed', game(0, { closed: true }), 'VETO', 'MARKET_CLOSED');
    row('an old game without orders', game(0, { acceptingOrders: false }), 'VETO', 'NOT_ACCEPTING_ORDERS');
    const at = (price: number) => bookOf({ bids: levels([0.001, 9]), asks: levels([price, 90_000]) });
    row('best price 0.97', { book: at(0.97) }, 'CAUTION', 'PRICE_EXTREME');
    row('best price 0.9699', { book: at(0.9699) }, 'OK', 'PASSED');
    row('best price 0.03', { book: at(0.03) }, 'CAUTION', 'PRICE_EXTREME');
    row('best price 0.0301', { book: at(0.0301) }, 'OK', 'PASSED');
    const unknownFee = { ...question().market, fee: { rate: 0.07, exponent: 1, category: 'unknown', known: false } };
    row('an unknown fee is remarked on, not judged', { market: unknownFee }, 'OK', 'FEE_UNKNOWN', 'PASSED');
  });

  it('reports every reason, worst first', () => {
    const { verdict, codes } = assess(
      question({
        usd: 9_000,
        bookAgeMs: 61_000,
        book: bookOf({ bids: [], asks: levels([0.97, 100], [0.99, 100_000]) }),
        thresholds: { ...DEFAULT_THRESHOLDS, slippageVetoCents: 100 },
      }),
    );
    expect(verdict).to.equal('VETO');
    expect(codes).to.deep.equal(['BOOK_STALE', 'SLIPPAGE_CAUTION', 'PRICE_EXTREME']);
  });

  it('dates a game that is over', () => {
    const market = { ...question().market, gameDueMs: Date.parse('2026-08-20T18:30:00Z') };
    const { reasons, facts } = assess(question({ market, evaluatedAtMs: Date.parse('2026-11-26T12:00:00Z') }));
    expect(reasons[0]).to.match(/^the game of this market was due by 2026-08-20, 97 days ago, /);
    expect(facts.numbers.safeSizeUsd, 'no size is OK').to.equal(0);
  });

  describe('a crossed book', () => {
    const crossed = bookOf({ bids: levels([0.5, 9_000]), asks: levels([0.5, 9_000]) });
    const said = (over: Partial<OrderQuestion>) => assess(question(over)).reasons[0];

    it('is said to be so at REST only where REST showed it', () => {
      expect(said({ book: { ...crossed, rechecked: true } })).to.match(/ and the venue's REST shows it crossed too$/);
    });

    it('is said not to have been compared where it was not', () => {
      for (const book of [crossed, { ...crossed, rechecked: false }])
        expect(said({ book })).to.match(
          / and no answer of the venue's REST to compare it with came before this verdict$/,
        );
    });

    it('has the words of the first rules in evidence of before', () => {
      expect(said({ book: crossed, rules: 1 })).to.match(/ and it was still crossed when re-checked$/);
    });
  });

  describe('properties', () => {
    const check = (property: fc.IPropertyWithHooks<[OrderQuestion]>) => fc.assert(property, { numRuns: RUNS });

    it('shows only finite numbers inside the schema, and a reason with a number in it, whatever it is asked', () => {
      check(
        fc.property(arbitraryQuestion, (requested) => {
          const { facts, reasons, verdict } = assess(requested);
          OrderNumbersSchema.parse(toNumbersBody(facts.numbers));
          expect(SEVERITY).to.have.property(verdict);
          expect(reasons).to.not.be.empty;
          for (const reason of reasons)
            expect(reason)
              .to.match(/\d/)
              .and.not.match(/NaN|Infinity|undefined|null/);
        }),
      );
    });

    it('calls safe the largest size that passes: one cent more does not', () => {
      let positive = 0;
      check(
        fc.property(arbitraryQuestion, (requested) => {
          const safe = assess(requested).facts.numbers.safeSizeUsd;
          if (safe > 0) {
            positive++;
            expect(assess({ ...requested, usd: safe }).verdict).to.equal('OK');
          }
          const more = assess({ ...requested, usd: Math.round(safe * 100 + 1) / 100 });
          // Below the market's minimum a larger size may pass, but then `safe` would have found it:
          // none does at all.
          if (safe < 10_000_000) expect(more.verdict).to.not.equal('OK');
        }),
      );
      expect(positive, 'the generator must reach books with a safe size').to.be.above(RUNS / 20);
    });

    it('finds no size that passes above the safe one', () => {
      check(
        fc.property(arbitraryQuestion, (requested) => {
          const { verdict, facts } = assess(requested);
          if (verdict === 'OK') expect(Math.floor(requested.usd * 100) / 100).to.be.at.most(facts.numbers.safeSizeUsd);
        }),
      );
    });

    it('never becomes milder as the order grows from the minimum on', () => {
      fc.assert(
        fc.property(arbitraryQuestion, arbitraryUsd, (requested, other) => {
          const [small, large] = [requested.usd, other].sort((a, b) => a - b) as [number, number];
          const before = assess({ ...requested, usd: small });
          if (before.codes.some((code) => code.startsWith('BELOW_MINIMUM'))) return;
          expect(SEVERITY[assess({ ...requested, usd: large }).verdict]).to.be.at.least(SEVERITY[before.verdict]);
        }),
        { numRuns: RUNS },
      );
    });

    it('decides from the numbers as shown: the same checks on the shown numbers give the same verdict on size', () => {
      check(
        fc.property(arbitraryQuestion, (requested) => {
          const { facts, codes } = assess(requested);
          const sizeReasons = ['BEYOND_DEPTH', 'SLIPPAGE_VETO', 'SLIPPAGE_CAUTION', 'DEPTH_CAUTION'];
          const shown = JSON.parse(JSON.stringify(facts));
          const refused = codes.some((code) => sizeReasons.includes(code) || code.startsWith('BELOW_MINIMUM'));
          expect(doesSizePass(shown)).to.equal(!refused);
        }),
      );
    });
  });
});
