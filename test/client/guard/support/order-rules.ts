/**
 * What the venue's order door asks of amounts, by the texts that it is known to send, in integers and
 * without the code that plans orders.
 */

/** A posted order as the door reads it, with its amounts in 1e-6 USD and shares. */
export interface PostedOrder {
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly orderType: string;
}

/** A level in 1e-4 USD and 1e-6 shares. */
interface DoorLevel {
  readonly ticks: bigint;
  readonly micros: bigint;
}

export interface DoorBook {
  /** The price step in 1e-4 USD. */
  readonly tick: bigint;
  /** Of the side that the order takes, the best first. */
  readonly levels: readonly DoorLevel[];
}

const MICROS = 1_000_000n;

const decimalsOf = (micros: bigint) => {
  let decimals = 6;
  for (let rest = micros; decimals > 0 && rest % 10n === 0n; rest /= 10n) decimals--;
  return decimals;
};

/** Returns the words with which the venue refuses amounts; null if it takes them. */
export function amountsRefusal(
  { side, makerAmount, takerAmount, orderType }: PostedOrder,
  tick: bigint,
): string | null {
  const [usd, shares] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  if (usd <= 0n || shares <= 0n) return 'Invalid order payload';
  const isMarket = orderType === 'FOK' || orderType === 'FAK';
  const isOnStep = (usd * 10_000n) % (shares * tick) === 0n;
  if (side === 'BUY' && isMarket) {
    if (usd < MICROS) return `invalid amount for a marketable BUY order ($${Number(usd) / 1e6}), min size: $1`;
    if (decimalsOf(usd) > 2 || decimalsOf(shares) > 4) {
      return 'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals';
    }
    return null;
  }
  if (decimalsOf(shares) > 2) {
    return 'invalid amounts, the buy orders maker amount supports a max accuracy of 4 decimals, taker amount a max of 2 decimals';
  }
  return isOnStep ? null : 'order is invalid. Price breaks minimum tick size rule';
}

/** What an order gets of a book, in 1e-6 USD and shares. */
export interface Fill {
  readonly usdMicros: bigint;
  readonly sharesMicros: bigint;
}

/** Fills an order that takes; null if the book does not hold all of it within its price. */
export function fillWhole({ side, makerAmount, takerAmount }: PostedOrder, { levels }: DoorBook): Fill | null {
  let usd = 0n;
  let shares = 0n;
  for (const { ticks, micros } of levels) {
    // Its price is usd over shares: taker over maker of a BUY, the other way round of a SELL.
    const isWithin =
      side === 'BUY' ? ticks * takerAmount <= makerAmount * 10_000n : ticks * makerAmount >= takerAmount * 10_000n;
    if (!isWithin) break;
    const wanted = side === 'BUY' ? ((makerAmount - usd) * 10_000n) / ticks : makerAmount - shares;
    const taken = micros < wanted ? micros : wanted;
    shares += taken;
    usd += taken === wanted && side === 'BUY' ? makerAmount - usd : (taken * ticks) / 10_000n;
    if (taken === wanted) return { usdMicros: usd, sharesMicros: shares };
  }
  return null;
}
