import { asObject } from '#domain/json';

export const MICROS = 1_000_000n;

/** An order as a client signed and sent it. Amounts are in 1e-6 USD and shares. */
export interface PostedOrder {
  /** What the venue calls it: the hash that was signed; '' before it is known. */
  readonly id: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  /** Lower-case addresses. */
  readonly maker: string;
  readonly signer: string;
  readonly orderType: 'FOK' | 'FAK' | 'GTC' | 'GTD';
  /** FOK and FAK: what is not filled at once is no order. */
  readonly isMarket: boolean;
  readonly postOnly: boolean;
  /** 0: it does not end by itself. */
  readonly expirationS: number;
  /** The API key that it was sent with. */
  readonly owner: string;
  /** All signed fields, as they came. */
  readonly signed: Readonly<Record<string, unknown>>;
}

const TYPES: readonly string[] = ['FOK', 'FAK', 'GTC', 'GTD'];
const DIGITS = /^\d{1,78}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Reads the body of `POST /order`, or an element of `POST /orders`; null if it is none. */
export function readPosted(body: unknown): PostedOrder | null {
  const posted = asObject(body);
  const signed = asObject(posted?.order);
  if (posted === null || signed === null) return null;
  const [tokenId, makerAmount, takerAmount] = [signed.tokenId, signed.makerAmount, signed.takerAmount].map(String);
  const [maker, signer] = [signed.maker, signed.signer].map((address) => String(address).toLowerCase());
  const areDigits = [tokenId, makerAmount, takerAmount].every((text) => DIGITS.test(text!));
  const areAddresses = [maker, signer].every((text) => ADDRESS.test(text!));
  const { orderType } = posted;
  if (!areDigits || !areAddresses || typeof orderType !== 'string' || !TYPES.includes(orderType)) return null;
  if (signed.side !== 'BUY' && signed.side !== 'SELL') return null;
  if (BigInt(makerAmount!) === 0n || BigInt(takerAmount!) === 0n) return null;
  return {
    id: '',
    tokenId: tokenId!,
    side: signed.side,
    makerAmount: BigInt(makerAmount!),
    takerAmount: BigInt(takerAmount!),
    maker: maker!,
    signer: signer!,
    orderType: orderType as PostedOrder['orderType'],
    isMarket: orderType === 'FOK' || orderType === 'FAK',
    postOnly: posted.postOnly === true,
    expirationS: Number(signed.expiration ?? 0),
    owner: String(posted.owner ?? ''),
    signed,
  };
}

/** Returns what an order spends or earns, and what it buys or sells. */
export function usdAndShares({ side, makerAmount, takerAmount }: PostedOrder): {
  readonly usd: bigint;
  readonly shares: bigint;
} {
  return side === 'BUY' ? { usd: makerAmount, shares: takerAmount } : { usd: takerAmount, shares: makerAmount };
}

/** Returns how many decimal places an amount needs. */
export function decimalPlaces(micros: bigint): number {
  let places = 6;
  for (let rest = micros; places > 0 && rest % 10n === 0n; rest /= 10n) places--;
  return places;
}
