import type { TypedDataToSign } from '#client/terms/authorization';
import type { Demand } from '#client/terms/demand';
import { usdText } from '#client/terms/limits';
import { sameAddress } from '#client/terms/terms';
import { BASE_CHAIN_ID, USDC_ON_BASE } from '#domain/payment/payment';

/** What the person is shown before their wallet opens; and nothing else is signed. */
export interface ShownTerms {
  readonly amountMicros: bigint;
  /** As in "0.02 USDC". */
  readonly amount: string;
  readonly payee: string;
  readonly asset: string;
  readonly network: string;
  /** How long the payment can be used once the wallet has been asked, in seconds. */
  readonly validS: number;
}

/** Returns the terms of a demand that kept the rules. */
export function termsOf({ amount, payTo, maxTimeoutSeconds }: Demand): ShownTerms {
  const amountMicros = BigInt(amount);
  return {
    amountMicros,
    amount: usdText(amountMicros).replace('USD', 'USDC'),
    payee: payTo,
    asset: USDC_ON_BASE,
    network: `Base (eip155:${BASE_CHAIN_ID})`,
    validS: Math.floor(maxTimeoutSeconds),
  };
}

/** Returns in words why data is not what the person was shown; null if it is. */
export function notAsShown({ message, domain }: TypedDataToSign, shown: ShownTerms, nowMs: number): string | null {
  if (message.value !== shown.amountMicros) return 'another amount than the one that was shown';
  if (!sameAddress(message.to, shown.payee)) return 'another payee than the one that was shown';
  if (!sameAddress(domain.verifyingContract, shown.asset)) return 'another asset than the one that was shown';
  if (domain.chainId !== BASE_CHAIN_ID) return 'another network than the one that was shown';
  if (Number(message.validBefore) > nowMs / 1e3 + shown.validS) return 'a longer time than the one that was shown';
  return null;
}
