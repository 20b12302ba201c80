/**
 * A plan looked at a second time, in fractions of its own that share no code with the service: what
 * the venue asks of amounts, a matcher that fills the order, and what it costs.
 */

/** A whole number over another one. */
type Fraction = readonly [over: bigint, under: bigint];

/** Returns the fraction that a decimal text is. */
function fractionOf(text: string): Fraction {
  const [whole = '', rest = ''] = text.split('.');
  return [BigInt(whole + rest), 10n ** BigInt(rest.length)];
}

const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d]);
const over = (a: Fraction, [c, d]: Fraction): Fraction => times(a, [d, c]);
const compare = ([a, b]: Fraction, [c, d]: Fraction): number => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);
const equal = (a: Fraction, b: Fraction) => compare(a, b) === 0;
const atMost = (a: Fraction, b: Fraction) => compare(a, b) <= 0;
const smaller = (a: Fraction, b: Fraction) => (atMost(a, b) ? a : b);
const isWhole = ([a, b]: Fraction) => a % b === 0n;
const hasDecimals = ([a, b]: Fraction, decimals: number) => isWhole([a * 10n ** BigInt(decimals), b]);
const ZERO: Fraction = [0n, 1n];
const ONE: Fraction = [1n, 1n];
const MICRO: Fraction = [1n, 1_000_000n];

/** A level as the venue writes it. */
type LevelText = readonly [price: string, shares: string];

export interface CheckedPlan {
  readonly side: 'BUY' | 'SELL';
  readonly tick_size: string;
  readonly worst_price: string;
  readonly maker_amount: string;
  readonly taker_amount: string;
  readonly shares: string;
  readonly implied_price: string;
  readonly form: 'exact' | 'floor4';
  readonly usd_needed?: string | undefined;
  readonly usd_needed_max?: string | undefined;
  readonly unspent_usd?: string | undefined;
  readonly left_shares?: string | undefined;
}

export interface AskedOrder {
  readonly usd: string;
  /** Of the side that the order takes, in any order. */
  readonly levels: readonly LevelText[];
  readonly rate: string;
  /** A whole one. */
  readonly exponent: number;
}

/** Returns what is wrong with a plan, a sentence for each fault. */
export function planFaults(plan: CheckedPlan, asked: AskedOrder): string[] {
  const isBuy = plan.side === 'BUY';
  const maker = times(fractionOf(plan.maker_amount), MICRO);
  const taker = times(fractionOf(plan.taker_amount), MICRO);
  const [usd, shares] = isBuy ? [maker, taker] : [taker, maker];
  const [price, tick] = [fractionOf(plan.worst_price), fractionOf(plan.tick_size)];
  const implied = over(usd, shares);
  const tickDecimals = plan.tick_size.length - 2;
  const amountDecimals = Math.min(4, tickDecimals + 2);
  const filled = fillFor(isBuy ? usd : shares, price, isBuy, asked.levels);
  const rules: Readonly<Record<string, boolean>> = {
    'the offer has at most 2 decimals': hasDecimals(maker, 2),
    'what is wanted has at most 4 decimals, and those of its tick': hasDecimals(taker, amountDecimals),
    'the price is on its tick': isWhole(over(price, tick)),
    'the price is between a tick and 1 less a tick': atMost(tick, price) && atMost(price, minus(ONE, tick)),
    'shares are those of the amounts': equal(fractionOf(plan.shares), shares),
    'the implied price is that of the amounts': isRounded(fractionOf(plan.implied_price), implied, 8),
    'the amounts have the price':
      plan.form === 'exact' ? equal(implied, price) : isFloor(usd, shares, price, tick, amountDecimals),
    'the book fills it at its price or better': filled !== null,
  };
  const sums =
    filled === null
      ? {}
      : isBuy
        ? buyRules(plan, asked, usd, shares, filled)
        : sellRules(plan, asked, usd, shares, filled);
  return Object.entries({ ...rules, ...sums }).flatMap(([rule, holds]) => (holds ? [] : [rule]));
}

/** Rounded down as far as it may be: the price is in [price, price + tick), one unit more would be below. */
function isFloor(usd: Fraction, shares: Fraction, price: Fraction, tick: Fraction, decimals: number): boolean {
  const implied = over(usd, shares);
  const more = plus(shares, [1n, 10n ** BigInt(decimals)]);
  return atMost(price, implied) && !atMost(plus(price, tick), implied) && !atMost(price, over(usd, more));
}

function isRounded(told: Fraction, right: Fraction, decimals: number): boolean {
  const half: Fraction = [1n, 2n * 10n ** BigInt(decimals)];
  return hasDecimals(told, decimals) && atMost(told, plus(right, half)) && atMost(right, plus(told, half));
}

