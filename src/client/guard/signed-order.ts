import { asObject } from '#domain/json';

/** What is compared of a signed order. No client names its exchange: see exchange.ts. */
export interface SignedOrder {
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  /** Lower-case address whose money and shares it moves. */
  readonly maker: string;
  /** As the client made it, with its signature. */
  readonly whole: Readonly<Record<string, unknown>>;
}

const DIGITS = /^\d{1,78}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const SIDES: ReadonlyMap<unknown, 'BUY' | 'SELL'> = new Map<unknown, 'BUY' | 'SELL'>([
  ['BUY', 'BUY'],
  [0, 'BUY'],
  ['SELL', 'SELL'],
  [1, 'SELL'],
]);

/** Reads a signed order of either client; null if it is none. */
export function readSigned(received: unknown): SignedOrder | null {
  const whole = asObject(received);
  if (whole === null) return null;
  const side = SIDES.get(whole.side);
  const [tokenId, makerAmount, takerAmount] = [whole.tokenId, whole.makerAmount, whole.takerAmount].map(String);
  const maker = String(whole.maker).toLowerCase();
  const areDigits = [tokenId, makerAmount, takerAmount].every((text) => DIGITS.test(text!));
  if (side === undefined || !areDigits || !ADDRESS.test(maker)) return null;
  return {
    tokenId: tokenId!,
    side,
    makerAmount: BigInt(makerAmount!),
    takerAmount: BigInt(takerAmount!),
    maker,
    whole,
  };
}

/** Returns what an order spends or is to earn, in micro-USD. */
export function usdMicrosOf({ side, makerAmount, takerAmount }: SignedOrder): bigint {
  return side === 'BUY' ? makerAmount : takerAmount;
}
