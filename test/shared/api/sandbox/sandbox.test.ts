import { expect } from 'chai';
import { OPERATIONS } from '#api/operations';
import { OrderVerdictSchema } from '#api/order-verdict';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { toNumbersBody } from '#judge/verdict-body';
import { bookOf, OPEN } from '#test/support/arbitrary-books';

/**
 * The invented book of the example and its fee rate, in cents and whole shares so that all sums are
 * exact.
 */
const ASKS = [
  { cents: 48, shares: 125 },
  { cents: 50, shares: 400 },
  { cents: 52, shares: 500 },
  { cents: 55, shares: 1_000 },
];
const FEE_RATE_PCT = 4;

const round = (value: number, decimals: number) => Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`);

/** Walks the asks with so many cents of notional. */
function buy(notionalCents: number) {
  const fills: { cents: number; shares: number }[] = [];
  let left = notionalCents;
  for (const { cents, shares } of ASKS) {
    const taken = Math.min(shares, left / cents);
    if (taken > 0) fills.push({ cents, shares: taken });
    left -= taken * cents;
  }
  const shares = fills.reduce((sum, fill) => sum + fill.shares, 0);
  const vwap = round(notionalCents / shares / 100, 6);
  const slippageCents = round((vwap - ASKS[0]!.cents / 100) * 100, 4);
  return { fills, shares, vwap, slippageCents };
}

const depthUsd = ASKS.reduce((sum, { cents, shares }) => sum + cents * shares, 0) / 100;
const passes = (usd: number) => buy(usd * 100).slippageCents <= 1 && round((usd / depthUsd) * 100, 4) <= 25;

describe('example of preflight_trade', () => {
  const { numbers, order } = ORDER_VERDICT_EXAMPLE;

  it('has the form of a verdict, and what only an example has', () => {
    expect(OrderVerdictSchema.parse(ORDER_VERDICT_EXAMPLE)).to.deep.equal(ORDER_VERDICT_EXAMPLE);
    expect(ORDER_VERDICT_EXAMPLE).to.include({ sandbox: true, verdict: 'OK' });
    expect(ORDER_VERDICT_EXAMPLE).not.to.have.any.keys('meta', 'paid');
    expect(JSON.parse(OPERATIONS.preflight_trade.exampleBody)).to.deep.equal(ORDER_VERDICT_EXAMPLE);
  });

  it('has the numbers that its book gives', () => {
    const { fills, shares, vwap, slippageCents } = buy(order.usd * 100);
    const feeUsd = fills.reduce((sum, f) => sum + (f.shares * FEE_RATE_PCT * f.cents * (100 - f.cents)) / 1e6, 0);
    expect({ ...numbers, fee_category: '', book_age_seconds: 0, safe_size_usd: 0 }).to.deep.equal({
      best_price: ASKS[0]!.cents / 100,
      expected_vwap: vwap,
      expected_slippage_cents: slippageCents,
      visible_depth_usd: round(depthUsd, 2),
      order_vs_depth_pct: round((order.usd / depthUsd) * 100, 4),
      taker_fee_usd: round(feeUsd, 5),
      fee_drag_cents_per_share: round((feeUsd / shares) * 100, 4),
      fee_category: '',
      safe_size_usd: 0,
      book_age_seconds: 0,
    });
  });

  it('is OK at its size, and at its safe size but not a cent beyond', () => {
    expect(passes(order.usd)).to.equal(true);
    expect(passes(numbers.safe_size_usd)).to.equal(true);
    expect(passes(numbers.safe_size_usd + 0.01)).to.equal(false);
  });

  it('is what the real verdict says of its book', () => {
    const { verdict, reasons, facts } = assess({
      side: order.side,
      usd: order.usd,
      thresholds: DEFAULT_THRESHOLDS,
      market: {
        fee: { rate: FEE_RATE_PCT / 100, exponent: 1, category: numbers.fee_category, known: true },
        minOrderShares: 5,
        status: OPEN,
      },
      book: bookOf({
        bids: [],
        asks: ASKS.map(({ cents, shares }) => ({ priceTicks: cents * 100, sizeMicros: shares * 1e6 })),
      }),
      bookAgeMs: numbers.book_age_seconds * 1_000,
    });
    expect(toNumbersBody(facts.numbers)).to.deep.equal(numbers);
    expect({ verdict, reasons }).to.deep.equal({
      verdict: ORDER_VERDICT_EXAMPLE.verdict,
      reasons: ORDER_VERDICT_EXAMPLE.reasons,
    });
  });

  it('tells its numbers in its reason', () => {
    const [reason = ''] = ORDER_VERDICT_EXAMPLE.reasons;
    for (const shown of [
      order.usd,
      numbers.expected_vwap,
      numbers.expected_slippage_cents,
      numbers.best_price,
      `${numbers.order_vs_depth_pct}%`,
      numbers.visible_depth_usd,
      numbers.book_age_seconds,
    ]) {
      expect(reason).to.include(String(shown));
    }
  });
});
