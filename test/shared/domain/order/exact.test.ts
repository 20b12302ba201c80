import { expect } from 'chai';
import fc from 'fast-check';
import { Doubles } from '#domain/order/doubles';
import { exact } from '#domain/order/exact';
import { factsBy, gatherFacts, type OrderQuestion } from '#domain/order/gather-facts';
import { seededRandom } from '#local/venue/market/seeded-random';
import { arbitraryQuestion, bookOf } from '#test/support/arbitrary-books';
import { randomQuestion } from '#test/support/random-questions';
import { EXACT_BOOKS, PROPERTY_RUNS } from '#test/support/size';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));

/** What doubles hold exactly and no more: 2^53 of 1e-10 USD, in micro-USD. */
const BORDER_MICROS = Math.floor(Number.MAX_SAFE_INTEGER / 10_000);

/**
 * Returns the facts as they are decided on, which have to be the exact ones, and whether doubles
 * had them.
 */
function factsOf(question: OrderQuestion) {
  const doubles = new Doubles();
  factsBy(doubles, question);
  const facts = gatherFacts(question);
  expectSame(facts.numbers, factsBy(exact, question).numbers);
  return { facts, inDoubles: doubles.certain };
}

/** Chai takes longer to compare them than all of the arithmetic. */
function expectSame(numbers: object, others: object): void {
  const isOther = Object.entries(numbers).some(([name, value]) => value !== others[name as keyof typeof others]);
  if (isOther) expect(numbers).to.deep.equal(others);
}

/** Orders and sides around the border, some of a few levels and some of many. */
const nearBorder = fc
  .tuple(arbitraryQuestion, fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 20 }))
  .map(([question, off, parts]): OrderQuestion => {
    const levels = Array.from({ length: parts }, (_, depth) => ({
      priceTicks: 5_000 + depth,
      sizeMicros: Math.floor((BORDER_MICROS * 2) / parts) + off,
    }));
    const bids = levels.map((level) => ({ ...level, priceTicks: 9_999 - level.priceTicks }));
    const book = { ...bookOf({ bids, asks: levels }), listed: true };
    return { ...question, usd: (BORDER_MICROS + off) / 1e6, book };
  });

describe(`the numbers of an order in doubles (SEED=${SEED})`, function () {
  this.timeout(EXACT_BOOKS * 2 + 20_000);

  it(`are the exact ones to the last digit, on ${EXACT_BOOKS} random books`, () => {
    const random = seededRandom(SEED);
    const met = { inDoubles: 0, inIntegers: 0, sized: 0 };
    for (let i = 0; i < EXACT_BOOKS; i++) {
      const { facts, inDoubles } = factsOf(randomQuestion(random));
      met[inDoubles ? 'inDoubles' : 'inIntegers']++;
      if (facts.numbers.safeSizeUsd > 0) met.sized++;
    }
    for (const [kind, count] of Object.entries(met)) expect(count, kind).to.be.above(EXACT_BOOKS / 50);
  });

  it('are the exact ones on both sides of 2^53 of notional, beyond which they are not certain', () => {
    fc.assert(
      fc.property(nearBorder, (question) => {
        const { inDoubles } = factsOf(question);
        if (Math.round(question.usd * 1e6) > BORDER_MICROS) expect(inDoubles).to.equal(false);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });

  it('are the exact ones in any question', () => {
    fc.assert(
      fc.property(arbitraryQuestion, (question) => void factsOf(question)),
      { numRuns: PROPERTY_RUNS },
    );
  });

  // 199 parts at one price and one part at another are a VWAP on half a micro-USD, which goes up.
  it('are not certain of a VWAP on a half, which goes up', () => {
    for (let part = 99_901; part < 100_001; part += 2) {
      const asks = [
        { priceTicks: 4_997, sizeMicros: 199 * part },
        { priceTicks: 4_998, sizeMicros: part },
      ];
      const question: OrderQuestion = {
        ...randomQuestion(seededRandom(1)),
        side: 'BUY',
        usd: 100,
        book: bookOf({ bids: [], asks }),
      };
      const { facts, inDoubles } = factsOf(question);
      expect([facts.numbers.expectedVwap, inDoubles], `${part}`).to.deep.equal([0.499701, false]);
    }
  });
});
