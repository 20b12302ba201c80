interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** null: none yet. */
  readonly chosen: Value | null;
  readonly onChoose: (value: Value) => void;
}

/** One of a few, side by side. Radio buttons: arrow keys move between them. */
export function Choice<Value extends string>({ name, legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset class={`choice ${name}`}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChoose(value)} />
          <span class="foreign">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
