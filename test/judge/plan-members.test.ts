import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderPlan } from '#api/order-plan';
import { formatScaled } from '#domain/decimal';
import type { FeeSchedule, Side } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { toPlanMembers } from '#judge/plan-members';
import { toVerdictBody } from '#judge/verdict-body';
import { arbitraryLevel, arbitraryUsd, bookOf, OPEN } from '#test/support/arbitrary-books';
import { type AskedOrder, type CheckedPlan, planFaults } from '#test/support/plan-checker';
import { sampleMarket } from '#test/support/sample-markets';
import { COVERING_RUNS, PROPERTY_RUNS } from '#test/support/size';

const TICKS = { '0.1': 1_000, '0.01': 100, '0.005': 50, '0.0025': 25, '0.001': 10, '0.0001': 1 } as const;
type Tick = keyof typeof TICKS;

const MARKET = sampleMarket(1);
const FEE: FeeSchedule = { rate: 0.04, exponent: 1, category: 'politics_fees', known: true };

interface Asked {
  readonly tick: Tick;
  readonly side: Side;
  readonly usd: number;
  readonly fee: FeeSchedule;
  readonly slippageCautionCents: number;
  readonly levels: readonly { readonly priceTicks: number; readonly sizeMicros: number }[];
}

function questionOf({ side, usd, fee, slippageCautionCents, levels }: Asked): OrderQuestion {
  return {
    side,
    usd,
    thresholds: { ...DEFAULT_THRESHOLDS, slippageCautionCents, slippageVetoCents: 100 },
    market: { fee, minOrderShares: 5, status: OPEN },
    book: bookOf(side === 'BUY' ? { bids: [], asks: levels } : { bids: levels, asks: [] }),
    bookAgeMs: 1_000,
  };
}

function membersOf(asked: Asked) {
  const question = questionOf(asked);
  const assessment = assess(question);
  const body = toVerdictBody(MARKET, MARKET.outcomes[0]!, assessment, question.thresholds, 1_784_000_000_000);
  return toPlanMembers(question, { tickSize: asked.tick, negRisk: true, body, assessment, other: null });
}

function asAsked({ usd, fee, levels }: Asked): AskedOrder {
  const texts = levels.map(({ priceTicks, sizeMicros }) => [formatScaled(priceTicks, 4), formatScaled(sizeMicros, 6)]);
  // A level that is named twice counts once, with its last size.
  const unique = new Map(texts.map(([price, size]) => [price!, size!]));
  return {
    usd: formatScaled(Math.round(usd * 1e6), 6),
    levels: [...unique],
    rate: String(fee.rate),
    exponent: fee.exponent,
  };
}

const arbitraryAsked: fc.Arbitrary<Asked> = fc.constantFrom(...(Object.keys(TICKS) as Tick[])).chain((tick) =>
  fc.record({
    tick: fc.constant(tick),
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    usd: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 100, max: 30_000 }).map((cents) => cents / 100) },
      { weight: 1, arbitrary: arbitraryUsd },
    ),
    fee: fc.record({
      rate: fc.constantFrom(0, 0.03, 0.05, 0.07, 0.072, 1),
      exponent: fc.constantFrom(1, 1, 1, 2, 0),
      category: fc.constant('test'),
      known: fc.constant(true),
    }),
    slippageCautionCents: fc.constantFrom(0, 0.3, 1, 100),
    levels: fc.array(arbitraryLevel(TICKS[tick]), { minLength: 1, maxLength: 12 }),
  }),
);

/** The texts of a plan that count something; what they count in its last place is 1e-6 or larger. */
const AMOUNTS = ['shares', 'usd_needed', 'usd_needed_max', 'unspent_usd', 'left_shares'] as const;

/** The plan with one unit more in the last place of each of its amounts, one at a time. */
function* withOneUnitMore(plan: OrderPlan): Generator<readonly [name: string, plan: CheckedPlan]> {
  for (const name of ['maker_amount', 'taker_amount'] as const) {
    for (const unit of [1n, 100n, 10_000n]) {
      yield [`${name} + ${unit}`, { ...plan, [name]: String(BigInt(plan[name]) + unit) }];
    }
  }
  for (const name of AMOUNTS) {
    const text = plan[name];
    if (text === undefined) continue;
    const places = Math.max(text.split('.')[1]?.length ?? 0, 4);
    const units = BigInt(text.replace('.', '') + '0'.repeat(places - (text.split('.')[1]?.length ?? 0))) + 1n;
    const digits = String(units).padStart(places + 1, '0');
    yield [name, { ...plan, [name]: `${digits.slice(0, -places)}.${digits.slice(-places)}` }];
  }
  const tick = TICKS[plan.tick_size as Tick];
  const price = Math.round(Number(plan.worst_price) * 1e4);
  for (const other of [price + tick, price - tick])
    yield ['worst_price', { ...plan, worst_price: formatScaled(Math.max(0, other), 4) }];
}

