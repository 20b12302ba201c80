import { expect } from 'chai';
import fc from 'fast-check';
import type { Fill } from '#domain/rating/fill';
import { rateSums } from '#domain/rating/rate-sums';
import type { RatingSums } from '#domain/rating/rating-sums';
import { sumWallet } from '#domain/rating/sum-wallet';
import { arbitraryTape, type Tape } from '#test/support/arbitrary-tapes';
import { PROPERTY_RUNS } from '#test/support/size';
import { CONFIG } from '../support/tape-fixtures.js';

/** A tape costs as much as a hundred small values. */
const RUNS = { numRuns: PROPERTY_RUNS / 100 };

const walletsOf = ({ fills }: Tape) => [...new Set(fills.map(({ wallet }) => wallet))];

const sumAll = (tape: Tape): readonly RatingSums[] =>
  walletsOf(tape)
    .toSorted()
    .map((wallet) => sumWallet(wallet, tape.fills, tape.markets, tape.asOfS, CONFIG));

/** Tapes and an order of their fills. */
const tapeAndOrder = arbitraryTape().chain((tape) =>
  fc.tuple(fc.constant(tape), fc.shuffledSubarray([...tape.fills], { minLength: tape.fills.length })),
);

/** Tapes and some of their fills. */
const tapeAndSome = arbitraryTape().chain((tape) => fc.tuple(fc.constant(tape), fc.subarray([...tape.fills])));

/** Every number of a value, however deep. */
function numbersOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersOf) : [];
}

describe('sumWallet, on any tape', () => {
  it('does not care for the order of fills', () => {
    fc.assert(
      fc.property(tapeAndOrder, ([tape, fills]) => {
        expect(sumAll({ ...tape, fills })).to.deep.equal(sumAll(tape));
      }),
      RUNS,
    );
  });

  it('does not care how often a fill is told, with its log position or without', () => {
    fc.assert(
      fc.property(tapeAndSome, ([tape, some]) => {
        const fills = [...some.map((fill): Fill => ({ ...fill, logIndex: null })), ...tape.fills, ...some];
        expect(sumAll({ ...tape, fills })).to.deep.equal(sumAll(tape));
      }),
      RUNS,
    );
  });

  it('does not care into how many fills an order was cut', () => {
    const inOnePiece = arbitraryTape().map((tape) => ({
      ...tape,
      fills: tape.fills.map((fill, index): Fill => ({ ...fill, tx: fill.tx || '0x0', logIndex: 2 * index })),
    }));
    const cut = (fill: Fill): readonly Fill[] => {
      if (fill.sizeMicros < 2 * CONFIG.fillSharesMicrosMin) return [fill];
      const part = Math.floor(fill.sizeMicros / 2);
      const rest = { ...fill, sizeMicros: fill.sizeMicros - part, logIndex: fill.logIndex! + 1 };
      return [{ ...fill, sizeMicros: part }, rest];
    };
    fc.assert(
      fc.property(inOnePiece, (tape) => {
        expect(sumAll({ ...tape, fills: tape.fills.flatMap(cut) })).to.deep.equal(sumAll(tape));
      }),
      RUNS,
    );
  });

  it('sees neither what comes later nor what others do', () => {
    fc.assert(
      fc.property(arbitraryTape(), (tape) => {
        const [wallet = '0xw1'] = walletsOf(tape);
        const fills = tape.fills.filter((fill) => fill.wallet === wallet && fill.timeS < tape.asOfS);
        const markets = new Map(
          [...tape.markets].map(([condition, market]) =>
            market.resolvedAtS !== null && market.resolvedAtS > tape.asOfS
              ? [condition, { ...market, resolvedAtS: null, payoutMicros: null }]
              : [condition, market],
          ),
        );
        const existing = sumWallet(wallet, fills, markets, tape.asOfS, CONFIG);
        expect(existing).to.deep.equal(sumWallet(wallet, tape.fills, tape.markets, tape.asOfS, CONFIG));
      }),
      RUNS,
    );
  });

  it('keeps its counts consistent', () => {
    fc.assert(
      fc.property(arbitraryTape(), (tape) => {
        for (const sums of sumAll(tape)) {
          const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
          const { older, inSample, outOfSample, window, firstEntries } = sums;
          expect(total(sums.priceBuckets)).to.equal(firstEntries);
          expect(total(Object.values(sums.categories))).to.equal(firstEntries);
          expect(sums.resolved + sums.earlyResolved).to.be.at.most(firstEntries);
          expect(sums.clips).to.be.at.least(firstEntries);
          expect(sums.bothSidedMarkets).to.be.at.most(sums.markets);
          expect(sums.markets).to.be.at.most(firstEntries);
          expect(sums.wins).to.be.at.most(sums.resolved);
          expect(window.entries).to.be.at.most(sums.resolved);
          expect(older.entries + inSample.entries + outOfSample.entries).to.be.at.most(window.entries);
          expect(window.returnFeeNano <= window.returnSlippageNano).to.equal(true);
          expect(window.events).to.be.at.most(window.entries);
        }
      }),
      RUNS,
    );
  });

  it('makes ratings of finite numbers, also where there is next to nothing', () => {
    const tapes = fc.oneof(arbitraryTape(), arbitraryTape({ wallets: 2, conditions: 2, starts: 3 }));
    fc.assert(
      fc.property(tapes, (tape) => {
        for (const sums of sumAll(tape)) {
          const rating = rateSums(sums, tape.asOfS, CONFIG);
          expect(numbersOf(rating).every(Number.isFinite), JSON.stringify(rating)).to.equal(true);
          expect(rating.reasonText).to.not.match(/null|NaN|undefined|-0\b(?!\.)/);
        }
      }),
      RUNS,
    );
  });
});
