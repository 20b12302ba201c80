import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseEvaluation } from '#api/evaluate/evaluate-request';
import type { EvidencePayload } from '#api/evidence';
import { OrderVerdictSchema } from '#api/order-verdict';
import { evaluate } from '#judge/evaluate';
import { type EvidenceFixture, newEvidenceFixture } from '#test/support/evidence-fixture';
import { answerWithEvidence, arbitraryDatedQuestion } from '#test/support/evidenced-answers';
import { EVALUATED_BODIES, EVIDENCE_RUNS } from '#test/support/size';
import { ROOT } from '#test/support/source-tree';

const NOW_MS = Date.parse('2026-11-26T12:00:00Z');
const BOOK = {
  bids: [
    ['0.46', '500'],
    ['0.47', '300'],
  ],
  asks: [
    ['0.48', '250'],
    ['0.49', '900'],
  ],
  tick_size: '0.01',
};

function evaluated(body: object) {
  const parsed = parseEvaluation(body);
  if (parsed.kind === 'invalid') throw new Error(parsed.message);
  return evaluate(parsed.args, NOW_MS);
}

/** What an evaluation cannot say is as it takes it to be: the market takes orders, and the book is listed. */
const OPEN = { active: true, closed: false, acceptingOrders: true, orderBookEnabled: true, umaResolutionStatus: '' };
const arbitraryOpenQuestion = arbitraryDatedQuestion.map((asked) => ({
  ...asked,
  market: { ...asked.market, status: OPEN },
  listed: true,
}));

/** What may be asked for beside the verdict. */
const arbitraryAdditions = fc.record(
  {
    plan: fc.constant(1 as const),
    exit: fc.constant(1 as const),
    limit_price: fc.integer({ min: 1, max: 9_999 }).map((ticks) => ticks / 1e4),
  },
  { requiredKeys: [] },
);

/** What was signed of a live answer, as an evaluation takes it. */
function bodyOf({ request, market, book, asked_at }: EvidencePayload): object {
  const { slug, token_id, outcome, evidence, ...order } = request as Record<string, unknown>;
  return {
    ...order,
    book: { bids: book.bids, asks: book.asks, asset_id: market.token_id },
    fee: market.fee,
    min_order_shares: market.min_order_shares,
    matching_delay_s: market.matching_delay_s,
    game_due_at: market.game_due_at ?? null,
    rechecked: book.rechecked ?? false,
    age_s: book.confirmed_age_ms / 1e3,
    tick_size: book.hash_fields.tick_size ?? undefined,
    neg_risk: book.hash_fields.neg_risk ?? undefined,
    evaluated_at: asked_at,
  };
}

