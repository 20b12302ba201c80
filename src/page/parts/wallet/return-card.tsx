import type { WalletProfile } from '#client/answers';
import { signedPctText } from '../../model/texts.js';
import { scaleOf } from '../../model/wallet/interval-bar.js';
import { sampleText } from '../../model/wallet/sample-text.js';
import { RoiBar } from './roi-bar.js';

/** What a copier made per dollar, how sure that is, and how far the sample carries. */
export function ReturnCard({ profile }: { readonly profile: WalletProfile }) {
  const { roi_fee_inclusive_pct: after, roi_slippage_basis_pct: before, roi_ci95_pct: interval } = profile;
  const scale = scaleOf([interval], [after]);
  return (
    <section class="card" aria-labelledby="return-title">
      <h3 id="return-title">What a copier made per dollar in {profile.window.days} days</h3>
      <p class="return-figures">
        <strong class="big number">{signedPctText(after)}</strong> after fees
        <span class="faint">, {signedPctText(before)} before them</span>
      </p>
      <RoiBar interval={interval} figure={after} scale={scale} />
      <p class="scale faint number" aria-hidden="true">
        <span>−{scale}%</span>
        <span>0</span>
        <span>+{scale}%</span>
      </p>
      <p>
        {interval === null
          ? 'No entry passes the filter, so there is no interval.'
          : `95% interval of the entries that pass the filter: ${signedPctText(interval.low)} to ${signedPctText(interval.high)}` +
            `${profile.z === null ? '' : `, z ${profile.z.toFixed(2)}`}. Without its best event: ` +
            `${signedPctText(profile.roi_without_best_event_pct)}.`}
      </p>
      <p class="note" data-sample={profile.sample} data-tone={profile.sample === 'solid' ? 'ok' : 'caution'}>
        <strong>Sample</strong> {sampleText(profile)}
      </p>
    </section>
  );
}
