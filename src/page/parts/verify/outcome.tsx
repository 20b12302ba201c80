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
          <Told state={state} issuer={issuer} />
        </div>
      )}
    </div>
  );
}

function Told({ state, issuer }: { readonly state: VerifierState & { kind: 'checked' }; readonly issuer: string }) {
  const { told, judgement } = state;
  const rows = [
    ['Verdict', told.verdict],
    ['Order', told.order],
    ['Market', told.question],
    ['Outcome', told.outcome],
    ['Asked at', told.askedAt],
    ['Issuer', told.issuer === issuer ? `${told.issuer} (this service)` : told.issuer],
  ] as const;
  return (
    <>
      <h3>{judgement.kind === 'holds' ? 'What it says' : 'What it claims'}</h3>
      <Facts rows={rows} />
    </>
  );
}
