import { useMemo } from 'preact/hooks';
import type { AnnouncedWallet } from '../../model/pay/announced-wallets.js';
import type { ShownTerms } from '../../model/pay/shown-terms.js';
import { Facts } from '../facts.js';
import { announcedWallets } from './announced.js';

interface TermsViewProps {
  readonly terms: ShownTerms;
  readonly what: string;
  readonly onWallet: (wallet: AnnouncedWallet) => void;
}

/** What is going to be signed, before any wallet opens; and the wallets to choose from. */
export function TermsView({ terms, what, onWallet }: TermsViewProps) {
  const wallets = useMemo(announcedWallets, []).value;
  const rows = [
    ['Amount', terms.amount],
    ['For', what],
    ['Network', terms.network],
    ['Valid for', `${terms.validS} s from when you choose a wallet`],
    ['To (payee)', terms.payee],
    ['Asset (USDC)', terms.asset],
  ] as const;
  return (
    <>
      <p class="title">What you would sign</p>
      <Facts rows={rows} />
      <p class="faint">
        One transfer of exactly this amount, by signature: no approval, no gas. It was compared with what this service
        publishes, and nothing else is put before your wallet.
      </p>
      <p class="wallets">
        {wallets.map((wallet) => (
          <button key={wallet.uuid} type="button" class="main" onClick={() => onWallet(wallet)}>
            Pay {terms.amount} with <span class="foreign">{wallet.name}</span>
          </button>
        ))}
      </p>
      {wallets.length === 0 && (
        <p class="note" data-tone="caution">
          No wallet of this browser has announced itself (EIP-6963). Unlock or install one and reload, or use credits.
        </p>
      )}
    </>
  );
}
