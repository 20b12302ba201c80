import { grouped } from '../../model/order/grouped.js';
import { positionOf, SIZE_POSITIONS, usdAt } from '../../model/order/size-scale.js';

interface SizeFieldProps {
  readonly usd: string;
  /** What is wrong with it; null: nothing. */
  readonly fault: string | null;
  readonly onChange: (usd: string) => void;
}

/** The size of the order: a field to write it, and a slider over seven powers of ten. */
export function SizeField({ usd, fault, onChange }: SizeFieldProps) {
  const shown = Number(usd.replaceAll(',', ''));
  const position = Number.isFinite(shown) ? positionOf(shown) : 0;
  return (
    <div class="size">
      <label for="size">Size in USD</label>
      <input
        id="size"
        class="number"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={32}
        value={usd}
        aria-invalid={fault !== null}
        aria-describedby="size-fault"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <input
        id="size-slider"
        type="range"
        min={0}
        max={SIZE_POSITIONS}
        step={1}
        value={position}
        aria-label="Size on a scale from 1 to 10,000,000 USD"
        aria-valuetext={`${grouped(String(usdAt(position)))} USD`}
        onInput={(event) => onChange(String(usdAt(Number(event.currentTarget.value))))}
      />
      <p class="size-scale" aria-hidden="true">
        {['1', '10', '100', '1k', '10k', '100k', '1M', '10M'].map((text) => (
          <span>{text}</span>
        ))}
      </p>
      <p class="field-fault" id="size-fault">
        {fault}
      </p>
    </div>
  );
}
