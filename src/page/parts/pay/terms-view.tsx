import { type ReadonlySignal, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type AnnouncedWallet, withAnnounced } from '../../model/pay/announced-wallets.js';
import type { ShownTerms } from '../../model/pay/shown-terms.js';
import { Facts } from '../facts.js';

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

const found = signal<readonly AnnouncedWallet[]>([]);
let isListening = false;

/**
 * Asks the wallets of this browser to announce themselves (EIP-6963), and returns those that do, as
 * they come.
 */
function announcedWallets(): ReadonlySignal<readonly AnnouncedWallet[]> {
  if (!isListening) {
    isListening = true;
    addEventListener('eip6963:announceProvider', (event) => {
      found.value = withAnnounced(found.value, (event as CustomEvent<unknown>).detail);
    });
  }
  dispatchEvent(new Event('eip6963:requestProvider'));
  return found;
}
