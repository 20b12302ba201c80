import { expect } from 'chai';
import fc from 'fast-check';
import type { Level } from '#domain/book/book';
import type { Side } from '#domain/market';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { toLimitMembers } from '#judge/limit-members';
import { arbitraryLevel, bookOf, OPEN } from '#test/support/arbitrary-books';
import { PROPERTY_RUNS } from '#test/support/size';

const TICKS = { '0.1': 1_000, '0.01': 100, '0.005': 50, '0.0025': 25, '0.001': 10, '0.0001': 1 } as const;
type Tick = keyof typeof TICKS;

interface Asked {
  readonly side?: Side;
  readonly usd?: number;
  readonly price?: number;
  readonly postOnly?: boolean;
  readonly tickSize?: string | null;
  readonly bids?: readonly Level[];
  readonly asks?: readonly Level[];
  readonly gameDueMs?: number | null;
  readonly minOrderShares?: number;
}

const level = (priceTicks: number, shares: number): Level => ({ priceTicks, sizeMicros: shares * 1e6 });
const BIDS = [level(4_900, 100), level(4_800, 200), level(4_700, 300)];
const ASKS = [level(5_100, 10), level(5_200, 20), level(5_300, 30)];

function limitOf({ side = 'BUY', usd = 100, price = 0.48, postOnly = false, tickSize = '0.01', ...more }: Asked) {
  const { bids = BIDS, asks = ASKS, gameDueMs = null, minOrderShares = 5 } = more;
  const fee = { rate: 0.04, exponent: 1, category: 'politics_fees', known: true };
  const market = { fee, minOrderShares, status: OPEN, matchingDelayS: 3, gameDueMs };
  const book = bookOf({ bids: [...bids], asks: [...asks] });
  const question = { side, usd, thresholds: DEFAULT_THRESHOLDS, market, book, bookAgeMs: 0 };
  return toLimitMembers(question, { price, postOnly, tickSize }).limit;
}

