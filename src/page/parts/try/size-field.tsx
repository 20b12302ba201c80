import { readNumber } from '#domain/inputs/number-text';
import { compactUsd, grouped } from '../../model/order/grouped.js';
import { lastPosition, positionOf, powersTo, usdAt } from '../../model/order/size-scale.js';

interface SizeFieldProps {
  readonly usd: string;
  /** What is wrong with it; null: nothing. */
  readonly fault: string | null;
  /** What the book fills at most; null: there is no book. */
  readonly depthUsd: number | null;
  readonly onChange: (usd: string) => void;
}

/** The size of the order: a field to write it, and a slider from 1 USD to all that the book fills. */
export function SizeField({ usd, fault, depthUsd, onChange }: SizeFieldProps) {
  const shown = readNumber(usd);
  const last = lastPosition(depthUsd);
  const position = Math.min(shown === null ? 0 : positionOf(shown), last);
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
        max={last}
        step={1}
        value={position}
        aria-label="Size from 1 USD to all that the book fills"
        aria-valuetext={`${grouped(String(usdAt(position)))} USD`}
        onInput={(event) => onChange(String(usdAt(Number(event.currentTarget.value))))}
      />
      <SizeScale last={last} />
      <p class="field-fault" id="size-fault">
        {fault}
      </p>
    </div>
  );
}

/** The least distance between two labels, as a part of the scale. */
const LABEL_ROOM = 0.16;

/** Powers of ten at their places, and the end. */
function SizeScale({ last }: { readonly last: number }) {
  const powers = powersTo(last).filter(({ part }) => part < 1 - LABEL_ROOM);
  return (
    <svg class="size-scale" aria-hidden="true">
      {powers.map(({ usd, part }) => (
        <text x={`${(part * 100).toFixed(1)}%`} y="12" text-anchor={part === 0 ? 'start' : 'middle'}>
          {compactUsd(usd)}
        </text>
      ))}
      <text x="100%" y="12" text-anchor="end">
        {compactUsd(usdAt(last))}
      </text>
    </svg>
  );
}
