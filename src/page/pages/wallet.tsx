import type { PageFacts } from '#api/pages';
import { WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { Island } from '../parts/island.js';
import { WalletView } from '../parts/wallet/wallet-view.js';

export function Wallet({ facts: { baseUrl } }: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Is this wallet worth copying?</h1>
      <p>
        A simulated copier follows its first entries, pays slippage and fees, and holds to resolution. What counts is
        what the copier would have made, and whether luck could explain it.
      </p>
      <noscript>
        <p class="card note">
          Without script this page shows the example alone. The same by command line:{' '}
          <code class="foreign">curl "{baseUrl}/api/preflight_copy?wallet=0x…" -H "Authorization: Bearer $TOKEN"</code>
        </p>
      </noscript>
      <Island id="wallet" of={WalletView} props={{ example: WALLET_PROFILE_EXAMPLE }} />
    </>
  );
}
