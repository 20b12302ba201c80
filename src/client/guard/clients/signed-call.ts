import { asObject } from '#domain/json';
import type { GuardedOrder } from '../order.js';
import { readSigned } from '../signed-order.js';
import { sideOf } from './members.js';
import type { OrderCall } from './order-call.js';

const MICROS = 1e6;

/** A signed order, and how it is to be posted. */
interface Signed {
  readonly method: string;
  readonly signed: unknown;
  readonly orderType: unknown;
  readonly postOnly: unknown;
}

/** Returns the call of an order that is signed already: nothing is left to be signed. */
export function signedCall({ method, signed, orderType, postOnly }: Signed, post: OrderCall['post']): OrderCall {
  return {
    order: signedOrderOf(method, signed, String(orderType)),
    isPostOnly: postOnly === true,
    balanceUsd: null,
    estimatePrice: async () => 0,
    signPlanned: async () => signed,
    signAsWritten: async () => signed,
    post,
    callThrough: () => post(signed),
  };
}

/** Returns what a signed order says of itself. What is none has no amounts, and is refused by them. */
function signedOrderOf(method: string, signed: unknown, orderType: string): GuardedOrder {
  const read = readSigned(signed);
  const facts = { method, orderType, isSigned: true };
  if (read === null) {
    const side = sideOf(asObject(signed)?.side);
    return { ...facts, tokenId: '', side, usd: side === 'BUY' ? 0 : null, shares: null, price: null };
  }
  const { tokenId, side, makerAmount, takerAmount } = read;
  const [maker, taker] = [Number(makerAmount) / MICROS, Number(takerAmount) / MICROS];
  if (side === 'BUY') return { ...facts, tokenId, side, usd: maker, shares: taker, price: maker / taker };
  return { ...facts, tokenId, side, usd: null, shares: maker, price: taker / maker };
}
