import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CurvePoint } from '../../model/order/curve.js';
import type { CurveView } from '../../model/try/curve-view.js';
import { NumberColumn } from '../number-column.js';
import { Plot } from './plot.js';

/**
 * Slippage against size, with the verdict at each size behind it and a dot where the order is.
 */
export function Curve({ view }: { readonly view: ReadonlySignal<CurveView | null> }) {
  const shown = view.value;
  return (
    <section class="card curve" aria-labelledby="curve-title">
      <header>
        <h2 id="curve-title">Slippage by size</h2>
        <p class="legend">
          {(['OK', 'CAUTION', 'VETO'] as const).map((verdict) => (
            <span class={`key ${verdict.toLowerCase()}`}>{verdict} </span>
          ))}
          <span class="key here">your order</span>
        </p>
      </header>
      <Plot view={shown} />
      <PointTable points={shown?.points ?? []} />
    </section>
  );
}

/** The table has every so many of the points: nobody reads a hundred. */
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
