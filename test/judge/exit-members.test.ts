import { expect } from 'chai';
import fc from 'fast-check';
import type { OrderExit } from '#api/order-exit';
import type { FeeSchedule, Side } from '#domain/market';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { toExitMembers } from '#judge/exit-members';
import type { OtherOutcome } from '#judge/remedies';
import { arbitraryLevel, bookOf, OPEN } from '#test/support/arbitrary-books';
import { PROPERTY_RUNS } from '#test/support/size';

interface Level {
  readonly priceTicks: number;
  readonly sizeMicros: number;
}

interface Asked {
  readonly side: Side;
  readonly cents: number;
  readonly fee: FeeSchedule;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const FREE: FeeSchedule = { rate: 0, exponent: 1, category: 'none', known: true };
const level = (priceTicks: number, shares: number): Level => ({ priceTicks, sizeMicros: shares * 1e6 });

function questionOf({ side, cents, fee, bids, asks }: Asked): OrderQuestion {
  return {
    ...{ side, usd: cents / 100, thresholds: DEFAULT_THRESHOLDS, bookAgeMs: 1_000 },
    market: { fee, minOrderShares: 5, status: OPEN },
    book: bookOf({ bids: [...bids], asks: [...asks] }),
  };
}

function membersOf(asked: Asked, other: OtherOutcome | null = null, tickSize: string | null = '0.01') {
  const question = questionOf(asked);
  return toExitMembers(question, { assessment: assess(question), tickSize, other });
}

function exitOf(asked: Asked, other: OtherOutcome | null = null): OrderExit {
  return membersOf(asked, other).exit!;
}

/** A level named twice counts once, with its last size. */
function sorted(levels: readonly Level[], best: 'high' | 'low') {
  const sizes = new Map(levels.map(({ priceTicks, sizeMicros }) => [priceTicks, sizeMicros]));
  return [...sizes].filter(([, size]) => size > 0).sort(([a], [b]) => (best === 'high' ? b - a : a - b));
}

/*
 * The same once more, by other means: what is walked is a list, amounts are counted in 1e-10 USD,
 * and the price that breaks even is the first that does of all prices.
 */
const UNITS = 10_000n;

function naiveFee(sharesUnits: bigint, sharesScale: bigint, ticks: number, { rate, exponent }: FeeSchedule): bigint {
  let numerator = sharesUnits * BigInt(Math.round(rate * 1e6));
  let denominator = sharesScale * 1_000_000n;
  for (let n = 0; n < exponent; n++) {
    numerator *= BigInt(ticks) * BigInt(10_000 - ticks);
    denominator *= 100_000_000n;
  }
  // Whole 1e-5 USD.
  return (numerator * 100_000n) / denominator;
}

/** Walks so many micro-USD: micro-shares without the part below one, and the fee in 1e-5 USD. */
function naiveSpend(levels: readonly (readonly [number, number])[], usdMicros: bigint, fee: FeeSchedule) {
  let rest = usdMicros * UNITS;
  let [shares, feeE5] = [0n, 0n];
  for (const [ticks, size] of levels) {
    if (rest === 0n) break;
    const whole = BigInt(ticks) * BigInt(size);
    const taken = whole < rest ? whole : rest;
    rest -= taken;
    shares += taken / BigInt(ticks);
    feeE5 += naiveFee(taken, BigInt(ticks) * 1_000_000n, ticks, fee);
  }
  return rest === 0n ? { shares, feeE5 } : null;
}

function naiveExit({ side, cents, fee, bids, asks }: Asked) {
  const isBuy = side === 'BUY';
  const [buys, sells] = [sorted(asks, 'low'), sorted(bids, 'high')];
  const usdMicros = BigInt(cents) * 10_000n;
  const entry = naiveSpend(isBuy ? buys : sells, usdMicros, fee);
  if (entry === null || entry.shares === 0n) return 'entry_not_filled';
  let [rest, notional] = [entry.shares, 0n];
  for (const [ticks, size] of isBuy ? sells : buys) {
    const taken = BigInt(size) < rest ? BigInt(size) : rest;
    notional += taken * BigInt(ticks);
    rest -= taken;
  }
  const outMicros = notional / UNITS;
  if (rest > 0n || outMicros === 0n) return 'thin_book';
  const out = naiveSpend(isBuy ? sells : buys, outMicros, fee)!;
  const [entryFee, exitFee] = [entry.feeE5 * 10n, out.feeE5 * 10n];
  const cost = (isBuy ? usdMicros - outMicros : outMicros - usdMicros) + entryFee + exitFee;
  const even = isBuy ? usdMicros + entryFee : usdMicros - entryFee;
  const prices = Array.from({ length: 99 }, (_, n) => (n + 1) * 100);
  const found = (isBuy ? prices : prices.toReversed()).find((ticks) => {
    const gross = (entry.shares * BigInt(ticks)) / UNITS;
    const feeMicros = naiveFee(entry.shares, 1_000_000n, ticks, fee) * 10n;
    return isBuy ? gross - feeMicros >= even : gross + feeMicros <= even;
  });
  return { shares: entry.shares, outMicros, exitFee, cost, breakEven: found ?? null };
}

const micros = (text: string) => BigInt(Math.round(Number(text) * 1e6));

const arbitraryAsked: fc.Arbitrary<Asked> = fc.record({
  side: fc.constantFrom<Side>('BUY', 'SELL'),
  cents: fc.integer({ min: 1, max: 50_000 }),
  fee: fc.record({
    rate: fc.constantFrom(0, 0.03, 0.05, 0.07, 0.072),
    exponent: fc.constantFrom(1, 1, 2, 0),
    category: fc.constant('test'),
    known: fc.constant(true),
  }),
  bids: fc.array(arbitraryLevel(100), { minLength: 0, maxLength: 10 }),
  asks: fc.array(arbitraryLevel(100), { minLength: 0, maxLength: 10 }),
});

describe('what it costs to get out again', () => {
  const tight: Asked = {
    ...{ side: 'BUY', cents: 5_000, fee: FREE },
    bids: [level(4_900, 1_000)],
    asks: [level(5_000, 1_000)],
  };

  it('is the spread of the shares of the entry, on a book without fees', () => {
    expect(exitOf(tight)).to.include({
      ...{ side: 'SELL', shares: '100', usd: '49', taker_fee_usd: '0', expected_vwap: 0.49 },
      ...{ round_trip_cost_usd: '1', round_trip_cost_cents_per_share: '1', break_even_price: '0.5', verdict: 'OK' },
    });
  });

  it('has both fees in it, and a price that breaks even above that of the entry', () => {
    const fee: FeeSchedule = { rate: 0.04, exponent: 1, category: 'politics_fees', known: true };
    // 100 shares at 0.50 and at 0.49: 1 USD and 0.9996 USD.
    expect(exitOf({ ...tight, fee })).to.include({ taker_fee_usd: '0.9996', round_trip_cost_usd: '2.9996' });
    expect(exitOf({ ...tight, fee }).break_even_price).to.equal('0.52');
  });

  it('of a SELL is to buy the shares back', () => {
    expect(exitOf({ ...tight, side: 'SELL', cents: 4_900 })).to.include({
      ...{ side: 'BUY', shares: '100', usd: '50', round_trip_cost_usd: '1', break_even_price: '0.49' },
    });
  });

  it('is judged as an order of its own, by the same limits', () => {
    const thin = { ...tight, bids: [level(4_900, 50), level(4_000, 50)] };
    expect(exitOf(thin)).to.include({ verdict: 'VETO' });
    expect(exitOf(thin).reason_codes).to.include('SLIPPAGE_VETO');
  });

  it('is not named where the book fills no entry or takes no exit', () => {
    expect(membersOf({ ...tight, asks: [level(5_000, 99)] })).to.deep.equal({
      ...{ exit: null, exit_reason: 'entry_not_filled' },
    });
    expect(membersOf({ ...tight, bids: [level(4_900, 99)] })).to.deep.equal({ exit: null, exit_reason: 'thin_book' });
  });

  it('of a BUY may be to buy the other outcome and merge, where its book is at hand', () => {
    const other = { tokenId: '77', book: bookOf({ bids: [], asks: [level(5_050, 1_000)] }), bookAgeMs: 0 };
    expect(exitOf(tight).complement).to.equal(null);
    expect(exitOf(tight, other).complement).to.deep.equal({
      ...{ token_id: '77', usd: '50.5', taker_fee_usd: '0', net_usd: '49.5' },
    });
    expect(exitOf({ ...tight, side: 'SELL', cents: 4_900 }, other).complement).to.equal(null);
  });

  it('is the same when it is computed by a list, fractions and every price there is', () => {
    const property = fc.property(arbitraryAsked, (asked) => {
      const [members, naive] = [membersOf(asked), naiveExit(asked)];
      if (typeof naive === 'string') {
        expect(members).to.deep.equal({ exit: null, exit_reason: naive });
        return;
      }
      const { shares, usd, taker_fee_usd, round_trip_cost_usd, break_even_price } = members.exit!;
      expect({
        shares: micros(shares),
        outMicros: micros(usd),
        exitFee: micros(taker_fee_usd),
        cost: micros(round_trip_cost_usd),
        breakEven: break_even_price === null ? null : Math.round(Number(break_even_price) * 1e4),
      }).to.deep.equal(naive);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
