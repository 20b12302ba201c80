import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { verifyAnswer } from '#client/engine';
import type { Check } from '#client/evidence/check';
import { loadRatingChecks } from '#client/evidence/verify';
import { decodeText } from '#domain/decode-text';
import { type CheckGroup, GROUP_TITLES } from '../../model/verify/check-texts.js';
import { judge, type ShownCheck, showCheck } from '../../model/verify/judge.js';
import { readSavedAnswer, SAVED_BYTES_MAX, tooLong } from '../../model/verify/read-saved-answer.js';
import { type Received, received } from '../../model/verify/received.js';
import type { VerifierState } from '../../model/verify/verifier-state.js';
import { GiveEvidence } from './give-evidence.js';
import { Outcome } from './outcome.js';
import { askServiceKeys, type ServiceKeys } from './service-keys.js';

export interface VerifierProps {
  /** Base address of the service, as its evidence names it. */
  readonly issuer: string;
  /** What each number of a verdict means. */
  readonly numberTexts: Readonly<Record<string, string>>;
}

/**
 * Takes a saved answer, by drop, choice or paste, and checks it here: nothing of it leaves the tab.
 */
export function Verifier({ issuer, numberTexts }: VerifierProps) {
  const keys = useSignal<ServiceKeys>({ kind: 'asking' });
  const state = useSignal<VerifierState>({ kind: 'waiting' });
  const latest = useRef(0);
  const askKeys = async () => {
    keys.value = { kind: 'asking' };
    // Offline from here on: what checks ratings comes with the keys. Without it verdicts are checked all the same.
    const [found] = await Promise.all([askServiceKeys(), loadRatingChecks().catch(() => null)]);
    keys.value = found;
  };
  useEffect(() => void askKeys(), []);

  /** What was given last is what is shown, also when an earlier one takes longer. */
  const show = async (work: () => Promise<VerifierState>) => {
    const turn = ++latest.current;
    state.value = { kind: 'checking' };
    const found = await work();
    if (turn === latest.current) state.value = found;
  };
  const checkText = (text: string) => show(() => check(text, keys.value, issuer));
  const checkFile = (file: File) =>
    show(async () => tooLong(file.size) ?? check(await textOf(file), keys.value, issuer));

  return (
    <>
      <GiveEvidence
        keys={keys.value}
        bytesMax={SAVED_BYTES_MAX}
        onText={checkText}
        onFile={checkFile}
        onAskKeys={askKeys}
      />
      <Outcome state={state.value} issuer={issuer} />
      {state.value.kind === 'checked' && (
        <CheckList
          checks={state.value.verification.checks}
          kind={state.value.received.kind}
          numberTexts={numberTexts}
        />
      )}
    </>
  );
}

/** A folder, or a file that was removed meanwhile, cannot be read. */
async function textOf(file: File): Promise<string | null> {
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes === null ? null : decodeText(new Uint8Array(bytes));
}

async function check(text: string | null, keys: ServiceKeys, issuer: string): Promise<VerifierState> {
  if (text === null) return { kind: 'unusable', problem: 'It cannot be read.', next: 'Choose a file, not a folder.' };
  const saved = readSavedAnswer(text);
  if (saved.kind === 'unusable') return saved;
  if (keys.kind !== 'known') {
    const problem = 'The keys of the service are not there yet, so nothing can be checked.';
    return { kind: 'unusable', problem, next: 'Ask for them again, then give the answer once more.' };
  }
  const verification = await verifyAnswer(saved.answer, { jwks: keys.jwks, issuer });
  const claimed = received(saved.answer);
  return { kind: 'checked', received: claimed, verification, judgement: judge(verification, claimed, issuer) };
}

interface CheckListProps {
  readonly checks: readonly Check[];
  readonly kind: Received['kind'];
  readonly numberTexts: Readonly<Record<string, string>>;
}

const WORDS = { true: 'holds', false: 'fails', null: 'nothing to check' } as const;
const SIGNS = { true: '✓', false: '✕', null: '·' } as const;

/** Every check with its meaning and what was found, in the order in which a reader asks. */
function CheckList({ checks, kind, numberTexts }: CheckListProps) {
  const shown = checks.map((check) => showCheck(check, kind, numberTexts));
  return (
    <>
      {(Object.keys(GROUP_TITLES) as CheckGroup[]).map((group) => (
        <section key={group} aria-labelledby={`checks-${group}`}>
          <h2 id={`checks-${group}`}>{GROUP_TITLES[group]}</h2>
          <ul class="checks card">
            {shown
              .filter((one) => one.group === group)
              .map((one) => (
                <CheckRow key={one.name} check={one} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function CheckRow({ check: { name, title, meaning, holds, says } }: { readonly check: ShownCheck }) {
  const state = String(holds) as keyof typeof WORDS;
  return (
    <li data-check={name} data-holds={state}>
      <span class="check-state">
        <span aria-hidden="true">{SIGNS[state]}</span> {WORDS[state]}
      </span>
      <span class="check-name">{name === title ? <code>{name}</code> : title}</span>
      <span class="faint">{meaning}</span>
      <span class="foreign number check-says">{says}</span>
    </li>
  );
}
