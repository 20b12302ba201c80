import { VerdictMark } from './verdict-mark.js';

interface ProfileHeadProps {
  readonly wallet: string;
  readonly name: string;
  readonly verdict: string;
  readonly reasonCode?: string;
  readonly strength?: string | undefined;
  readonly reasons: readonly string[];
  /** What is said beside an example. */
  readonly note?: string | undefined;
}

/** Who it is, the verdict, and why, in words. Names are their owners' texts. */
export function ProfileHead({ wallet, name, verdict, reasonCode, strength, reasons, note }: ProfileHeadProps) {
  return (
    <div class="card profile-head">
      <p class="profile-who">
        <VerdictMark verdict={verdict} />
        {strength !== undefined && <span class="tag">{strength}</span>}
        <strong class="foreign ranked-name">{name}</strong>
        <span class="foreign number faint">{wallet}</span>
      </p>
      {reasons.map((reason, at) => (
        <p key={reason} class="foreign reason">
          {reason} {at === 0 && reasonCode !== undefined && <code class="faint">{reasonCode}</code>}
        </p>
      ))}
      {verdict === 'WATCH' && <p class="faint">WATCH means unproven, not half a COPY.</p>}
      {note !== undefined && <p class="faint">{note}</p>}
    </div>
  );
}
