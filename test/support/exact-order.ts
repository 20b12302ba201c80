import type { Ladder } from '#domain/book/ladder';
import type { FeeSchedule, Side } from '#domain/market';
import { canAnySizePass, doesSizePass } from '#domain/order/checks';
import type { OrderQuestion } from '#domain/order/gather-facts';
import type { OrderNumbers } from '#domain/order/order-facts';
import { type Thresholds, USD_MAX } from '#domain/order/thresholds';

/**
 * The numbers of an order verdict in whole numbers of any size and nothing else: what the arithmetic of the service has to
 * give to the last digit. Only the thresholds are shared with it.
 */
export function exactNumbers(asked: OrderQuestion): OrderNumbers {
  const { side, usd, thresholds, market, book, bookAgeMs } = asked;
  const ladder = side === 'BUY' ? book.asks : book.bids;
  const priced = price(ladder, usd);
  const bookAgeSeconds = Math.max(0, Math.round(bookAgeMs)) / 1e3;
  const canPass = canAnySizePass({
    thresholds,
    marketStatus: market.status,
    bookListed: book.listed,
    crossed: book.crossed,
    numbers: { bestPrice: priced.numbers.bestPrice, bookAgeSeconds },
  });
  return {
    ...priced.numbers,
    ...fee(ladder, priced.taken, market.fee),
    feeCategory: market.fee.category,
    safeSizeUsd: canPass ? safeSize(side, ladder, thresholds, market.minOrderShares) : 0,
    bookAgeSeconds,
  };
}

interface Taken {
  readonly filled: bigint;
  readonly full: readonly { readonly ticks: bigint; readonly size: bigint }[];
  readonly lastTicks: bigint;
  readonly rest: bigint;
}

const PCT_MAX = 999_999.9999;
const CENT = 100_000_000n;

function levelsOf(ladder: Ladder) {
  return [...ladder.levels()]
    .reverse()
    .map(({ priceTicks, sizeMicros }) => ({ ticks: BigInt(priceTicks), size: BigInt(sizeMicros) }));
}

function take(ladder: Ladder, usdMicros: bigint): Taken {
  const full: { ticks: bigint; size: bigint }[] = [];
  let left = usdMicros * 10_000n;
  let filled = 0n;
  for (const { ticks, size } of levelsOf(ladder)) {
    if (left === 0n) break;
    if (ticks * size > left) return { filled: filled + left, full, lastTicks: ticks, rest: left };
    full.push({ ticks, size });
    filled += ticks * size;
    left -= ticks * size;
  }
  return { filled, full, lastTicks: 1n, rest: 0n };
}

function price(ladder: Ladder, usd: number) {
  const usdMicros = micros(usd);
  const taken = take(ladder, usdMicros);
  const shares = sharesOf(taken);
  const depth = levelsOf(ladder).reduce((sum, { ticks, size }) => sum + ticks * size, 0n);
  const depthCents = nearest(depth, CENT);
  const best = BigInt(ladder.bestTicks ?? 0);
  const vwap = shares === 0n ? 0n : nearest(taken.filled * taken.lastTicks * 100n, shares);
  const away = vwap > best * 100n ? vwap - best * 100n : best * 100n - vwap;
  const pct = depthCents === 0n ? PCT_MAX : Number(nearest(usdMicros * 100n, depthCents)) / 1e4;
  const numbers = {
    bestPrice: Number(best) / 1e4,
    expectedVwap: Number(vwap) / 1e6,
    expectedSlippageCents: best === 0n ? 0 : Number(away) / 1e4,
    visibleDepthUsd: Number(depthCents) / 100,
    orderVsDepthPct: Math.min(pct, PCT_MAX),
  };
  const sharesE4 = vwap === 0n ? 0n : nearest(usdMicros * 10_000n, vwap);
  return { usd: Number(usdMicros) / 1e6, shares: Number(sharesE4) / 1e4, taken, numbers };
}

function fee(ladder: Ladder, taken: Taken, { rate, exponent }: FeeSchedule) {
  const shares = sharesOf(taken);
  if (shares === 0n || ladder.length === 0) return { takerFeeUsd: 0, feeDragCentsPerShare: 0 };
  const curve = (ticks: bigint) => (ticks * (10_000n - ticks)) ** BigInt(exponent);
  const full = taken.full.reduce((sum, { ticks, size }) => sum + size * curve(ticks), 0n);
  const top = (full * taken.lastTicks + taken.rest * curve(taken.lastTicks)) * micros(rate);
  const scale = 100_000_000n ** BigInt(exponent);
  return {
    takerFeeUsd: Number(nearest(top * 100_000n, taken.lastTicks * scale * 10n ** 12n)) / 1e5,
    feeDragCentsPerShare: Number(nearest(top, shares * scale)) / 1e4,
  };
}

/** From the closed form's cent at most four down, or up: the same limits of the search as the service has. */
function safeSize(side: Side, ladder: Ladder, thresholds: Thresholds, minOrderShares: number): number {
  const passes = (cents: bigint) => {
    const { usd, shares, numbers } = price(ladder, Number(cents) / 100);
    return cents > 0n && doesSizePass({ thresholds, minOrderShares, side, usd, shares, numbers });
  };
  const most = BigInt(USD_MAX) * 100n;
  let cents = [centsByDepth(ladder, thresholds), centsBySlippage(side, ladder, thresholds), most].reduce((a, b) =>
    b < a ? b : a,
  );
  if (!passes(cents)) {
    for (let step = 0; step < 4 && cents > 0n; step++) if (passes(--cents)) return Number(cents) / 100;
    return 0;
  }
  for (let step = 0; step < 4 && cents < most && passes(cents + 1n); step++) cents++;
  return Number(cents) / 100;
}

function centsByDepth(ladder: Ladder, { depthCautionFraction }: Thresholds): bigint {
  const depth = levelsOf(ladder).reduce((sum, { ticks, size }) => sum + ticks * size, 0n);
  return (nearest(depth, CENT) * (2n * micros(depthCautionFraction) + 1n)) / 2_000_000n;
}

function centsBySlippage(side: Side, ladder: Ladder, limits: Thresholds): bigint {
  let allowed = Math.round(Math.min(limits.slippageCautionCents, limits.slippageVetoCents) * 1e4) + 1;
  const isAllowed = () => allowed / 1e4 <= limits.slippageCautionCents && allowed / 1e4 < limits.slippageVetoCents;
  while (allowed >= 0 && !isAllowed()) allowed--;
  if (allowed < 0) return 0n;
  const direction = side === 'BUY' ? 1n : -1n;
  const limit = BigInt(ladder.bestTicks!) * 1_000n + direction * (BigInt(allowed) * 10n + 5n);
  let notional = 0n;
  let shares = 0n;
  for (const { ticks, size } of levelsOf(ladder)) {
    const beyond = direction * (ticks * 1_000n - limit);
    if (beyond > 0n) {
      const reached = (limit * direction * (shares * ticks - notional)) / beyond;
      if (reached < notional + ticks * size) return reached / CENT;
    }
    notional += ticks * size;
    shares += size;
  }
  return notional / CENT;
}

/** In micro-shares times the price of the level that was taken in part. */
function sharesOf({ full, lastTicks, rest }: Taken): bigint {
  return full.reduce((sum, { size }) => sum + size, 0n) * lastTicks + rest;
}

/** Rounded half up; both are above zero. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

function micros(value: number): bigint {
  const rounded = BigInt(Math.round(value * 1e6));
  return rounded === 0n && value > 0 ? 1n : rounded;
}
