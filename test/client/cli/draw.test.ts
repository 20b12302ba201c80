import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { LEADERBOARD_EXAMPLE } from '#api/sandbox/sandbox-lists';
import { WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import type { Answer } from '#client/answers';
import { type Frame, frameOf } from '#client/cli/draw/frame';
import { drawOrderVerdict } from '#client/cli/draw/order-verdict';
import { drawProbe } from '#client/cli/draw/probe';
import { drawSpending } from '#client/cli/draw/spending';
import { drawStatus } from '#client/cli/draw/status';
import { drawChecks } from '#client/cli/draw/verification';
import { drawWalletList } from '#client/cli/draw/wallet-list';
import { drawWalletVerdict } from '#client/cli/draw/wallet-verdict';
import { readDemands } from '#client/terms/demand';
import { DEFAULT_LIMITS } from '#client/terms/limits';
import { newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { readFixture } from '#test/support/fixtures';
import { checkLines } from './support/checked-lines.js';

// biome-ignore lint/suspicious/noExplicitAny: a service writes whatever it wants.
type Json = any;

const screen = { isTerminal: false, size: () => ({ columns: 80, rows: 24 }), write: () => {}, flushed: async () => {} };
const frame: Frame = frameOf(screen, {});
const colours: Frame = frameOf({ ...screen, isTerminal: true }, {});
const answer = (body: Json, more: Partial<Answer<Json>> = {}): Answer<Json> => ({
  body,
  text: JSON.stringify(body),
  lane: 'x402',
  stale: false,
  cached: false,
  ...more,
});

/** An answer on a book with these asks, the best first. */
const onBook = (asks: readonly (readonly [string, string])[], more: Json = {}): Json => ({
  ...ORDER_VERDICT_EXAMPLE,
  sandbox: undefined,
  note: undefined,
  meta: { valid_until: '2026-08-01T12:00:59.580Z' },
  evidence: { payload: { book: { bids: [], asks: asks.toReversed() } }, jws: 'e30..AA' },
  paid: { credits_used: 1, credits_remaining: 492 },
  ...more,
});
const PLAN = {
  order_type: 'FOK',
  side: 'BUY',
  worst_price: '0.36',
  maker_amount: '70920000',
  taker_amount: '197000000',
  shares: '197',
  form: 'exact',
  usd_needed: '72.74955',
  usd_needed_max: '73.7568',
  unspent_usd: '0.085',
  for_client: { amount: 70.92, price: 0.36 },
  verdict: 'OK',
};
const EXAMPLE_ASKS = [
  ['0.48', '125'],
  ['0.5', '400'],
  ['0.52', '500'],
  ['0.55', '1000'],
] as const;
const manyAsks = (count: number) =>
  Array.from({ length: count }, (_, n) => [`0.${100 + n}`, String(10 + ((n * 37) % 91))] as const);

/** Every drawing there is, of one body for all. */
const DRAWINGS: Readonly<Record<string, (body: Json) => readonly string[]>> = {
  verdict: (body) => drawOrderVerdict(answer(body), frame),
  'stale verdict': (body) => drawOrderVerdict(answer(body, { stale: true }), frame),
  copy: (body) => drawWalletVerdict(answer(body), frame),
  list: (body) => drawWalletList(answer(body), frame),
  status: (body) => drawStatus(body, frame),
};

describe('what the command line draws', () => {
  it('is the levels that the order takes, the numbers that decide, and why', () => {
    const drawn = drawOrderVerdict(answer(onBook(EXAMPLE_ASKS)), frame);
    expect(drawn.join('\n')).to.equal(readFixture('cli/order-ok.txt'));
  });

  it('is at most 24 lines of 80 columns, with the best levels and the worst, and the first reasons', () => {
    const order = { side: 'BUY', usd: 900 };
    const reasons = Array.from(
      { length: 9 },
      (_, n) => `reason ${n} of nine, which is long enough to fill ${'a line '.repeat(5)}`,
    );
    checkLines(drawOrderVerdict(answer(onBook(manyAsks(200), { order, reasons, plan: PLAN })), frame), 24);
    const body = onBook(manyAsks(200), { order, reasons, verdict: 'VETO' });
    const drawn = drawOrderVerdict(answer(body, { stale: true }), frame);
    expect(drawn.join('\n')).to.equal(readFixture('cli/order-veto.txt'));
  });

  it('is of no market where the book was given', () => {
    const text = drawOrderVerdict(
      answer({
        ...ORDER_VERDICT_EXAMPLE,
        sandbox: undefined,
        market: { slug: null, question: null, outcome: null, token_id: '0' },
      }),
      frame,
    ).join('\n');
    expect(text).to.include('USD on the book given').and.to.include('The levels are those of the book given.');
    expect(text).to.not.include('nothing to take').and.to.not.match(/^\?$/m);
    expect(text)
      .to.match(/VWAP [\d.]+ {3}slippage /)
      .and.not.include('worst');
  });

  it('is what the book cannot fill, where it is too thin', () => {
    const drawn = drawOrderVerdict(answer(onBook(EXAMPLE_ASKS, { order: { side: 'BUY', usd: 2_000 } })), frame);
    expect(drawn.join('\n')).to.match(/^not filled: 930\.00 USD$/m);
  });

  it('is a wallet with its interval, and a list with names at the end of lines of their own', () => {
    const profile = drawWalletVerdict(answer({ ...WALLET_PROFILE_EXAMPLE, sandbox: undefined }), frame);
    const list = drawWalletList(answer(LEADERBOARD_EXAMPLE), frame);
    expect([...profile, '', ...list].join('\n')).to.equal(readFixture('cli/wallets.txt'));
  });

  it('is the amounts of a plan, or why there is none, where it was asked for', () => {
    const drawn = (more: Json) => drawOrderVerdict(answer(onBook(EXAMPLE_ASKS, more)), frame);
    expect(drawn({ plan: PLAN })).to.include.members([
      'plan FOK BUY 197 shares at 0.36 or better, exact: OK',
      'maker 70920000   taker 197000000   for a client 70.92 at 0.36',
      'needs 72.74955 to 73.7568 USD, leaves 0.085',
    ]);
    expect(drawn({ plan: { ...PLAN, side: 'SELL', left_shares: '0.03' } })).to.include('leaves 0.03 shares');
    expect(drawn({ plan: null, plan_reason: 'thin_book' })).to.include('no plan: thin_book');
    expect(drawn({}).join('\n')).to.not.include('plan');
  });

  it('is what it costs to get out again, and the order at rest, where they were asked for', () => {
    const drawn = (more: Json) => drawOrderVerdict(answer(onBook(EXAMPLE_ASKS, more)), frame);
    const exit = {
      ...{ side: 'SELL', shares: '197', usd: '68.95', taker_fee_usd: '1.8', verdict: 'OK', break_even_price: '0.39' },
      ...{ round_trip_cost_usd: '5.6', round_trip_cost_cents_per_share: '2.8426' },
    };
    expect(drawn({ exit })).to.include.members([
      'exit SELL 197 shares for 68.95 USD, fee 1.8: OK',
      'round trip 5.6 USD, 2.8426 c/share   break-even 0.39',
    ]);
    expect(drawn({ exit: { ...exit, break_even_price: null } }).join()).to.include('break-even at no price');
    expect(drawn({ exit: null, exit_reason: 'thin_book' })).to.include('no exit: thin_book');
    const order = { maker_amount: '9', taker_amount: '30', shares: '0.00003', usd: '0.000009' };
    const limit = { side: 'BUY', price: '0.3', crosses: false, order };
    const queue_ahead = { better_shares: '10', same_price_shares: '5' };
    expect(drawn({ limit: { ...limit, queue_ahead } })).to.include.members([
      'limit BUY at 0.3 rests   ahead 10 better, 5 at the price',
      'maker 9   taker 30   0.00003 shares, 0.000009 USD',
    ]);
    expect(drawn({ limit: { ...limit, order: null, order_reason: 'off_tick' } })).to.include('no order: off_tick');
  });

  it('says of an example and of an old answer that nobody may act upon it', () => {
    expect(drawOrderVerdict(answer(ORDER_VERDICT_EXAMPLE), frame)[0]).to.match(/^OK \(example\) {2}BUY/);
    expect(drawOrderVerdict(answer(onBook(EXAMPLE_ASKS), { stale: true }), frame)[0]).to.match(/^OK \(stale\) {2}BUY/);
  });

  it('takes the levels of the evidence until the order is filled, to the micro-dollar', async () => {
    const home = newEvidenceFixture();
    const property = fc.asyncProperty(arbitraryDatedQuestion, async (requested) => {
      const body = JSON.parse(await answerWithEvidence(requested, home));
      const drawn = drawOrderVerdict(answer(body), frame);
      checkLines(drawn, 24);
      const { numbers } = body;
      // A verdict with a book shows its worst price, which is no better than the average one.
      const worst = Number(/worst (\S+)/.exec(drawn.join('\n'))?.[1]);
      if (numbers.expected_vwap === 0 || numbers.visible_depth_usd === 0) return;
      const isWorse =
        requested.side === 'BUY' ? worst >= numbers.expected_vwap - 1e-6 : worst <= numbers.expected_vwap + 1e-6;
      expect(isWorse, drawn.join('\n')).to.equal(true);
    });
    await fc.assert(property, { numRuns: 40 }).finally(() => home.remove());
  });

  it('has colours only on a terminal that wants them', () => {
    const drawnOn = (isTerminal: boolean, env: Record<string, string>) =>
      drawOrderVerdict(answer(onBook(EXAMPLE_ASKS)), frameOf({ ...screen, isTerminal }, env)).join('\n');
    expect(drawnOn(true, {})).to.include('\u001b[32mOK\u001b[0m');
    expect(drawnOn(true, { NO_COLOR: '' })).to.include('\u001b[');
    for (const plain of [drawnOn(true, { NO_COLOR: '1' }), drawnOn(false, {}), drawnOn(true, { TERM: 'dumb' })]) {
      expect(plain).to.not.include('\u001b');
    }
  });

  it('fits a terminal that is small', () => {
    const small = frameOf({ ...screen, size: () => ({ columns: 44, rows: 18 }) }, {});
    checkLines(drawOrderVerdict(answer(onBook(manyAsks(50), { order: { side: 'BUY', usd: 500 } })), small), 18, 44);
  });
});

describe('texts of strangers', () => {
  const HOSTILE = [
    '\u001b[2J\u001b[H\u001b]0;owned\u0007',
    '\u009b31m\r\nOK  BUY 1 USD',
    'evil\u202eDEVORPPA\u2066\u2067\u200f\u061c',
    '\u2028\u2029\u0085\u000b\u000c',
    '\u{e0041}\u{e0042}\ufeff\u2060\u00ad\u3164\u034f',
    `Z${'\u0335\u0324\u031b'.repeat(50)}`,
    '\ud800 lone \udfff',
    '漢字かな한글🇩🇪👩‍👩‍👧‍👦'.repeat(20),
    '\ud83d\ude00'.repeat(300),
    'x'.repeat(100_000),
    '',
  ];

  /** The body with each of its texts replaced. */
  const withTexts = (value: Json, text: string): Json => {
    if (typeof value === 'string') return text;
    if (Array.isArray(value)) return value.map((inner) => withTexts(inner, text));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, text)]));
  };
  const BODIES: readonly Json[] = [
    onBook(EXAMPLE_ASKS),
    onBook(EXAMPLE_ASKS, { plan: PLAN }),
    onBook(EXAMPLE_ASKS, { plan: null, plan_reason: 'thin_book' }),
    WALLET_PROFILE_EXAMPLE,
    LEADERBOARD_EXAMPLE,
    { status: 'x', degraded_by: ['a'], components: { store: { ok: false, error: 'e' } }, books: {}, ratings: {} },
  ];

  it('are shown without what acts on a terminal or turns the writing direction, and break no column', () => {
    for (const text of HOSTILE) {
      for (const body of BODIES) {
        for (const [name, draw] of Object.entries(DRAWINGS)) {
          checkLines(draw(withTexts(body, text)), name === 'list' || name === 'status' ? 400 : 24);
        }
      }
      checkLines(drawChecks([{ name: 'issuer', holds: false, says: text }], frame), 6);
    }
  });

  it('are shown harmless whatever they are', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const property = fc.property(
      text,
      fc.constantFrom(...BODIES),
      fc.constantFrom(...Object.values(DRAWINGS)),
      (a, body, draw) => checkLines(draw(withTexts(body, a)), 400),
    );
    fc.assert(property, { numRuns: 80 });
  });

  it('may be of any form: what is not what the interface says is a question mark', () => {
    const property = fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(DRAWINGS)), (body, draw) =>
      checkLines(draw(body), 400),
    );
    fc.assert(property, { numRuns: 80 });
    expect(DRAWINGS.verdict!({}).join('\n')).to.include('best ?   VWAP ?');
  });

  it('colour nothing: a verdict is painted by its own word, and what it is cut off from keeps its end', () => {
    const drawn = drawOrderVerdict(answer(withTexts(onBook(EXAMPLE_ASKS), '\u001b[31mVETO'.repeat(30))), colours);
    checkLines(drawn.map(stripVTControlCharacters), 24);
  });

  it('in demands and open purchases are shown harmless too', () => {
    const entry = {
      scheme: HOSTILE[0],
      network: HOSTILE[2],
      amount: HOSTILE[1],
      asset: HOSTILE[3],
      payTo: HOSTILE[4],
      maxTimeoutSeconds: 60,
    };
    const terms = { x402Version: 2, accepts: [entry] };
    const demands = readDemands({ header: btoa(JSON.stringify(terms).replaceAll(/[^\x20-\x7e]/g, 'x')), body: '' });
    expect(demands).to.have.length(1);
    const fault = { rule: 'asset_mismatch', expected: HOSTILE[0]!, found: HOSTILE[2]! } as const;
    checkLines(drawProbe({ demands: demands.map((one) => ({ ...one, payTo: HOSTILE[2]! })), fault }, frame), 24);
    const request = { method: 'GET', url: `https://a.example/${HOSTILE[0]}`, body: null } as const;
    const lane = { kind: 'credits', idempotencyKey: 'k' } as const;
    const open = [{ version: 1, id: 'a', payer: '0x', requestId: 'r', request, begunAtMs: 0, lane }] as const;
    checkLines(drawSpending({ payer: '0x', limits: DEFAULT_LIMITS, cents: 4, packs: 0, open, damaged: [] }, frame), 24);
  });
});
