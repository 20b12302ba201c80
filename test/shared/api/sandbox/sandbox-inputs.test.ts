import { expect } from 'chai';
import { OPERATIONS } from '#api/operations';
import type { OrderVerdict } from '#api/order-verdict';
import { TOOLS } from '#api/prices';
import { SANDBOX_INPUTS, sandboxAnswer } from '#api/sandbox/sandbox-inputs';
import { CANDIDATES } from '#api/sandbox/sandbox-orders';
import { EXAMPLE_WALLETS } from '#api/sandbox/sandbox-wallets';
import { NoCoverageSchema, QueuedSchema } from '#api/wallets/wallet-profile';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { toNumbersBody } from '#judge/verdict-body';
import { bookOf, OPEN } from '#test/support/arbitrary-books';

/** The invented book of src/shared/api/sandbox/sandbox.ts. */
const BOOK = bookOf({
  bids: [],
  asks: [
    [48, 125],
    [50, 400],
    [52, 500],
    [55, 1_000],
  ].map(([cents, shares]) => ({ priceTicks: cents! * 100, sizeMicros: shares! * 1e6 })),
});

const bodyOf = (slug: string, outcome?: string) => {
  const answer = sandboxAnswer('preflight_trade', { slug, outcome });
  if (answer?.kind !== 'answer') throw new Error(`${slug}: ${answer?.kind}`);
  return OPERATIONS.preflight_trade.response.parse(JSON.parse(answer.body)) as OrderVerdict;
};

describe('documented inputs of the sandbox', () => {
  for (const [slug, verdict] of [
    ['sandbox-ok', 'OK'],
    ['sandbox-caution', 'CAUTION'],
    ['sandbox-veto', 'VETO'],
    ['sandbox-stale', 'VETO'],
  ] as const) {
    it(`give for ${slug} what the real verdict says of its order: ${verdict}`, () => {
      const { order, numbers, reasons, ...body } = bodyOf(slug);
      const judged = assess({
        side: order.side,
        usd: order.usd,
        thresholds: DEFAULT_THRESHOLDS,
        market: {
          fee: { rate: 0.04, exponent: 1, category: numbers.fee_category, known: true },
          minOrderShares: 5,
          status: OPEN,
        },
        book: BOOK,
        bookAgeMs: numbers.book_age_seconds * 1_000,
      });
      expect({ verdict: judged.verdict, reasons: judged.reasons }).to.deep.equal({ verdict, reasons });
      expect(toNumbersBody(judged.facts.numbers)).to.deep.equal(numbers);
      expect(body).to.deep.include({ verdict, sandbox: true });
      expect(body.market.slug).to.equal(slug);
    });
  }

  it('refuse an event until one of its candidates is chosen', () => {
    for (const outcome of [undefined, 'Red', 7, '__proto__']) {
      const refused = sandboxAnswer('preflight_trade', { slug: 'sandbox-candidates', outcome });
      if (refused?.kind !== 'refused') throw new Error(String(refused?.kind));
      expect([refused.problem.code, refused.problem.candidates]).to.deep.equal(['outcome_required', CANDIDATES]);
    }
    for (const outcome of CANDIDATES) {
      expect(bodyOf('sandbox-candidates', outcome)).to.deep.include({ verdict: 'OK', sandbox: true });
      expect(bodyOf('sandbox-candidates', outcome).market.outcome).to.equal(outcome);
      // Written as live answers take it.
      expect(bodyOf('sandbox-candidates', ` ${outcome.toUpperCase()} `).market.outcome).to.equal(outcome);
    }
  });

  it('give each verdict of a wallet, however its address is written', () => {
    const { STEADY, HOPEFUL, LOSING, NEWCOMER, RARE } = EXAMPLE_WALLETS;
    const verdicts = [
      [STEADY, 'COPY'],
      [HOPEFUL, 'WATCH'],
      [LOSING, 'VETO'],
    ] as const;
    for (const [{ wallet, name }, verdict] of verdicts) {
      for (const args of [{ wallet }, { user: wallet }, { wallet: wallet.replace('0x', '0X') }]) {
        const answer = sandboxAnswer('preflight_copy', args);
        const body = answer?.kind === 'answer' && OPERATIONS.preflight_copy.response.parse(JSON.parse(answer.body));
        expect(body).to.include({ wallet, name, verdict, sandbox: true });
      }
    }
    const rare = sandboxAnswer('preflight_copy', { wallet: RARE.wallet });
    expect(NoCoverageSchema.parse(rare?.kind === 'answer' && JSON.parse(rare.body)).wallet).to.equal(RARE.wallet);
    const queued = sandboxAnswer('preflight_copy', { wallet: NEWCOMER.wallet });
    if (queued?.kind !== 'queued') throw new Error(String(queued?.kind));
    expect(QueuedSchema.parse(JSON.parse(queued.body)).retry_after_seconds).to.equal(queued.retryAfterS);
    expect(OPERATIONS.preflight_copy.response.parse(JSON.parse(queued.later))).to.include(NEWCOMER);
  });

  it('are all of them known to the tool that they belong to, and to no other', () => {
    for (const { tool, parameter, value } of SANDBOX_INPUTS) {
      for (const requested of TOOLS) {
        expect(sandboxAnswer(requested, { [parameter]: value }) !== null, `${requested} ${value}`).to.equal(
          requested === tool,
        );
      }
    }
  });

  it('leave every other call the one example of its tool', () => {
    const others = [
      undefined,
      null,
      'sandbox-ok',
      {},
      { slug: 'a-real-market' },
      { slug: ['sandbox-ok'] },
      { token_id: '1' },
    ];
    for (const raw of [...others, { wallet: `0x${'ab'.repeat(20)}` }, { slug: '__proto__' }, new Error('no body')]) {
      for (const tool of TOOLS) expect(sandboxAnswer(tool, raw)).to.equal(null);
    }
  });
});
