import { asObject } from '#domain/json';
import type { GuardedOrder } from '../order.js';
import { readSigned } from '../signed-order.js';
import { sideOf } from './members.js';

const MICROS = 1e6;

/** Returns what a signed order says of itself. What is none has no amounts, and is refused by them. */
export function signedOrderOf(method: string, signed: unknown, orderType: string): GuardedOrder {
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
