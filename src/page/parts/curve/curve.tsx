import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CurveView } from '../../model/try/curve-view.js';
import { type Drawn, drawCurve } from './draw-curve.js';
import { PointTable } from './point-table.js';
import { StillCurve } from './still-curve.js';

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
