import type { OrderFields, OrderReading } from '../../model/order/order-input.js';

type LimitName = 'maxSlippageC' | 'vetoSlippageC' | 'maxBookAgeS';

const LIMITS: readonly { readonly name: LimitName; readonly label: string; readonly parameter: string }[] = [
  { name: 'maxSlippageC', label: 'CAUTION above, ¢ of slippage', parameter: 'max_slippage_c' },
  { name: 'vetoSlippageC', label: 'VETO from, ¢ of slippage', parameter: 'veto_slippage_c' },
  { name: 'maxBookAgeS', label: 'VETO if the book is older, s', parameter: 'max_book_age_s' },
];

interface LimitsProps {
  readonly fields: OrderFields;
  readonly reading: OrderReading;
  readonly onChange: (change: Partial<OrderFields>) => void;
}

/** The three limits that a caller may set. */
export function Limits({ fields, reading, onChange }: LimitsProps) {
  return (
    <details class="limits">
      <summary>Limits</summary>
      {LIMITS.map(({ name, label, parameter }) => {
        const fault = reading.kind === 'invalid' && reading.field === name ? reading.why : null;
        return (
          <div>
            <label for={parameter}>
              {label} <code>{parameter}</code>
            </label>
            <input
              id={parameter}
              class="number"
              type="text"
              inputMode="decimal"
              autoComplete="off"
              maxLength={16}
              value={fields[name]}
              aria-invalid={fault !== null}
              aria-describedby={`${parameter}-fault`}
              onInput={(event) => onChange({ [name]: event.currentTarget.value })}
            />
            <p class="field-fault" id={`${parameter}-fault`}>
              {fault}
            </p>
          </div>
        );
      })}
    </details>
  );
}
