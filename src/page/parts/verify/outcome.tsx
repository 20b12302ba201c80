import type { Judgement } from '../../model/verify/judge.js';
import type { Received } from '../../model/verify/received.js';
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
        <div class="card note" data-tone={toneOf(state.judgement)} data-kind={state.judgement.kind}>
          <h2>
            <span aria-hidden="true">{SIGNS[toneOf(state.judgement)]} </span>
            {state.judgement.title}
          </h2>
          <p class="foreign">{state.judgement.text}</p>
          <CheckedView state={state} issuer={issuer} />
        </div>
      )}
    </div>
  );
}

const SIGNS = { ok: '✓', caution: '·', veto: '✕' } as const;

function toneOf({ kind }: Judgement): keyof typeof SIGNS {
  return kind === 'holds' ? 'ok' : kind === 'signed' ? 'caution' : 'veto';
}

function CheckedView({
  state,
  issuer,
}: {
  readonly state: VerifierState & { kind: 'checked' };
  readonly issuer: string;
}) {
  const { received, judgement } = state;
  const from = received.issuer === issuer ? `${received.issuer} (this service)` : received.issuer;
  return (
    <>
      <h3>{toneOf(judgement) === 'veto' ? 'What it claims' : 'What it says'}</h3>
      <Facts rows={[...factsOf(received), ['Issuer', from]]} />
    </>
  );
}

function factsOf(received: Received): readonly (readonly [name: string, text: string])[] {
  if (received.kind === 'wallet') {
    return [
      ['Verdict', received.verdict],
      ['Wallet', received.wallet],
      ['Data through', received.dataThrough],
    ];
  }
  return [
    ['Verdict', received.verdict],
    ['Order', received.order],
    ['Market', received.question],
    ['Outcome', received.outcome],
    ['Asked at', received.requestedAt],
  ];
}
