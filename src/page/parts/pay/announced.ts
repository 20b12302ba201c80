import { type ReadonlySignal, signal } from '@preact/signals';
import { type AnnouncedWallet, withAnnounced } from '../../model/pay/announced-wallets.js';

const found = signal<readonly AnnouncedWallet[]>([]);
let isListening = false;

/**
 * Asks the wallets of this browser to announce themselves (EIP-6963), and returns those that do, as
 * they come.
 */
export function announcedWallets(): ReadonlySignal<readonly AnnouncedWallet[]> {
  if (!isListening) {
    isListening = true;
    addEventListener('eip6963:announceProvider', (event) => {
      found.value = withAnnounced(found.value, (event as CustomEvent<unknown>).detail);
    });
  }
  dispatchEvent(new Event('eip6963:requestProvider'));
  return found;
}
