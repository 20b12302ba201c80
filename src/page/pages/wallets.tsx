import type { PageFacts } from '#api/pages';
import { LEADERBOARD_EXAMPLE, RED_LIST_EXAMPLE } from '#api/sandbox/sandbox-lists';
import { MEASURED_ERRORS as MEASURED } from '#api/wallets/measured-errors';
import { LIST_METHOD } from '#api/wallets/wallet-method';
import { pctText } from '../model/texts.js';
import { Island } from '../parts/island.js';
import { Bars } from '../parts/wallet/bars.js';
import { WalletList, type WalletListProps } from '../parts/wallets/wallet-list.js';

const LEADERBOARD: WalletListProps = { tool: 'leaderboard', title: 'Leaderboard', example: LEADERBOARD_EXAMPLE };
const RED_LIST: WalletListProps = { tool: 'red_list', title: 'Red list', example: RED_LIST_EXAMPLE };

export function Wallets({ facts: { baseUrl } }: { readonly facts: PageFacts }) {
  return (
    <>
      <h1>Wallets worth copying, and those that are not</h1>
      <p>
        Every night a simulated copier follows every wallet of the venue and pays slippage and fees. Both lists are
        ordered by how sure the result is, never by its return: the highest return is usually the smallest sample.
      </p>
      <noscript>
        <p class="card note">
          Without script this page shows the examples alone. The same by command line, free:{' '}
          <code class="foreign">curl '{baseUrl}/api/leaderboard?sandbox=1'</code>
        </p>
      </noscript>
      <div class="lists">
        <div>
          <Island id="leaderboard" of={WalletList} props={LEADERBOARD} />
          <Island id="red-list" of={WalletList} props={RED_LIST} />
        </div>
        <aside aria-labelledby="trust">
          <h2 id="trust">How far to trust them</h2>
          <ErrorRates />
          <h3>Method</h3>
          <p>{LIST_METHOD}</p>
        </aside>
      </div>
    </>
  );
}

function ErrorRates() {
  const wallets = MEASURED.walletsPerWorld.toLocaleString('en-US');
  const rows = Object.entries({
    'truly good': MEASURED.trulyGoodPct,
    'good once, not any more': MEASURED.decayedPct,
    'never skilled': MEASURED.neverSkilledPct,
  }).map(([name, value]) => ({ name, value, text: pctText(value) }));
  return (
    <>
      <p>
        In {MEASURED.worlds} generated worlds of {wallets} wallets it is known who has skill. Of those without any,{' '}
        <strong class="number">{MEASURED.falseCopyPer10k}</strong> in 10,000 get COPY (95%:{' '}
        {MEASURED.falseCopyPer10kLow} to {MEASURED.falseCopyPer10kHigh}). Who is a COPY there:
      </p>
      <Bars caption="Who gets COPY in generated worlds" rows={rows} full={100} />
      <p>
        Their copiers saw +{MEASURED.observedRoiPct}% and may expect +{MEASURED.forwardRoiPct}%: part of the observed
        profit is luck, even for skilled wallets. Small samples miss most skill.
      </p>
    </>
  );
}