describe('an order on a book that the caller brings', function () {
  this.timeout(600_000);
  let home: EvidenceFixture;
  beforeEach(() => {
    home = newEvidenceFixture();
  });
  afterEach(() => home.remove());

  it(`gets the ${EVIDENCE_RUNS} answers that it got live, to the byte, but for their markets`, async () => {
    let compared = 0;
    const property = fc.asyncProperty(arbitraryOpenQuestion, arbitraryAdditions, async (asked, additions) => {
      const {
        market: _m,
        evidence,
        paid: _p,
        overtaken: _o,
        ...live
      } = JSON.parse(await answerWithEvidence(asked, home, additions));
      const { payload } = evidence as { readonly payload: EvidencePayload };
      const { market, note, ...again } = evaluated({ ...bodyOf(payload), ...additions });
      expect(JSON.stringify(again)).to.equal(JSON.stringify(live));
      expect([market.slug, note]).to.deep.equal([
        null,
        'Computed on the book that you sent. Nothing was looked up, charged or stored.',
      ]);
      compared++;
    });
    await fc.assert(property, { numRuns: EVIDENCE_RUNS });
    expect(compared).to.equal(EVIDENCE_RUNS);
  });

  it('has the form of a verdict, with a plan, an exit and a resting order where they are asked for', () => {
    const verdict = evaluated({ book: BOOK, side: 'BUY', usd: 100, plan: true, exit: true, limit_price: 0.47 });
    expect(OrderVerdictSchema.safeParse(verdict).error).to.equal(undefined);
    expect(verdict).to.include({ verdict: 'OK' });
    expect(verdict.plan).to.include({ worst_price: '0.48', tick_size: '0.01' });
    expect(verdict).to.have.nested.property('limit.side', 'BUY');
    expect(verdict).to.have.nested.property('exit.side', 'SELL');
  });

  it('says in its note that no age was given, and whose rules a book of Kalshi is judged by', () => {
    const noteOf = (more: object) => evaluated({ book: BOOK, side: 'BUY', usd: 100, ...more }).note;
    expect(noteOf({})).to.match(/age of the book was not given and counts as 0 s\.$/);
    expect(noteOf({ age_s: 0 })).to.match(/charged or stored\.$/);
    expect(noteOf({ age_s: 1, book: { orderbook: { yes: [[42, 900]], no: [[56, 900]] } } })).to.match(
      /stored\. Minimums and amounts are by the rules of Polymarket/,
    );
  });

  it('has a plan and remedies that name a token only where the book does', () => {
    const large = { side: 'BUY', usd: 300, plan: true, max_slippage_c: 0.1 };
    const [named, nameless] = [{ ...BOOK, asset_id: '77' }, BOOK].map((book) => evaluated({ book, ...large }));
    expect(named).to.have.nested.property('plan.token_id', '77');
    expect(named).to.have.nested.property('remedies[0].order.token_id', '77');
    expect(nameless!.plan).to.be.an('object').and.not.have.property('token_id');
    expect(nameless!.remedies).to.have.length(named!.remedies!.length).and.not.be.empty;
    for (const { order } of nameless!.remedies!) expect(order).to.not.have.property('token_id');
    for (const verdict of [named, nameless]) expect(OrderVerdictSchema.safeParse(verdict).error).to.equal(undefined);
    expect(nameless!.market.token_id, 'which the form of a verdict requires').to.equal('0');
  });

  it('is judged as if its market took orders and had a book, whatever the live answer said', async () => {
    const [asked] = fc.sample(arbitraryOpenQuestion, { seed: 5, numRuns: 1 });
    const ofMarket = ['MARKET_CLOSED', 'UNDER_RESOLUTION', 'NOT_ACCEPTING_ORDERS', 'NO_BOOK'];
    const page = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');
    const section = page.slice(page.indexOf('## Evaluate'), page.indexOf('## Order verdict states'));
    for (const code of ofMarket) expect(section).to.include(`\`${code}\``);
    const closed = { ...OPEN, closed: true, acceptingOrders: false, umaResolutionStatus: 'proposed' };
    const question = { ...asked!, market: { ...asked!.market, status: closed } };
    const live = JSON.parse(await answerWithEvidence(question, home));
    expect(live.reason_codes).to.include.members(ofMarket.slice(0, 3));
    const again = evaluated(bodyOf(live.evidence.payload));
    const others = live.reason_codes.filter((code: string) => !ofMarket.includes(code));
    expect(again.reason_codes.filter((code) => code !== 'PASSED')).to.deep.equal(others);
  });

  it('is charged the worst published fee where none is given', () => {
    const [known, unknown] = [{ fee: { rate: 0.03 } }, {}].map((more) =>
      evaluated({ book: BOOK, side: 'BUY', usd: 50, ...more }),
    );
    expect(unknown!.numbers.taker_fee_usd).to.be.above(known!.numbers.taker_fee_usd);
    expect(unknown!.numbers.fee_category).to.match(/0\.07/);
  });

  it('has the price step of the book however it is written', () => {
    for (const step of ['0.010', ' 0.01', '1e-2', 0.01]) {
      for (const given of [{ tick_size: step }, { book: { ...BOOK, tick_size: step } }]) {
        const { plan } = evaluated({ book: BOOK, side: 'BUY', usd: 50, plan: true, ...given });
        expect(plan, JSON.stringify(given)).to.include({ tick_size: '0.01' });
      }
    }
  });

  it('takes a moment in any offset, and shows it in UTC', () => {
    const order = { book: BOOK, limit_price: 0.47, matching_delay_s: 90 };
    const [utc, east, west] = [
      ['2026-02-19T22:00:00Z', '2026-02-17T21:30:00.500Z'],
      ['2026-02-20T00:00:00+02:00', '2026-02-18T03:15:00.5+05:45'],
      ['2026-02-19T14:00:00.000-08:00', '2026-02-17T13:30:00.500-08:00'],
    ].map(([evaluated_at, game_due_at]) => evaluated({ ...order, evaluated_at, game_due_at }));
    expect(utc).to.have.nested.property('meta.evaluated_at', '2026-02-19T22:00:00.000Z');
    expect(utc).to.have.nested.property('limit.game_due_at', '2026-02-17T21:30:00.500Z');
    expect(utc!.reason_codes).to.include('GAME_OVER');
    expect([east, west]).to.deep.equal([utc, utc]);
  });

  it('has no minimum of resting orders where the book says so, as where the request does', () => {
    const order = { side: 'BUY', usd: 1, limit_price: 0.47 };
    const [ofBook, ofRequest] = [
      evaluated({ ...order, book: { ...BOOK, min_order_size: '0' } }),
      evaluated({ ...order, book: BOOK, min_order_shares: 0 }),
    ];
    expect(ofBook).to.deep.equal(ofRequest);
  });

  it('is judged on the levels, in whatever order they come', () => {
    const levels = {
      bids: [
        ['0.45', '3'],
        ['0.47', '300'],
        ['0.2', '5'],
      ],
      asks: [
        ['0.9', '5'],
        ['0.48', '250'],
        ['0.5', '5'],
      ],
    };
    const order = { side: 'BUY', usd: 50, exit: true };
    const sorted = { bids: levels.bids.toSorted(), asks: levels.asks.toSorted().toReversed() };
    expect(evaluated({ ...order, book: levels })).to.deep.equal(evaluated({ ...order, book: sorted }));
  });

  for (const [what, book, code] of [
    ['crossed', { bids: [['0.50', '300']], asks: [['0.48', '250']] }, 'BOOK_CROSSED'],
    [
      'of Kalshi, and crossed',
      { orderbook_fp: { yes_dollars: [['0.60', '9']], no_dollars: [['0.50', '9']] } },
      'BOOK_CROSSED',
    ],
    ['empty', { bids: [], asks: [] }, 'SIDE_EMPTY'],
    ['of Kalshi, and empty', { orderbook: { yes: null, no: null } }, 'SIDE_EMPTY'],
  ] as const) {
    it(`is a VETO on a book that is ${what}`, () => {
      const { verdict, reason_codes } = evaluated({ book, usd: 2, plan: true, exit: true, limit_price: 0.4 });
      expect([verdict, reason_codes[0]]).to.deep.equal(['VETO', code]);
    });
  }

  it('has no plan where its levels are not on the price step', () => {
    const book = { bids: [['0.4755', '300']], asks: [['0.4811', '250']], tick_size: '0.01' };
    expect(evaluated({ book, plan: true })).to.include({ plan: null, plan_reason: 'off_grid_level' });
  });

  it('shows no negative zero', () => {
    const body =
      '{"usd":20,"age_s":-0,"matching_delay_s":-0.0,"fee":{"rate":-0},"min_order_shares":-0,"max_slippage_c":-0}';
    expect(JSON.stringify(evaluated({ book: BOOK, ...JSON.parse(body) }))).to.not.match(/-0(?!\d|\.\d*[1-9]|[.]?\d*-)/);
  });

  for (const [body, says] of [
    [{ book: BOOK, slug: 'a' }, /slug has no meaning here/],
    [{ book: BOOK, side: 'HOLD' }, /side must be BUY or SELL/],
    [{ book: BOOK, usd: -1 }, /usd must be greater than 0/],
    [{ book: BOOK, fee: { rate: 2 } }, /rate|Too big/i],
    [{ book: BOOK, colour: 1 }, /unknown parameter "colour"/],
    [{ book: BOOK, tick_size: 'abc' }, /tick_size.*price step/],
    [{ book: BOOK, tick_size: 7 }, /tick_size.*price step/],
    [{ book: BOOK, evaluated_at: '9999-12-31T23:59:59Z' }, /evaluated_at.*before the year 9999/],
    [{ book: BOOK, evaluated_at: '2026-02-20' }, /evaluated_at: must be .* with Z or an offset, such as 2026-02-20T00/],
    [{ book: BOOK, evaluated_at: 'tomorrow' }, /^evaluated_at: must be [^;]*$/],
    [{ book: BOOK, game_due_at: '2026-02-20T00:00:00' }, /game_due_at: must be .* with Z or an offset/],
    [{ book: BOOK, game_due_at: 1_771_545_600 }, /game_due_at: must be .* with Z or an offset/],
    [{ book: BOOK, game_due_at: '9999-12-31T23:59:59-01:00' }, /game_due_at: must be in the years 0000 to 9999 in UTC/],
    [{ book: BOOK, evaluated_at: '0000-01-01T00:00:00+01:00' }, /evaluated_at: must be in the years 0000 to 9999/],
    [{ book: { ...BOOK, min_order_size: '1e300' } }, /min_order_size of the book/],
    [{ book: BOOK, fee: { rate: 0.1, slope: 1 } }, /unknown parameter "fee.slope"/],
    [{ side: 'BUY' }, /book must be an object/],
  ] as const) {
    it(`is refused in words: ${JSON.stringify(body).slice(-40)}`, () => {
      expect(parseEvaluation(body)).to.have.property('message').that.matches(says);
    });
  }

  it('is judged or refused, whatever it is: nothing throws', () => {
    const near = fc.record(
      {
        book: fc.oneof(
          fc.object(),
          fc.record({ bids: fc.array(fc.array(fc.anything())), asks: fc.array(fc.object()) }),
        ),
        side: fc.oneof(fc.constantFrom('BUY', 'sell'), fc.anything()),
        usd: fc.oneof(fc.double(), fc.string()),
        fee: fc.anything(),
        age_s: fc.anything(),
        tick_size: fc.anything(),
        evaluated_at: fc.oneof(fc.constantFrom('9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'), fc.anything()),
      },
      { requiredKeys: [] },
    );
    const levels = fc.array(fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 1e9 })), {
      maxLength: 30,
    });
    const number = fc.oneof(fc.double(), fc.constantFrom('5', 'Infinity', '-5', '1e300', '0.01', null), fc.anything());
    const terms = fc.record({ tick_size: number, min_order_size: number }, { requiredKeys: [] });
    const sound = fc.record({
      book: fc.record({ bids: levels, asks: levels, terms }).map(({ bids, asks, terms }) => ({
        ...terms,
        bids: bids.map(([p, s]) => [p / 1e4, s / 1e6]),
        asks: asks.map(([p, s]) => [p / 1e4, s / 1e6]),
      })),
      side: fc.constantFrom('BUY', 'SELL'),
      usd: fc.double({ min: 0.01, max: 1e7, noNaN: true }),
      plan: fc.boolean(),
      exit: fc.boolean(),
      tick_size: fc.constantFrom('0.1', '0.01', 0.001, '7'),
      evaluated_at: fc.constantFrom('2026-11-26T12:00:00+02:00', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00+01:00'),
    });
    fc.assert(
      fc.property(fc.oneof(near, sound, fc.object()), (body) => {
        const parsed = parseEvaluation(body);
        if (parsed.kind === 'parsed')
          expect(OrderVerdictSchema.safeParse(evaluate(parsed.args, NOW_MS)).error).to.equal(undefined);
      }),
      { numRuns: EVALUATED_BODIES },
    );
  });
});