/** One level of a fill. */
interface Taken {
  readonly price: Fraction;
  readonly shares: Fraction;
}

/**
 * Fills a BUY that spends so much, or a SELL that gives so many, at its price or better, the best
 * first; null if the book does not fill it.
 */
function fillFor(size: Fraction, limit: Fraction, isBuy: boolean, levels: readonly LevelText[]): Taken[] | null {
  const crossing = levels
    .map(([price, shares]) => ({ price: fractionOf(price), shares: fractionOf(shares) }))
    .filter(({ price }) => (isBuy ? atMost(price, limit) : atMost(limit, price)))
    .sort((a, b) => (isBuy ? 1 : -1) * compare(a.price, b.price));
  let rest = size;
  const taken: Taken[] = [];
  for (const { price, shares } of crossing) {
    const part = smaller(shares, isBuy ? over(rest, price) : rest);
    taken.push({ price, shares: part });
    rest = minus(rest, isBuy ? times(part, price) : part);
    if (equal(rest, ZERO)) return taken;
  }
  return null;
}

const sumOf = (parts: readonly Fraction[]) => parts.reduce(plus, ZERO);

function buyRules(plan: CheckedPlan, asked: AskedOrder, usd: Fraction, shares: Fraction, filled: readonly Taken[]) {
  const fees = filled.map((level) => feeOf(level, asked));
  const dearest = [plan.tick_size, ...asked.levels.map(([price]) => price)]
    .map(fractionOf)
    .filter((price) => atMost(price, fractionOf(plan.worst_price)))
    .map((price) => feeOf({ price, shares: over(usd, price) }, asked));
  const max = fractionOf(plan.usd_needed_max ?? '0');
  return {
    'a BUY is 1 USD or more': atMost(ONE, usd),
    'a fill has the shares that are wanted': atMost(shares, sumOf(filled.map((level) => level.shares))),
    'spend and rest are the order as asked': equal(
      plus(usd, fractionOf(plan.unspent_usd ?? '')),
      fractionOf(asked.usd),
    ),
    'usd_needed is spend and fee': equal(fractionOf(plan.usd_needed ?? ''), plus(usd, sumOf(fees.map(cut)))),
    'usd_needed_max suffices at any better price': dearest.every((fee) => atMost(plus(usd, fee), max)),
    'usd_needed_max is no more than it has to be': isCeiling(max, plus(usd, times(usd, dearestRate(plan, asked)))),
  };
}

/** Fee per dollar, at most: the rate itself, and without a curve the rate over the lowest price. */
function dearestRate({ tick_size }: CheckedPlan, { rate, exponent }: AskedOrder): Fraction {
  return exponent === 0 ? over(fractionOf(rate), fractionOf(tick_size)) : fractionOf(rate);
}

/** The whole number of micro-USD that is next above, or equal. */
function isCeiling(told: Fraction, right: Fraction): boolean {
  return hasDecimals(told, 6) && atMost(right, told) && !atMost(plus(right, MICRO), told);
}

function feeOf({ price, shares }: Taken, { rate, exponent }: AskedOrder): Fraction {
  let fee = times(shares, fractionOf(rate));
  for (let power = 0; power < exponent; power++) fee = times(times(fee, price), minus(ONE, price));
  return fee;
}

/** To 5 decimals, as the venue cuts the fee of each level. */
function cut([a, b]: Fraction): Fraction {
  return [(a * 100_000n) / b, 100_000n];
}

function sellRules(plan: CheckedPlan, asked: AskedOrder, usd: Fraction, shares: Fraction, filled: readonly Taken[]) {
  const earned = sumOf(filled.map((level) => times(level.price, level.shares)));
  const wanted = plus(shares, fractionOf(plan.left_shares ?? ''));
  return {
    'a fill earns what is wanted': atMost(usd, earned),
    'a SELL earns no more than was asked for': atMost(earned, fractionOf(asked.usd)),
    'shares and rest are what the order is worth': isWorth(wanted, asked),
  };
}

/** Whether so many shares, and not a micro-share more, earn at most what was asked for. */
function isWorth(shares: Fraction, { usd, levels }: AskedOrder): boolean {
  const earns = (size: Fraction) => {
    const filled = fillFor(size, ZERO, false, levels);
    return filled === null ? null : sumOf(filled.map((level) => times(level.price, level.shares)));
  };
  const [all, more] = [earns(shares), earns(plus(shares, MICRO))];
  return all !== null && atMost(all, fractionOf(usd)) && (more === null || !atMost(more, fractionOf(usd)));
}
