import type { Signal } from '@preact/signals';
import { isToken, type OutsideChoice, type OutsideRequest } from '../../model/ask/outside-request.js';
import { Choice } from '../choice.js';
import { SIDES } from '../sides.js';

const OUTCOMES = [
  { value: 'Yes', label: 'Yes' },
  { value: 'No', label: 'No' },
  { value: 'named', label: 'By name' },
] as const;

interface OutsideFieldsProps {
  readonly choice: Signal<OutsideChoice>;
  readonly request: OutsideRequest;
}

/** Market, side and outcome of an order on any market. Nothing is chosen for the person but "Buy". */
export function OutsideFields({ choice, request }: OutsideFieldsProps) {
  const { market, side, outcome, name } = choice.value;
  const change = (changed: Partial<OutsideChoice>) => {
    choice.value = { ...choice.value, ...changed };
  };
  const missing = request.kind === 'incomplete' ? request.missing : null;
  const faultOf = (field: 'market' | 'name') =>
    request.kind === 'invalid' && request.field === field ? request.why : null;
  return (
    <>
      <label for="outside-market">Address or slug of the market, or a token id</label>
      <input
        id="outside-market"
        type="text"
        autoComplete="off"
        spellcheck={false}
        maxLength={512}
        placeholder="https://polymarket.com/event/…"
        value={market}
        aria-invalid={faultOf('market') !== null}
        aria-describedby="outside-fault"
        onInput={(event) => change({ market: event.currentTarget.value })}
      />
      <p class="field-fault" id="outside-fault">
        {faultOf('market')}
      </p>
      <Choice name="outside-side" legend="Side" options={SIDES} chosen={side} onChoose={(side) => change({ side })} />
      {isToken(market) ? (
        <p>A token id identifies one outcome.</p>
      ) : (
        <>
          <Choice
            name="outside-outcome"
            legend="Outcome"
            options={OUTCOMES}
            chosen={outcome}
            onChoose={(outcome) => change({ outcome })}
          />
          <label for="outside-name">Candidate or team, for an event or a sports market</label>
          <input
            id="outside-name"
            type="text"
            autoComplete="off"
            spellcheck={false}
            maxLength={200}
            value={name}
            aria-invalid={faultOf('name') !== null}
            aria-describedby="outside-name-fault outside-missing"
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
          <p class="field-fault" id="outside-name-fault">
            {faultOf('name')}
          </p>
          <p class="field-hint" id="outside-missing">
            {missing === 'outcome' && 'Choose the outcome.'}
            {missing === 'name' && 'Give the name of the outcome, as on the page of the market.'}
          </p>
        </>
      )}
    </>
  );
}
