import type { OrderFacts } from '#domain/order/order-facts';
import type { Thresholds } from '#domain/order/thresholds';

/** One level in plain numbers: USD and shares. */
export type NaiveLevel = readonly [price: number, shares: number];

export interface NaiveOrder {
  readonly side: 'BUY' | 'SELL';
  readonly usd: number;
  readonly bids: readonly NaiveLevel[];
  readonly asks: readonly NaiveLevel[];
  readonly rate: number;
  readonly exponent: number;
  /** Hours since the market's game was due; null: it is about none. */
  readonly gameDueAgoH: number | null;
  readonly ageS: number;
  readonly limits: Thresholds;
}

const cut = (value: number, decimals: number) => Math.floor(value * 10 ** decimals + 1e-7) / 10 ** decimals;
const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals + 1e-7) / 10 ** decimals;

/**
 * The order verdict a second time, from the text of the interface, in ordinary floating point and
 * with no thought of speed. It shares no code with the service.
 */
export function naiveVerdict(order: NaiveOrder): { verdict: string; numbers: Partial<OrderFacts['numbers']> } {
  const priced = price(order, order.usd);
  const { best, depth } = priced;
  const extreme = best >= 0.97 || best <= 0.03;
  const crossed = Math.max(...order.bids.map(([p]) => p)) >= Math.min(...order.asks.map(([p]) => p));
  const over = order.gameDueAgoH !== null && order.gameDueAgoH > 48;
  const stale = order.ageS > order.limits.bookStaleVetoS;
  const size = judgeSize(order, order.usd);
  const verdict =
    stale || crossed || best === 0 || size === 'VETO'
      ? 'VETO'
      : extreme || over || size === 'CAUTION'
        ? 'CAUTION'
        : 'OK';
  return {
    verdict,
    numbers: {
      bestPrice: best,
      expectedVwap: priced.vwap,
      expectedSlippageCents: priced.slippage,
      visibleDepthUsd: depth,
      orderVsDepthPct: priced.pct,
      takerFeeUsd: priced.fee,
      feeDragCentsPerShare: priced.drag,
      safeSizeUsd: stale || crossed || extreme || over || best === 0 ? 0 : largestPassing(order),
    },
  };
}

function price({ side, bids, asks, rate, exponent }: NaiveOrder, usd: number) {
  const levels = side === 'BUY' ? [...asks].sort((a, b) => a[0] - b[0]) : [...bids].sort((a, b) => b[0] - a[0]);
  let left = usd;
  let shares = 0;
  let paid = 0;
  let fee = 0;
  let cutFee = 0;
  for (const [p, s] of levels) {
    const taken = Math.min(s, left / p);
    shares += taken;
    paid += taken * p;
    const ofLevel = taken * rate * (p * (1 - p)) ** exponent;
    fee += ofLevel;
    cutFee += cut(ofLevel, 5);
    left -= taken * p;
    if (left <= 1e-12) break;
  }
  const best = levels[0]?.[0] ?? 0;
  const vwap = shares === 0 ? 0 : round(paid / shares, 6);
  const depth = round(
    levels.reduce((sum, [p, s]) => sum + p * s, 0),
    2,
  );
  return {
    best,
    vwap,
    depth,
    slippage: shares === 0 ? 0 : round(Math.abs(vwap - best) * 100, 4),
    pct: depth === 0 ? 999_999.9999 : Math.min(round((usd / depth) * 100, 4), 999_999.9999),
    fee: round(cutFee, 5),
    drag: shares === 0 ? 0 : round((fee / shares) * 100, 4),
  };
}

function judgeSize(order: NaiveOrder, usd: number): 'OK' | 'CAUTION' | 'VETO' {
  const { slippage, pct, depth } = price(order, usd);
  const { limits, side } = order;
  if (slippage >= limits.slippageVetoCents || usd > depth) return 'VETO';
  // The minimum in shares binds orders that rest, and this one takes.
  if (side === 'BUY' && usd < 1) return 'VETO';
  return slippage > limits.slippageCautionCents || pct > limits.depthCautionFraction * 100 ? 'CAUTION' : 'OK';
}

/** Halving finds the last passing cent, since beyond the minimum a larger order never fares better. */
function largestPassing(order: NaiveOrder): number {
  let passing = order.side === 'BUY' ? 100 : 1;
  if (judgeSize(order, passing / 100) !== 'OK') return 0;
  let failing = 1_000_000_001;
  while (failing - passing > 1) {
    const middle = Math.floor((passing + failing) / 2);
    if (judgeSize(order, middle / 100) === 'OK') passing = middle;
    else failing = middle;
  }
  return passing / 100;
}
