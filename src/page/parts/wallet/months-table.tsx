import type { WalletProfile } from '#client/answers';
import { pctText, signedPctText } from '../../model/texts.js';
import { NumberColumn } from '../number-column.js';

type Month = WalletProfile['older'];

const ROWS: readonly { readonly name: string; readonly text: (month: Month) => string }[] = [
  { name: 'Entries', text: ({ entries }) => String(entries) },
  { name: 'Events', text: ({ events }) => String(events) },
  { name: 'Won', text: ({ win_rate_pct: won }) => pctText(won) },
  { name: 'Return before fees', text: ({ roi_slippage_basis_pct: roi }) => signedPctText(roi) },
  { name: 'Return after fees', text: ({ roi_fee_inclusive_pct: roi }) => signedPctText(roi) },
  { name: 'z', text: ({ z }) => (typeof z === 'number' ? z.toFixed(2) : '–') },
];

/** The three months side by side: a wallet is picked in one, and has to survive the next. */
export function MonthsTable({ profile }: { readonly profile: WalletProfile }) {
  const months = [profile.older, profile.in_sample, profile.out_of_sample];
  return (
    <section class="card" aria-labelledby="months-title">
      <h3 id="months-title">Month by month</h3>
      <p class="faint">
        Picked in the in-sample month, tested in the last one. Events that were entered before do not count there.
      </p>
      <div class="months">
        <table>
          <thead>
            <tr>
              <td />
              <NumberColumn name="Older" />
              <NumberColumn name="In sample" />
              <NumberColumn name="Out of sample" />
            </tr>
          </thead>
          <tbody>
            {ROWS.map(({ name, text }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {months.map((month, at) => (
                  <td key={String(at)} class="number">
                    {text(month)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
