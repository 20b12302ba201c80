import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderVerdict } from '#api/order-verdict';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { CAUTION_EXAMPLE, VETO_EXAMPLE } from '#api/sandbox/sandbox-orders';
import { parseTokenId } from '#domain/ids';
import { parseJson } from '#domain/json';
import { toLiveBook, toMarketFacts } from '#page/model/book/live-book';
import { readBook } from '#page/model/market/read-received';
import { judge, type Scene } from '#page/model/order/judge';
import { NUMBER_MEANINGS } from '#page/model/order/number-meanings';
import { FIELDS_START, type OrderFields, readOrder } from '#page/model/order/order-input';
import { newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';

const SEED = Number(process.env.SEED ?? 11);
const ANSWERS = 200;

const exampleScene: Scene = {
  shown: { slug: 's', question: 'q', minOrderShares: 5, matchingDelayS: 0 },
  outcome: { label: 'Yes', tokenId: parseTokenId('1234567890')! },
  market: toMarketFacts(DEMO_EXAMPLE.market, DEMO_EXAMPLE.market.status),
  sides: toLiveBook(DEMO_EXAMPLE.book).sides,
  bookAgeMs: 420,
};
const requested = (change: Partial<OrderFields>) => {
  const reading = readOrder({ ...FIELDS_START, ...change });
  if (reading.kind === 'invalid') throw new Error(reading.why);
  return reading.order;
};

/** The answer as the page would show it, from nothing but the text of an answer with evidence. */
function shownFor({ evidence, meta }: OrderVerdict) {
  const { request, market, book } = evidence!.payload;
  const received = readBook(parseJson(JSON.stringify({ ...book, doubt: null, trusted: true })))!;
  const fields = {
    side: request.side,
    usd: String(request.usd),
    maxSlippageC: String(request.max_slippage_c),
    vetoSlippageC: String(request.veto_slippage_c),
    maxBookAgeS: String(request.max_book_age_s),
  };
  const scene: Scene = {
    shown: {
      ...exampleScene.shown,
      slug: market.slug,
      question: market.question,
      minOrderShares: market.min_order_shares,
      matchingDelayS: market.matching_delay_s,
    },
    outcome: { label: market.outcome, tokenId: parseTokenId(market.token_id)! },
    market: toMarketFacts(
      {
        ...DEMO_EXAMPLE.market,
        fee: market.fee,
        min_order_shares: market.min_order_shares,
        game_due_at: market.game_due_at ?? null,
      },
      market.status,
    ),
    sides: toLiveBook(received).sides,
    bookAgeMs: received.confirmed_age_ms,
  };
  return judge(requested(fields), scene, Date.parse(meta!.evaluated_at)).body;
}

describe('What the page shows for an order', () => {
  const fixture = newEvidenceFixture();
  after(() => fixture.remove());

  it(`is the answer of the service to the last digit, in ${ANSWERS} answers with evidence`, async function () {
    this.timeout(30_000);
    const questions = fc.sample(arbitraryDatedQuestion, { seed: SEED, numRuns: ANSWERS });
    const verdicts = new Set<string>();
    for (const question of questions) {
      const answer = JSON.parse(await answerWithEvidence(question, fixture)) as OrderVerdict;
      const { evidence: _, ...wanted } = answer;
      expect(JSON.parse(JSON.stringify(shownFor(answer))), `SEED=${SEED}`).to.deep.equal(wanted);
      verdicts.add(answer.verdict);
    }
    expect([...verdicts].sort()).to.deep.equal(['CAUTION', 'OK', 'VETO']);
  });

  for (const { order, verdict, numbers, reasons } of [ORDER_VERDICT_EXAMPLE, CAUTION_EXAMPLE, VETO_EXAMPLE]) {
    it(`is the documented example for ${order.usd} USD on its book: ${verdict}`, () => {
      const { body } = judge(requested({ usd: String(order.usd) }), exampleScene, 0);
      expect(body).to.deep.include({ verdict, numbers, reasons });
    });
  }

  it('names and explains every number of the answer, in its order', () => {
    expect(NUMBER_MEANINGS.map(({ key }) => key)).to.deep.equal(Object.keys(ORDER_VERDICT_EXAMPLE.numbers));
  });

  it('fills the levels that are taken, the last one in part', () => {
    const { taken, safeTaken } = judge(requested({ usd: '100' }), exampleScene, 0);
    expect(taken).to.deep.equal({ fullLevels: 1, lastPart: 0.2, worstTicks: 5_000 });
    expect(safeTaken).to.deep.equal({ fullLevels: 1, lastPart: 0.3125, worstTicks: 5_000 });
  });

  it('becomes a VETO of itself when nobody confirms the book any more', () => {
    const at = (bookAgeMs: number) => judge(requested({}), { ...exampleScene, bookAgeMs }, 0).body.verdict;
    expect([at(60_000), at(60_001)]).to.deep.equal(['OK', 'VETO']);
  });

  it('takes the safe size as OK, and a cent more as not', () => {
    const safe = judge(requested({}), exampleScene, 0).body.numbers.safe_size_usd;
    const verdictOf = (usd: number) => judge(requested({ usd: String(usd) }), exampleScene, 0).body.verdict;
    expect([verdictOf(safe), verdictOf(safe + 0.01)]).to.deep.equal(['OK', 'CAUTION']);
  });
});

describe('The fields of an order', () => {
  for (const [what, change, field] of [
    ['nothing as size', { usd: '' }, 'usd'],
    ['words as size', { usd: 'all of it' }, 'usd'],
    ['zero', { usd: '0' }, 'usd'],
    ['a size below zero', { usd: '-5' }, 'usd'],
    ['infinity', { usd: '1e999' }, 'usd'],
    ['a separator of thousands', { usd: '1,250' }, 'usd'],
    ['a limit below zero', { maxSlippageC: '-1' }, 'maxSlippageC'],
    ['more than can be asked', { usd: '10000000.01' }, 'usd'],
    ['a veto below the caution', { maxSlippageC: '5', vetoSlippageC: '4' }, 'vetoSlippageC'],
    ['slippage above a dollar', { vetoSlippageC: '101' }, 'vetoSlippageC'],
    ['cents that are none', { maxSlippageC: 'x' }, 'maxSlippageC'],
    ['an age of nothing', { maxBookAgeS: '0' }, 'maxBookAgeS'],
    ['an age above a day', { maxBookAgeS: '86401' }, 'maxBookAgeS'],
  ] as const) {
    it(`say what to do about ${what}, instead of judging`, () => {
      const reading = readOrder({ ...FIELDS_START, ...change });
      expect(reading).to.include({ kind: 'invalid', field });
    });
  }

  it('take a number in every form that the service takes', () => {
    expect(requested({ usd: ' 1.25e6 ' }).usd).to.equal(1_250_000);
    expect(requested({ usd: '.5' }).usd).to.equal(0.5);
  });
});
