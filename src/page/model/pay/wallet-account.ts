import { type Eip1193Provider, fromEip1193 } from '#client/account/eip1193';
import type { PayerAccount } from '#client/state/ports';
import type { ClientSystem } from '#client/system';
import { BASE_CHAIN_ID } from '#domain/payment/payment';
import type { AnnouncedWallet } from './announced-wallets.js';
import { DECLINED } from './failure.js';
import { notAsShown, type ShownTerms } from './shown-terms.js';

const CHAIN_ID = `0x${BASE_CHAIN_ID.toString(16)}`;

interface Shown {
  readonly terms: ShownTerms;
  readonly clock: ClientSystem['clock'];
  /** Ends the wait for the wallet: the person does not want it any more. */
  readonly givenUp: AbortSignal;
  /** Is called when the wallet is about to be asked for its signature, and when it has given it. */
  readonly onSigning: () => void;
  readonly onSigned: () => void;
}

/**
 * Returns the account of a wallet, on Base, that signs what the person was shown and nothing else.
 * Rejects as the wallet does.
 */
export async function walletAccount(wallet: AnnouncedWallet, shown: Shown): Promise<PayerAccount> {
  const provider = untilGivenUp(wallet.provider, shown.givenUp);
  const account = await fromEip1193(provider);
  // Wallets refuse typed data for a chain that they are not on.
  if ((await provider.request({ method: 'eth_chainId' })) !== CHAIN_ID) {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: CHAIN_ID }] });
  }
  return {
    address: account.address,
    async signTypedData(data) {
      const other = notAsShown(data, shown.terms, shown.clock.nowMs());
      if (other !== null) throw new Error(`the wallet was not asked: it would have signed ${other}`);
      shown.onSigning();
      const signature = await account.signTypedData(data);
      shown.onSigned();
      return signature;
    },
  };
}

/**
 * A wallet whose window was closed may never answer. What it answers after it was given up goes
 * nowhere.
 */
function untilGivenUp(provider: Eip1193Provider, givenUp: AbortSignal): Eip1193Provider {
  return {
    request: (call) =>
      new Promise((resolve, reject) => {
        const end = () => reject(Object.assign(new Error('given up'), { code: DECLINED }));
        if (givenUp.aborted) return end();
        givenUp.addEventListener('abort', end, { once: true });
        return provider.request(call).then(resolve, reject);
      }),
  };
}

/** The payer of a payment that is signed already: it signs nothing more. */
export function signedAccount(address: string): PayerAccount {
  return { address, signTypedData: () => Promise.reject(new Error('this payment was signed before')) };
}
