import type { Band, CurvePoint } from '../../model/order/curve.js';
import { acrossOf, type CurveScale, upOf } from '../../model/order/curve-shape.js';

interface StillCurveProps {
  readonly points: readonly CurvePoint[];
  readonly bands: readonly Band[];
  readonly scale: CurveScale;
}

const [WIDE, HIGH] = [1000, 300];

/** The curve as a picture, until the one with axes has been loaded, and where no script runs. */
export function StillCurve({ points, bands, scale }: StillCurveProps) {
  const x = (usd: number) => (acrossOf(scale, usd) * WIDE).toFixed(1);
  const y = (cents: number) => (HIGH - upOf(scale, cents) * HIGH).toFixed(1);
  return (
    <svg class="still-curve" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      {bands.map(({ verdict, fromUsd, toUsd }) => (
        <rect
          class={`band ${verdict.toLowerCase()}`}
          x={x(fromUsd)}
          width={(Number(x(toUsd)) - Number(x(fromUsd))).toFixed(1)}
          height={HIGH}
        />
      ))}
      <polyline points={points.map(({ usd, slippageCents }) => `${x(usd)},${y(slippageCents)}`).join(' ')} />
    </svg>
  );
}
