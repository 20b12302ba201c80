import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { stepTicksOf } from '#local/venue/market/book-view';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { open } from './embedded-way.js';
import { type Judged, judge } from './judge.js';
import { fetchTerms, type Terms } from './terms.js';
import { fillOf, type TrueBook } from './truth.js';
import type { Check, PeerOrder, Quote } from './way.js';

const ORDER: PeerOrder = { tokenId: '1', conditionId: '0x1', usd: 55, shares: 100 };
const FEE = { rate: 0.05, exponent: 1, category: '', known: true };
const TERMS: Terms = { fee: FEE, minOrderShares: 5 };

const levels = (...asks: readonly (readonly [ticks: number, shares: number])[]) =>
  asks.map(([priceTicks, shares]) => ({ priceTicks, sizeMicros: shares * 1e6 }));
const EARLIER: TrueBook = { fromMs: 0, asks: levels([5_000, 50], [6_000, 500]), stepTicks: 100 };
const LATER: TrueBook = { fromMs: 1_000, asks: levels([5_100, 50], [6_100, 500]), stepTicks: 100 };
/** 50 shares at 0.50 and 50 at 0.60, each level with a fee of its own. */
const FEE_USD = 50 * 0.05 * 0.5 * 0.5 + 50 * 0.05 * 0.6 * 0.4;
const RIGHT: Quote = { limit: 0.6, average: 0.55, averageOfShares: 0.55, feeUsd: FEE_USD };

/** What is found to be wrong with an answer, by name. */
function faultsOf(quote: Quote, { atMs = 500, order = ORDER } = {}): readonly string[] {
  const judged = judge({ order, quote, atMs }, [EARLIER, LATER], TERMS);
  return Object.entries(judged).flatMap(([name, is]) => (is === true ? [name] : []));
}

describe('the comparison with clients of others', () => {
  it('walks the levels for USD as for the shares that they buy', () => {
    const byUsd = fillOf(EARLIER.asks, { usd: 55 }, FEE);
    expect(byUsd.shares).to.be.closeTo(100, 1e-9);
    expect(byUsd.feeUsd).to.be.closeTo(FEE_USD, 1e-9);
    expect(fillOf(EARLIER.asks, { shares: 100 }, FEE)).to.deep.include({ limit: 0.6, isWhole: true });
    expect(fillOf(EARLIER.asks, { usd: 1_000 }, FEE).isWhole).to.equal(false);
  });

  it('finds nothing wrong with an answer that is right when it comes', () => {
    expect(faultsOf(RIGHT)).to.deep.equal([]);
  });

  it('says since when an answer is not right any more', () => {
    const late = judge({ order: ORDER, quote: RIGHT, atMs: 1_040 }, [EARLIER, LATER], TERMS);
    expect(late).to.deep.include({ isOutdated: true, outdatedMs: 40, isFeeWrong: false });
  });

  it('does not take a book that is yet to come for the true one', () => {
    expect(faultsOf({ ...RIGHT, limit: 0.61, average: 55 / (50 + 29.5 / 0.61), averageOfShares: 0.56 })).to.include(
      'isUnexplained',
    );
  });

  it('tells apart a fee left out, a fee of the average price, a size too small and a price off the step', () => {
    expect(faultsOf({ ...RIGHT, feeUsd: null })).to.deep.equal(['leavesFeeOut']);
    expect(faultsOf({ ...RIGHT, feeUsd: 100 * 0.05 * 0.55 * 0.45 })).to.deep.equal(['isFeeWrong']);
    const small = { limit: 0.5, feeUsd: 0.0125 };
    const order = { ...ORDER, usd: 0.5, shares: 1 };
    expect(faultsOf(small, { order })).to.deep.equal(['hidesMinimum']);
    expect(faultsOf({ ...small, isBelowMinimum: true }, { order })).to.deep.equal([]);
    expect(faultsOf({ ...RIGHT, limit: 0.605 })).to.deep.equal(['isUnexplained', 'isOffStep']);
    expect(faultsOf({ ...RIGHT, toSend: 0.605 })).to.deep.equal(['isOffStep']);
    expect(faultsOf({ ...RIGHT, toSend: 0.61 })).to.deep.equal([]);
  });

  it('takes no answer that names no price, or a fee that is no number', () => {
    expect(() => faultsOf({ feeUsd: FEE_USD, verdict: 'VETO' })).to.throw('names no price');
    expect(faultsOf({ ...RIGHT, feeUsd: Number.NaN })).to.deep.equal(['isFeeWrong']);
  });

  it('calls a verdict wrong that the book does not give', () => {
    expect(faultsOf({ ...RIGHT, verdict: 'VETO' })).to.deep.equal([]);
    expect(faultsOf({ ...RIGHT, verdict: 'OK' })).to.deep.equal(['isUnexplained']);
  });

  describe('with the book that our own client watches', () => {
    let venue: LocalVenue;
    let check: Check;
    let terms: Terms;
    let order: PeerOrder;
    const [SLUG, STEPS] = ['mlb-hbr-rvt-2026-07-18', 40];

    before(async () => {
      venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
      const { conditionId, outcomes } = venue.markets.find(({ slug }) => slug === SLUG)!;
      order = { conditionId, tokenId: outcomes[0]!.tokenId, usd: 1_000, shares: 0 };
      terms = await fetchTerms(venue.clobUrl, conditionId);
      const url = { gamma: venue.gammaUrl, clob: venue.clobUrl, data: venue.dataUrl, ws: venue.wsUrl };
      check = await open({ url, service: null, orders: [order] });
    });
    after(() => venue.close());

    const bookFrom = (fromMs: number): TrueBook => {
      const { asksDescending, tickSize } = venue.bookOf(order.tokenId)!;
      return { fromMs, asks: [...asksDescending].reverse(), stepTicks: stepTicksOf(tickSize) };
    };
    const judgedAt = async (atMs: number, books: readonly TrueBook[]): Promise<Judged> =>
      judge({ order, quote: await check(order), atMs }, books, terms);

    it('finds its answers right in price, fee and verdict, and outdated before a change has come', async () => {
      const books = [bookFrom(0)];
      let outdated = 0;
      for (let at = 1; at <= STEPS; at++) {
        venue.step(1, SLUG);
        books.push(bookFrom(at));
        const unheard = await judgedAt(at, books);
        if (unheard.isOutdated) outdated++;
        expect(unheard).to.include({ isUnexplained: false, isFeeWrong: false });
        while ((await judgedAt(at, books)).isOutdated) await new Promise(setImmediate);
        expect(await judgedAt(at, books)).to.include({ isOutdated: false, isUnexplained: false, isFeeWrong: false });
      }
      expect(outdated).to.be.above(0);
    });
  });
});
