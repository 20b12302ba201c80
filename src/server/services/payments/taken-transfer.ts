import type { PaymentKey } from '#domain/payment/payment';
import { isAt, type TransferPosition } from '#domain/payment/proof';
import type { Decision, Store } from '#ports/store';

/**
 * Has the payment looked at again that is noted where the transfer of another one was seen. The log
 * of a transfer names one authorization, so that a reorganization has moved what was noted: nothing
 * is to be said of either until the chain has shown where it is now. What no payment says of itself
 * is forgotten.
 */
export async function lookAgainAt(
  noted: PaymentKey,
  position: TransferPosition,
  store: Pick<Store, 'transact'>,
): Promise<void> {
  await store.transact({ payment: noted, transfer: position }, ({ payment: row, transfer }): Decision<null> => {
    if (transfer !== noted) return { writes: {}, result: null };
    if (row === null || !isAt(row.proof, position)) {
      const { transaction, logIndex } = position;
      return { writes: { leftTransfer: { transaction, logIndex, payment: noted } }, result: null };
    }
    const { proof } = row;
    return { writes: proof.isFinal ? { payment: { ...row, proof: { ...proof, isFinal: false } } } : {}, result: null };
  });
}
