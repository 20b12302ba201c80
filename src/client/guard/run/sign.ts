import type { OrderCall } from '../clients/order-call.js';
import type { Amounts, PlannedAmounts } from '../order.js';
import { readSigned, type SignedOrder, usdMicrosOf } from '../signed-order.js';

/** What a client made of amounts: the first that it signed to the unit, or the last error. */
export type SignedPlan =
  | { readonly kind: 'signed'; readonly whole: unknown; readonly signed: SignedOrder }
  | { readonly kind: 'otherwise'; readonly error: unknown };

/**
 * Signs the first of the amounts that the client signs to the unit: clients compute in floats, and a
 * client may have been tampered with. Never rejects, and sends nothing.
 */
export async function signOneOf(call: OrderCall, amounts: readonly PlannedAmounts[]): Promise<SignedPlan> {
  let error: unknown = null;
  for (const wanted of amounts) {
    try {
      const whole = await call.signPlanned(wanted);
      const signed = readSigned(whole);
      if (signed !== null && isSignedAs(signed, call, wanted)) return { kind: 'signed', whole, signed };
    } catch (cause) {
      error = cause;
    }
  }
  return { kind: 'otherwise', error };
}

function isSignedAs(signed: SignedOrder, { order }: OrderCall, { maker, taker }: Amounts): boolean {
  const isOrder = signed.tokenId === order.tokenId && signed.side === order.side;
  return isOrder && signed.makerAmount === maker && signed.takerAmount === taker;
}

/** Clients round amounts to 1e-4 USD at the coarsest. */
const ROUNDING_MICROS = 100;

/**
 * Returns why what was signed is not the order that its owner wrote: another one, or of more; null
 * if it is that one.
 */
export function otherOrderFault({ order }: OrderCall, signed: SignedOrder): string | null {
  if (signed.tokenId !== order.tokenId) return 'the client signed another token';
  if (signed.side !== order.side) return 'the client signed the other side';
  const { usd, shares } = order;
  const isBuy = signed.side === 'BUY';
  const isMore =
    (usd !== null && isBuy && signed.makerAmount > micros(usd)) ||
    (shares !== null && !order.isSigned && sharesMicrosOf(signed) > micros(shares));
  return isMore ? 'the client signed a larger order' : null;
}

/** Returns the same, and why its price is worse than its owner's. Clients round prices to a step. */
export function writtenFault(call: OrderCall, signed: SignedOrder): string | null {
  const fault = otherOrderFault(call, signed);
  const { price, isSigned } = call.order;
  if (fault !== null || isSigned || price === null) return fault;
  const [usdMicros, limitMicros] = [Number(usdMicrosOf(signed)), price * Number(sharesMicrosOf(signed))];
  const isWorse =
    signed.side === 'BUY' ? usdMicros > limitMicros + ROUNDING_MICROS : usdMicros < limitMicros - ROUNDING_MICROS;
  return isWorse ? 'the client signed a worse price' : null;
}

const micros = (value: number) => BigInt(Math.round(value * 1e6));
const sharesMicrosOf = ({ side, makerAmount, takerAmount }: SignedOrder) =>
  side === 'BUY' ? takerAmount : makerAmount;
