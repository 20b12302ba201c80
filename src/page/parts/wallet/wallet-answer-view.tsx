import type { NoCoverage } from '#client/answers';
import type { WalletAnswer } from '../../model/wallet/answer-kind.js';
import { Facts } from '../facts.js';
import { Profile } from './profile.js';
import { ProfileHead } from './profile-head.js';

/** An answer about a wallet, whichever it is. */
export function WalletAnswerView({ answer }: { readonly answer: WalletAnswer }) {
  switch (answer.kind) {
    case 'profile':
      return <Profile profile={answer.profile} />;
    case 'queued': {
      const { wallet, reasons, note } = answer.queued;
      return <ProfileHead wallet={wallet} name="" verdict="QUEUED" reasons={reasons} note={note} />;
    }
    case 'no_coverage':
      return <NoCoverageView body={answer.noCoverage} />;
    case 'unreadable':
      return (
        <p class="note card" data-tone="veto" role="alert">
          What came is not an answer of this service, so it is not shown. Try again from another network.
        </p>
      );
  }
}

function NoCoverageView({ body }: { readonly body: NoCoverage }) {
  const { wallet, name, verdict, reasons, note } = body;
  return (
    <article class="profile" data-verdict={verdict}>
      <ProfileHead
        wallet={wallet}
        name={name}
        verdict={verdict}
        reasons={reasons}
        note={note}
        reasonCode={body.reason_code}
      />
      <section class="card">
        <Facts
          rows={[
            ['First entries', `${body.n_first_entries} in the window; ${body.coverage_floor} are needed`],
            ['Scored', String(body.n_resolved)],
            ['Open', String(body.n_pending)],
            ['Left out', `${body.n_excluded_updown} crypto up/down`],
          ]}
        />
      </section>
    </article>
  );
}