describe('an order that rests', () => {
  it('waits behind what has a better price, and what has its own', () => {
    expect(limitOf({}).queue_ahead).to.deep.equal({
      ...{ better_shares: '100', better_usd: '49', same_price_shares: '200', same_price_usd: '96' },
    });
    expect(limitOf({ side: 'SELL', price: 0.52 }).queue_ahead).to.deep.equal({
      ...{ better_shares: '10', better_usd: '5.1', same_price_shares: '20', same_price_usd: '10.4' },
    });
    expect(limitOf({}).distance_to_touch_cents).to.equal(1);
    expect(limitOf({ price: 0.5 }).distance_to_touch_cents).to.equal(-1);
    expect(limitOf({ bids: [] }).distance_to_touch_cents).to.equal(null);
  });

  it('is said to pay the taker fee of what it takes at once, where it crosses and is taken', () => {
    expect(limitOf({ price: 0.51 }).note).to.match(/^It takes at once .* pays the taker fee of that on top/);
    for (const resting of [limitOf({}), limitOf({ price: 0.51, postOnly: true })]) {
      expect(resting.note).to.match(/^A resting order pays no fee/);
    }
  });

  it('crosses from the best price of the other side on, which post-only may not', () => {
    for (const [side, price, crosses] of [
      ['BUY', 0.5, false],
      ['BUY', 0.51, true],
      ['SELL', 0.5, false],
      ['SELL', 0.49, true],
    ] as const) {
      expect(limitOf({ side, price }), `${side} ${price}`).to.include({ crosses, post_only_refused: false });
      expect(limitOf({ side, price }).order).to.not.equal(null);
      const posted = limitOf({ side, price, postOnly: true });
      expect(posted.post_only_refused).to.equal(crosses);
      expect(posted.order_reason).to.equal(crosses ? 'post_only_would_cross' : undefined);
    }
  });

  it('is signed with exactly its price times its shares', () => {
    expect(limitOf({ usd: 100, price: 0.48 }).order).to.deep.equal({
      ...{ order_types: ['GTC', 'GTD'], maker_amount: '99998400', taker_amount: '208330000' },
      ...{ shares: '208.33', usd: '99.9984', gtd_seconds_min: 180 },
    });
    expect(limitOf({ side: 'SELL', usd: 100, price: 0.52 }).order).to.include({
      ...{ maker_amount: '192300000', taker_amount: '99996000' },
    });
  });

  it('may be of exactly the minimum, where that is a fraction of a share', () => {
    for (const minOrderShares of [0.07, 0.29, 1.1, 5.1]) {
      const usd = minOrderShares * 0.5;
      expect(limitOf({ usd, price: 0.5, minOrderShares }).order?.shares).to.equal(String(minOrderShares));
      const { order_reason } = limitOf({ usd: usd - 0.005, price: 0.5, minOrderShares });
      expect(order_reason).to.equal('below_minimum_shares');
    }
  });

  for (const [reason, asked] of [
    ['unknown_tick', { tickSize: null }],
    ['unknown_tick', { tickSize: '0.02' }],
    ['off_tick', { price: 0.485 }],
    ['off_tick', { price: 0.95, tickSize: '0.1' }],
    ['below_minimum_shares', { usd: 2.39 }],
    ['below_1_usd', { usd: 0.5, price: 0.06, asks: [level(500, 1_000)], bids: [] }],
  ] as const) {
    it(`is not named for ${reason} (${JSON.stringify(asked)})`, () => {
      expect(limitOf(asked)).to.include({ order: null, order_reason: reason });
    });
  }

  it('of a game says that the venue takes it off the book at the start', () => {
    expect(limitOf({}).note).to.not.include('game');
    expect(limitOf({ gameDueMs: Date.UTC(2026, 10, 2) })).to.include({ game_due_at: '2026-11-02T00:00:00.000Z' });
    expect(limitOf({ gameDueMs: 0 }).note).to.include('cancels resting orders of a game when it starts');
  });

  it('has legal amounts of at least the minimum on every tick, and spends no more than was asked', () => {
    const asked = fc.constantFrom(...(Object.keys(TICKS) as Tick[])).chain((tick) =>
      fc.record({
        tick: fc.constant(tick),
        side: fc.constantFrom<Side>('BUY', 'SELL'),
        cents: fc.integer({ min: 1, max: 1_000_000 }),
        priceTicks: fc.integer({ min: 1, max: 9_999 }),
        bids: fc.array(arbitraryLevel(TICKS[tick]), { maxLength: 8 }),
        asks: fc.array(arbitraryLevel(TICKS[tick]), { maxLength: 8 }),
      }),
    );
    const property = fc.property(asked, ({ tick, side, cents, priceTicks, bids, asks }) => {
      const limit = limitOf({ side, usd: cents / 100, price: priceTicks / 1e4, tickSize: tick, bids, asks });
      const { order } = limit;
      const isLegalPrice =
        priceTicks % TICKS[tick] === 0 && priceTicks >= TICKS[tick] && priceTicks <= 10_000 - TICKS[tick];
      if (order === null) {
        expect(limit.order_reason === 'off_tick').to.equal(!isLegalPrice);
        return;
      }
      const [usd, shares] = (
        side === 'BUY' ? [order.maker_amount, order.taker_amount] : [order.taker_amount, order.maker_amount]
      ).map(BigInt) as [bigint, bigint];
      expect(isLegalPrice).to.equal(true);
      expect(usd * 10_000n === shares * BigInt(priceTicks), 'exactly its price').to.equal(true);
      expect(shares % 10_000n === 0n && shares >= 5_000_000n, 'shares').to.equal(true);
      expect(usd <= BigInt(cents) * 10_000n, 'spend').to.equal(true);
      if (limit.crosses) expect(usd >= 1_000_000n).to.equal(true);
      const own = new Map((side === 'BUY' ? bids : asks).map((one) => [one.priceTicks, one.sizeMicros]));
      const before = [...own].filter(([ticks]) => (side === 'BUY' ? ticks > priceTicks : ticks < priceTicks));
      const ahead = before.reduce((sum, [, size]) => sum + size, 0);
      expect(Math.round(Number(limit.queue_ahead.better_shares) * 1e6)).to.equal(ahead);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});
