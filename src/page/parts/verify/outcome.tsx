import type { VerifierState } from '../../model/verify/verifier-state.js';
import { Facts } from '../facts.js';

/** What came of it, in a sentence, and what the answer says if it can be believed. */
export function Outcome({ state, issuer }: { readonly state: VerifierState; readonly issuer: string }) {
  return (
    <div class="outcome" aria-live="polite">
      {state.kind === 'checking' && <p>Checking…</p>}
      {state.kind === 'unusable' && (
        <div class="card note" data-tone="caution">
          <h2>This cannot be checked</h2>
          <p>{state.problem}</p>
          <p>{state.next}</p>
        </div>
      )}
      {state.kind === 'checked' && (
        <div
          class="card note"
          data-tone={state.judgement.kind === 'holds' ? 'ok' : 'veto'}
          data-kind={state.judgement.kind}
        >
          <h2>
            <span aria-hidden="true">{state.judgement.kind === 'holds' ? '✓ ' : '✕ '}</span>
            {state.judgement.title}
          </h2>
          <p class="foreign">{state.judgement.text}</p>
          <CheckedView state={state} issuer={issuer} />
        </div>
      )}
    </div>
  );
}

function CheckedView({
  state,
  issuer,
}: {
  readonly state: VerifierState & { kind: 'checked' };
  readonly issuer: string;
}) {
  const { received, judgement } = state;
  const rows = [
    ['Verdict', received.verdict],
    ['Order', received.order],
    ['Market', received.question],
    ['Outcome', received.outcome],
    ['Asked at', received.requestedAt],
    ['Issuer', received.issuer === issuer ? `${received.issuer} (this service)` : received.issuer],
  ] as const;
  return (
    <>
      <h3>{judgement.kind === 'holds' ? 'What it says' : 'What it claims'}</h3>
      <Facts rows={rows} />
    </>
  );
}
