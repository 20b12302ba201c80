import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Band, CurvePoint } from '../../model/order/curve.js';
import { acrossOf, type CurveScale, upOf } from '../../model/order/curve-shape.js';
import type { CurveView } from '../../model/try/curve-view.js';
import { NumberColumn } from '../number-column.js';
import { type Drawn, drawCurve } from './draw-curve.js';

/** What a person does first; only then is the library for curves loaded. */
const FIRST_DEEDS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Slippage against size, with the verdict at each size behind it and a dot where the order stands.
 */
export function Curve({ view }: { readonly view: ReadonlySignal<CurveView | null> }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => drawWhenUsed(element.current!, view), [view]);
  const shown = view.value;
  return (
    <section class="card curve" aria-labelledby="curve-title">
      <h2 id="curve-title">Slippage against size</h2>
      <p class="legend">
        {(['OK', 'CAUTION', 'VETO'] as const).map((verdict) => (
          <span class={`key ${verdict.toLowerCase()}`}>{verdict} </span>
        ))}
        <span class="key here">your order</span>
      </p>
      <div class="plot" ref={element}>
        {shown !== null && <StillCurve points={shown.points} bands={shown.bands} scale={shown.scale} />}
      </div>
      <PointTable points={shown?.points ?? []} />
    </section>
  );
}

/**
 * Draws once somebody does anything at all, and from then on whatever is new. Returns what ends it.
 */
function drawWhenUsed(element: HTMLElement, view: ReadonlySignal<CurveView | null>): () => void {
  const ended = new AbortController();
  let drawn: Drawn | null = null;
  let isRequested = false;
  const load = async () => {
    if (isRequested) return;
    isRequested = true;
    const { default: Plot } = await import('uplot');
    if (!ended.signal.aborted) drawn = drawCurve(Plot, element, view);
  };
  for (const deed of FIRST_DEEDS) addEventListener(deed, load, { signal: ended.signal, passive: true });
  return () => {
    ended.abort();
    drawn?.end();
  };
}

/** Every so many points stand in the table: at a hundred of them nobody reads. */
const EVERY = 7;

/**
 * The points of the curve for those who do not see it. Written at start, and from then on while it
 * is open.
 */
function PointTable({ points }: { readonly points: readonly CurvePoint[] }) {
  const isOpen = useSignal(true);
  useEffect(() => {
    isOpen.value = false;
  }, [isOpen]);
  return (
    <details
      class="points"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>The same as a table</summary>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <NumberColumn name="Size, USD" />
              <NumberColumn name="Slippage, ¢ a share" />
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {isOpen.value &&
              points
                .filter((_, index) => index % EVERY === 0)
                .map(({ usd, slippageCents, verdict }) => (
                  <tr>
                    <th scope="row" class="number">
                      {usd}
                    </th>
                    <td class="number">{slippageCents}</td>
                    <td>{verdict}</td>
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface StillCurveProps {
  readonly points: readonly CurvePoint[];
  readonly bands: readonly Band[];
  readonly scale: CurveScale;
}

const [WIDE, HIGH] = [1000, 300];

/** The curve as a picture, until the one with axes has been loaded, and where no script runs. */
function StillCurve({ points, bands, scale }: StillCurveProps) {
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
