import fc from 'fast-check';
import { OrderRequestSchema } from '#api/order-request';
import { OrderVerdictSchema } from '#api/order-verdict';
import { OrderBook } from '#domain/book/order-book';
import type { Market } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { Verdicts } from '#services/orders/verdicts';
import { bookHash } from '#wire/polymarket/book-hash';
import { arbitraryQuestion } from './arbitrary-books.js';
import type { EvidenceFixture } from './evidence-fixture.js';
import { ManualClock } from './manual-clock.js';
import { sampleMarket } from './sample-markets.js';

/** A question with what the arithmetic does not ask for, but an answer shows. */
export interface DatedQuestion extends OrderQuestion {
  readonly facts: Pick<Market, 'slug' | 'question' | 'matchingDelayS' | 'negRisk'>;
  readonly requestedAtMs: number;
  readonly listed: boolean;
  /** Whether the venue sent a hash with the book. */
  readonly hashed: boolean;
}

/** Any question at all, on a market and at a moment of its own. */
export const arbitraryDatedQuestion: fc.Arbitrary<DatedQuestion> = fc
  .record({
    question: arbitraryQuestion,
    facts: fc.record({
      slug: fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== ''),
      question: fc.string({ unit: 'grapheme', maxLength: 60 }),
      matchingDelayS: fc.constantFrom(0, 0, 3),
      negRisk: fc.boolean(),
    }),
    requestedAtMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    listed: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    hashed: fc.boolean(),
  })
  .map(({ question, ...rest }) => ({ ...question, ...rest }));

/** Returns the answer of the service's own code to a question, with evidence, as text. */
export async function answerWithEvidence(
  requested: DatedQuestion,
  { evidenceOf }: EvidenceFixture,
  more: { readonly plan?: 1; readonly exit?: 1; readonly limit_price?: number; readonly post_only?: 1 } = {},
): Promise<string> {
  const { side, usd, thresholds, bookAgeMs } = requested;
  const market = { ...sampleMarket(7), ...requested.market, ...requested.facts };
  const [outcome] = market.outcomes;
  const target = { market, outcome: outcome! };
  const verdicts = new Verdicts({
    markets: { resolve: async () => target, resolveCached: () => target },
    books: {
      getBook: async () => ({ book: bookOf(requested, market), ageMs: bookAgeMs }),
      getCached: () => null,
      isCached: () => true,
    },
    clock: new ManualClock(requested.requestedAtMs),
    evidenceOf,
    overtakenOf: () => null,
  });
  const request = {
    slug: market.slug,
    side,
    usd,
    max_slippage_c: thresholds.slippageCautionCents,
    veto_slippage_c: thresholds.slippageVetoCents,
    max_book_age_s: thresholds.bookStaleVetoS,
    evidence: 1,
    ...more,
  };
  const { text } = await verdicts.judge(OrderRequestSchema.parse(request));
  return JSON.stringify(OrderVerdictSchema.parse(JSON.parse(text)));
}

function bookOf({ book, hashed, listed }: DatedQuestion, { conditionId, outcomes, negRisk }: Market): OrderBook {
  const { tokenId } = outcomes[0]!;
  const made = new OrderBook(tokenId, conditionId);
  if (!listed) {
    made.markUnlisted(0);
    return made;
  }
  const fields = { minOrderSize: '5', tickSize: '0.01', negRisk, lastTradePrice: '0.490' };
  const about = { ...fields, tokenId, conditionId, timestampMs: 1_784_000_000_123 };
  const [bids, asks] = [[...book.bids.levels()], [...book.asks.levels()]];
  const hash = hashed ? bookHash({ ...about, bidsAscending: bids, asksDescending: asks }) : null;
  made.applySnapshot({ ...about, bids, asks, hash }, 0);
  return made;
}
