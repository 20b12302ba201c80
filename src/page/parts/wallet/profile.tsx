import type { WalletProfile } from '#client/answers';
import { countText, momentText, pctText } from '../../model/texts.js';
import { Facts } from '../facts.js';
import { Bars } from './bars.js';
import { EquityCard } from './equity-card.js';
import { MonthsTable } from './months-table.js';
import { PriceHistogram } from './price-histogram.js';
import { ProfileHead } from './profile-head.js';
import { ReturnCard } from './return-card.js';

/** All that is known of a rated wallet. */
export function Profile({ profile }: { readonly profile: WalletProfile }) {
  const { wallet, name, verdict, reasons, strength, note } = profile;
  const head = { wallet, name, verdict, reasons, strength, note, reasonCode: profile.reason_code };
  return (
    <article class="profile" data-verdict={verdict} data-live={profile.sandbox !== true}>
      <ProfileHead {...head} />
      <div class="halves">
        <ReturnCard profile={profile} />
        <EquityCard key={profile.wallet} profile={profile} />
        <MonthsTable profile={profile} />
        <EntriesCard profile={profile} />
        <MixCard profile={profile} />
        <FarmingCard profile={profile} />
        <FreshnessCard profile={profile} />
      </div>
      <details>
        <summary>How this was computed</summary>
        <p>{profile.method}</p>
        {profile.tape_note !== undefined && <p>{profile.tape_note}</p>}
        <p class="faint">
          Cut-offs <code class="foreign">{profile.rating_config}</code>
        </p>
      </details>
    </article>
  );
}

function EntriesCard({ profile }: { readonly profile: WalletProfile }) {
  const average = profile.avg_entry_price === null ? '' : `, ${profile.avg_entry_price.toFixed(3)} on average`;
  return (
    <section class="card">
      <h3>Prices of its entries</h3>
      <p class="faint">First entries by the wallet's own price{average}.</p>
      <PriceHistogram buckets={profile.entry_price_buckets} />
    </section>
  );
}

function MixCard({ profile }: { readonly profile: WalletProfile }) {
  const mix = Object.entries(profile.category_mix_pct);
  const clips = profile.clips_per_entry_avg;
  return (
    <section class="card">
      <h3>Categories of its entries</h3>
      <Bars
        caption="First entries by category"
        rows={mix.map(([name, pct]) => ({ name, value: pct, text: pctText(pct) }))}
      />
      <Facts
        rows={[
          [
            'First entries',
            `${profile.n_first_entries} in the window, ${profile.n_resolved} scored, ${profile.n_pending} open`,
          ],
          ['Left out', `${profile.n_excluded_updown} crypto up/down, ${profile.n_early_resolved} settled early`],
          ['Orders per entry', clips === null ? '–' : clips.toFixed(2)],
          ['Active', `on ${countText(profile.active_days, 'day')} of ${profile.window.days}`],
        ]}
      />
    </section>
  );
}

function FarmingCard({ profile }: { readonly profile: WalletProfile }) {
  const { markets, both_sided_markets: both } = profile.both_sides;
  return (
    <section class="card">
      <h3>Farming screen</h3>
      <p class="faint">How much of the volume is no opinion that could be copied.</p>
      <Facts
        rows={[
          ['Both outcomes bought', `${pctText(profile.both_sides_pct)}: ${both} of ${countText(markets, 'market')}`],
          ['Bought at 0.95 or more', pctText(profile.near_certain_pct)],
          ['Sold again within an hour', `${pctText(profile.round_trip_pct)} (reported, not judged)`],
          ['Sold before they were bought', countText(profile.sell_first_entries, 'entry', 'entries')],
        ]}
      />
    </section>
  );
}

function FreshnessCard({ profile }: { readonly profile: WalletProfile }) {
  const { from, to, days } = profile.window;
  return (
    <section class="card">
      <h3>As of when</h3>
      <Facts
        rows={[
          ['Computed', momentText(profile.computed_at)],
          ['Data through', momentText(profile.data_through)],
          ['Valid until', momentText(profile.next_refresh_at)],
          ['Window', `${from} to ${to}, ${days} days`],
          ['Last trade', profile.last_trade_at === null ? 'none in the window' : momentText(profile.last_trade_at)],
        ]}
      />
    </section>
  );
}
