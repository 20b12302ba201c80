import type { SignedPayment } from '#domain/payment/payment';
import type { ChainReader } from '#ports/settlement';
import type { PaymentOutcome } from './contract.js';
import type { PaymentInWork } from './in-work.js';

const SIGNATURE_REFUSED = 'invalid_exact_evm_payload_signature';
/** It came with how its wallet would be deployed, which nobody does here. */
const NOT_DEPLOYED = 'invalid_exact_evm_payload_undeployed_smart_wallet';

/**
 * Returns why nobody who can pay has signed, or null. The payer's own key is known without I/O; any
 * other signature can only be a smart wallet's: its address has code, which says so itself. What is
 * refused here costs no facilitator a call, and those who pay no wait.
 */
export async function objectToSigner(
  { payment, signature, isProven }: PaymentInWork,
  chain: Pick<ChainReader, 'hasCode' | 'isSignedByWallet'>,
): Promise<PaymentOutcome | null> {
  if (isProven) return null;
  if (signature === 'malformed') return { kind: 'refused', reason: SIGNATURE_REFUSED };
  switch (await chain.hasCode(payment.authorization.from)) {
    case 'code':
      return objectToWallet(payment, chain);
    case 'no_code':
      return { kind: 'refused', reason: payment.isWrapped === true ? NOT_DEPLOYED : SIGNATURE_REFUSED };
    case 'unknown':
      return { kind: 'unavailable', reason: 'the chain cannot be asked whether the payer is a smart wallet' };
  }
}

async function objectToWallet(
  payment: SignedPayment,
  chain: Pick<ChainReader, 'isSignedByWallet'>,
): Promise<PaymentOutcome | null> {
  switch (await chain.isSignedByWallet(payment)) {
    case 'signed':
      return null;
    case 'not_signed':
      return { kind: 'refused', reason: SIGNATURE_REFUSED };
    case 'unknown':
      return { kind: 'unavailable', reason: 'the chain cannot be asked whether the smart wallet has signed' };
  }
}
