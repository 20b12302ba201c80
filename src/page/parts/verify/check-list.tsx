import type { Check } from '#client/evidence/check';
import { type CheckGroup, GROUP_TITLES, type ShownCheck, showCheck } from '../../model/verify/judge.js';

interface CheckListProps {
  readonly checks: readonly Check[];
  readonly numberTexts: Readonly<Record<string, string>>;
}

const WORDS = { true: 'holds', false: 'fails', null: 'nothing to check' } as const;
const SIGNS = { true: '✓', false: '✕', null: '·' } as const;

/** Every check with its meaning and what was found, in the order in which a reader asks. */
export function CheckList({ checks, numberTexts }: CheckListProps) {
  const shown = checks.map((check) => showCheck(check, numberTexts));
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
