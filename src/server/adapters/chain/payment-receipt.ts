import type { ReceiptReading } from '#ports/settlement';
import { type BaseRpc, RpcFailure } from './base-rpc.js';
import { findPayment, type PaymentQuestion } from './payment-logs.js';

/** Returns what one endpoint's receipt of a transaction shows of a payment. Never rejects. */
export async function readReceipt(
  rpc: BaseRpc,
  transaction: string,
  question: PaymentQuestion,
): Promise<ReceiptReading> {
  try {
    const receipt = await rpc.receipt(transaction);
    if (receipt.kind === 'missing') return receipt;
    const used = receipt.kind === 'succeeded' ? findPayment(receipt.logs, question) : null;
    if (used === null || used.transactionHash !== transaction) return { kind: 'other' };
    return { kind: 'paid', transaction, blockNumber: used.blockNumber, logIndex: used.logIndex };
  } catch (failure) {
    return { kind: 'unknown', reason: failure instanceof RpcFailure ? failure.message : 'cannot be read' };
  }
}

/**
 * Returns what the endpoints say together, of which none showed the payment: all of them have to
 * say that the transaction is another one.
 */
export function combineReceipts(readings: readonly ReceiptReading[]): ReceiptReading {
  const unknown = readings.find(({ kind }) => kind === 'unknown');
  if (unknown !== undefined) return unknown;
  return readings.length > 0 && readings.every(({ kind }) => kind === 'other')
    ? { kind: 'other' }
    : { kind: 'missing' };
}
