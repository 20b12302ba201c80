import { expect } from 'chai';
import { gatherFacts, type OrderQuestion } from '#domain/order/gather-facts';
import { seededRandom } from '#local/venue/seeded-random';
import { bookOf } from '#test/support/arbitrary-books';
import { exactNumbers } from '#test/support/exact-order';
import { randomQuestion } from '#test/support/random-questions';
import { EXACT_BOOKS } from '#test/support/size';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));

/** What doubles may hold exactly and no more: 2^53 of 1e-10 USD. */
const SAFE_USD = 900_719;

describe(`the numbers of a verdict (SEED=${SEED})`, function () {
  this.timeout(EXACT_BOOKS * 2 + 20_000);

  it(`are those of integers of any size to the last digit, on ${EXACT_BOOKS} random books`, () => {
    const random = seededRandom(SEED);
    const met = { safe: 0, large: 0, sized: 0 };
    for (let i = 0; i < EXACT_BOOKS; i++) {
      const asked = randomQuestion(random);
      const { numbers } = gatherFacts(asked);
      const exact = exactNumbers(asked);
      // Chai takes longer to compare them than all of the arithmetic.
      if (isOther(numbers, exact)) expect(numbers, `book ${i}`).to.deep.equal(exact);
      if (asked.usd <= SAFE_USD) met.safe++;
      else met.large++;
      if (numbers.safeSizeUsd > 0) met.sized++;
    }
    for (const [kind, count] of Object.entries(met)) expect(count, kind).to.be.above(EXACT_BOOKS / 50);
  });
});

describe('an order beyond the safe integers', () => {
  // 199 parts at one price and one part at another are a VWAP on half a micro-USD, which goes up.
  it('has the VWAP of the exact sum, also on a half', () => {
    for (let part = 99_999_900_001; part < 99_999_900_101; part += 2) {
      const asks = [
        { priceTicks: 4_997, sizeMicros: 199 * part },
        { priceTicks: 4_998, sizeMicros: part },
      ];
      const asked = {
        ...randomQuestion(seededRandom(1)),
        side: 'BUY',
        usd: 10_000_000,
        book: bookOf({ bids: [], asks }),
      };
      const { numbers } = gatherFacts(asked as OrderQuestion);
      expect(numbers.expectedVwap, `${part}`).to.equal(0.499701);
      expect(numbers).to.deep.equal(exactNumbers(asked as OrderQuestion));
    }
  });
});

function isOther(one: object, other: object): boolean {
  return Object.entries(one).some(([name, value]) => value !== other[name as keyof typeof other]);
}