describe('what plan=1 adds to an answer', () => {
  it('is a BUY in amounts that the venue accepts, with its cost and its own verdict', () => {
    const levels = [
      { priceTicks: 3_500, sizeMicros: 100_000_000 },
      { priceTicks: 3_600, sizeMicros: 1_000_000_000 },
    ];
    const asked = { tick: '0.01', side: 'BUY', usd: 71.005, fee: FEE, slippageCautionCents: 1, levels } as const;
    // 35 USD for 100 shares at 0.35, then 35.92 for 99.7778 at 0.36, which has steps of 9 cents.
    expect(membersOf(asked)).to.deep.equal({
      worst_price: '0.36',
      plan: {
        order_type: 'FOK',
        side: 'BUY',
        token_id: MARKET.outcomes[0]!.tokenId,
        tick_size: '0.01',
        neg_risk: true,
        worst_price: '0.36',
        maker_amount: '70920000',
        taker_amount: '197000000',
        shares: '197',
        implied_price: '0.36',
        form: 'exact',
        // 100 x 0.04 x 0.2275, then 99.777778 x 0.04 x 0.2304, each cut to 5 decimals.
        usd_needed: '72.74955',
        usd_needed_max: '73.7568',
        unspent_usd: '0.085',
        for_client: { amount: 70.92, price: 0.36 },
        verdict: 'OK',
        reason_codes: ['PASSED'],
        valid_until: '2026-07-14T03:34:19.000Z',
      },
      remedies: [],
    });
  });

  it('is a SELL with the shares that it leaves', () => {
    const levels = [{ priceTicks: 6_130, sizeMicros: 100_000_000 }];
    const asked = { tick: '0.001', side: 'SELL', usd: 6.2, fee: FEE, slippageCautionCents: 1, levels } as const;
    const { plan } = membersOf(asked);
    expect(plan).to.include({
      maker_amount: '10100000',
      taker_amount: '6191300',
      shares: '10.1',
      left_shares: '0.014192',
    });
    expect(plan?.for_client).to.deep.equal({ amount: 10.1, price: 0.613 });
    expect(plan).to.not.have.any.keys('usd_needed', 'usd_needed_max', 'unspent_usd', 'exact_alternative');
  });

  it('is the reason where there is none, and how far the order as asked reaches, if the book fills it', () => {
    const levels = [{ priceTicks: 6_135, sizeMicros: 100_000_000 }];
    const asked = { tick: '0.001', side: 'SELL', usd: 6, fee: FEE, slippageCautionCents: 1, levels } as const;
    expect(membersOf(asked)).to.deep.equal({
      worst_price: '0.6135',
      plan: null,
      plan_reason: 'off_grid_level',
      remedies: [],
    });
    expect(membersOf({ ...asked, usd: 1e6 })).to.deep.include({ plan: null, plan_reason: 'thin_book' });
  });

  it('is judged by what it spends, not by what was asked', () => {
    const levels = [{ priceTicks: 3_700, sizeMicros: 1_027_027_028 }];
    // 95.05 USD are above a quarter of 380 USD, and the 94.72 that have an exact price are not.
    const asked = { tick: '0.01', side: 'BUY', usd: 95.05, fee: FEE, slippageCautionCents: 1, levels } as const;
    expect(assess(questionOf(asked)).verdict).to.equal('CAUTION');
    expect(membersOf(asked).plan).to.deep.include({
      maker_amount: '94720000',
      verdict: 'OK',
      reason_codes: ['PASSED'],
    });
  });

  it('has legal amounts that an independent matcher fills at no worse than its price and cost', () => {
    const counts = new Map<string, number>();
    const property = fc.property(arbitraryAsked, (asked) => {
      const members = membersOf(asked);
      const kind = members.plan === null ? members.plan_reason : `${members.plan.side} ${members.plan.form}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (members.plan === null) return;
      expect(planFaults(members.plan, asAsked(asked))).to.deep.equal([]);
    });
    fc.assert(property, { numRuns: COVERING_RUNS });
    expect([...counts.keys()]).to.include.members(['BUY exact', 'BUY floor4', 'SELL exact', 'thin_book']);
  });

  it('is found out by that matcher with one unit more in the last place of any amount', () => {
    const property = fc.property(arbitraryAsked, (asked) => {
      const { plan } = membersOf(asked);
      if (plan === null) return;
      for (const [name, wrong] of withOneUnitMore(plan)) {
        expect(planFaults(wrong, asAsked(asked)), `${name} of ${JSON.stringify(plan)}`).to.not.deep.equal([]);
      }
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
