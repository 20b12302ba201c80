import { toEventSelector } from 'viem/utils';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { RpcLog } from '#wire/chain/base-rpc';

export const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)');
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

/** A payment, and what it should have paid. */
export interface PaymentQuestion {
  readonly payment: SignedPayment;
  readonly demand: PaymentDemand;
}

/**
 * Returns the log by which a transaction paid us with this authorization, or null if it did not.
 * USDC writes the transfer into the very next log after the use of the authorization. Others may be
 * in the same transaction, even to us, and pay for something else.
 */
export function findPayment(logs: readonly RpcLog[], { payment, demand }: PaymentQuestion): RpcLog | null {
  const { from, nonce } = payment.authorization;
  const uses = logs.filter(
    ({ address, topics }) =>
      address === demand.asset &&
      topics.length === 3 &&
      topics[0] === AUTHORIZATION_USED &&
      topics[1] === toWord(from) &&
      topics[2] === nonce,
  );
  const used = uses[0];
  if (used === undefined || uses.length > 1) return null;
  const next = logs.find((log) => log.logIndex === used.logIndex + 1);
  return next !== undefined && isTransfer(next, { payment, demand }) ? used : null;
}

/** Whether the log is the transfer of our token and our amount from the payer to us. */
function isTransfer({ address, topics, data }: RpcLog, { payment, demand }: PaymentQuestion): boolean {
  if (address !== demand.asset || topics.length !== 3) return false;
  const [event, from, to] = topics;
  const parties = event === TRANSFER && from === toWord(payment.authorization.from) && to === toWord(demand.payTo);
  return parties && data === `0x${demand.amountMicros.toString(16).padStart(64, '0')}`;
}

/** An address or number as a word of the chain. */
export function toWord(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`;
}
