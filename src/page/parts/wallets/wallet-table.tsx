import type { Leaderboard, RedList } from '#client/answers';
import { pctText, shortAddress, signedPctText } from '../../model/texts.js';
import { scaleOf } from '../../model/wallet/interval-bar.js';
import { RoiBar } from '../wallet/roi-bar.js';
import { VerdictMark } from '../wallet/verdict-mark.js';

type Row = Leaderboard['wallets'][number] | RedList['wallets'][number];

/** The wallets of a list in their order, the surest first. */
export function WalletTable({ wallets, caption }: { readonly wallets: readonly Row[]; readonly caption: string }) {
  const scale = scaleOf(
    wallets.map(({ roi_ci95_pct: interval }) => interval),
    wallets.map(({ roi_fee_inclusive_pct: roi }) => roi),
  );
  return (
    <ol class="ranking" aria-label={caption}>
      {wallets.map((wallet, at) => (
        <WalletRow key={wallet.wallet} row={wallet} rank={at + 1} scale={scale} />
      ))}
    </ol>
  );
}

interface WalletRowProps {
  readonly row: Row;
  readonly rank: number;
  readonly scale: number;
}

function WalletRow({ row, rank, scale }: WalletRowProps) {
  const { wallet, name, verdict, roi_fee_inclusive_pct: roi, roi_ci95_pct: interval, reasons } = row;
  return (
    <li class="ranked">
      <div class="ranked-who">
        <span class="faint number">{rank}</span> <VerdictMark verdict={verdict} />
        {row.strength !== undefined && <span class="tag">{row.strength}</span>}
        <span class="foreign ranked-name">{name}</span>
        <a class="number" href={`/wallet?address=${encodeURIComponent(wallet)}`}>
          {shortAddress(wallet)}
        </a>
      </div>
      <div class="ranked-roi">
        <span>
          <strong class="number">{signedPctText(roi)}</strong> <span class="faint">after fees</span>
        </span>
        <RoiBar interval={interval} figure={roi} scale={scale} />
        <span class="faint number">
          {interval === null ? '' : `${signedPctText(interval.low)} to ${signedPctText(interval.high)}`}
        </span>
      </div>
      <dl class="ranked-figures">
        <Figure
          name="In sample"
          text={`${signedPctText(row.in_sample.roi_fee_inclusive_pct)} of ${row.in_sample.entries}`}
        />
        <Figure
          name="Out of sample"
          text={`${signedPctText(row.out_of_sample.roi_fee_inclusive_pct)} of ${row.out_of_sample.entries}`}
        />
        <Figure name="Won" text={pctText(row.win_rate_pct)} />
        <Figure name="Sample" text={row.sample} />
      </dl>
      <details>
        <summary>Why</summary>
        <ul>
          {reasons.map((reason) => (
            <li key={reason} class="foreign">
              {reason}
            </li>
          ))}
        </ul>
        {row.evidence_hash !== undefined && <EvidenceHash hash={row.evidence_hash} />}
      </details>
    </li>
  );
}

/** What the wallet's evidence has to hash to. It is cut short by its style alone, so that it is copied whole. */
function EvidenceHash({ hash }: { readonly hash: string }) {
  return (
    <p class="faint evidence-hash">
      Evidence{' '}
      <code class="foreign" title={hash}>
        {hash}
      </code>
    </p>
  );
}

function Figure({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number">{text}</dd>
    </div>
  );
}
