import { decimalPlaces, MICROS, type PostedOrder, usdAndShares } from './posted-order.js';

/*
 * What the venue asks of an order, by the texts that it is known to send, in integers and without
 * the code that plans orders.
 */

/** What the venue knows of the market of an order. */
export interface OrderTerms {
  /** The price step in 1e-4 USD. */
  readonly stepTicks: number;
  /** The least size of an order that may rest, in 1e-6 shares. */
  readonly minMicros: bigint;
  readonly nowS: number;
}

/** A good-till-date order lives at least as long. */
const GTD_S_MIN = 180;
const MARKET_BUY_DECIMALS = { usd: 2, shares: 4 };
const SHARES_DECIMALS = 2;
const TICKS = 10_000n;
const TICK_DECIMALS = 4;

/** Returns the words with which the venue refuses an order whatever its book is; null if it takes it. */
export function formRefusal(order: PostedOrder, terms: OrderTerms): string | null {
  const { orderType, postOnly, expirationS } = order;
  if (postOnly && order.isMarket) return 'invalid post-only order: only GTC and GTD orders are allowed';
  if (orderType === 'GTD' && expirationS < terms.nowS + GTD_S_MIN) return 'invalid expiration';
  if (orderType !== 'GTD' && expirationS !== 0) return 'invalid expiration';
  return order.isMarket ? marketRefusal(order, terms) : restingRefusal(order, terms);
}

function marketRefusal(order: PostedOrder, terms: OrderTerms): string | null {
  const { usd, shares } = usdAndShares(order);
  if (order.side === 'SELL') return exactRefusal(order, terms);
  if (usd < MICROS) return smallBuy(usd);
  const tooFine = decimalPlaces(usd) > MARKET_BUY_DECIMALS.usd || decimalPlaces(shares) > MARKET_BUY_DECIMALS.shares;
  return tooFine
    ? 'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals'
    : null;
}

function restingRefusal(order: PostedOrder, terms: OrderTerms): string | null {
  const { shares } = usdAndShares(order);
  const refusal = exactRefusal(order, terms);
  if (refusal !== null || shares >= terms.minMicros) return refusal;
  return `order ${order.id} is invalid. Size (${inUnits(shares)}) lower than the minimum: ${inUnits(terms.minMicros)}`;
}

/** Amounts whose price is a multiple of the step to the last digit. */
function exactRefusal(order: PostedOrder, { stepTicks }: OrderTerms): string | null {
  const { usd, shares } = usdAndShares(order);
  if (decimalPlaces(shares) > SHARES_DECIMALS) {
    const decimals = decimalsOfStep(stepTicks) + SHARES_DECIMALS;
    return `invalid amounts, the ${order.side.toLowerCase()} orders maker amount supports a max accuracy of ${decimals} decimals, taker amount a max of 2 decimals`;
  }
  const step = BigInt(stepTicks);
  if ((usd * TICKS) % (shares * step) === 0n) return null;
  const nearest = ((usd * TICKS * 2n + shares * step) / (shares * step * 2n)) * step;
  const exact = (nearest * shares) / TICKS;
  if (order.side === 'SELL' && order.isMarket) {
    return `invalid amounts, the taker amount for a $${Number(nearest) / Number(TICKS)} order of size ${inUnits(shares)} should be '${inUnits(exact)}' but the value submited is '${inUnits(usd)}'`;
  }
  const price = Number(usd) / Number(shares);
  return `order ${order.id} is invalid. Price (${price}) breaks minimum tick size rule: ${stepTicks / Number(TICKS)}`;
}

/** Returns the refusal of a BUY that takes and is too small. */
export function smallBuy(usd: bigint): string {
  return `invalid amount for a marketable BUY order ($${inUnits(usd)}), min size: $1`;
}

function decimalsOfStep(stepTicks: number): number {
  let decimals = TICK_DECIMALS;
  for (let rest = stepTicks; decimals > 1 && rest % 10 === 0; rest /= 10) decimals--;
  return decimals;
}

function inUnits(micros: bigint): number {
  return Number(micros) / Number(MICROS);
}
