import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CurvePoint } from '../../model/order/curve.js';

/** Every so many points stand in the table: at a hundred of them nobody reads. */
const EVERY = 7;

/**
 * The points of the curve for those who do not see it. Written at start, and from then on while it
 * is open.
 */
export function PointTable({ points }: { readonly points: readonly CurvePoint[] }) {
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
              <th scope="col" class="number">
                Size, USD
              </th>
              <th scope="col" class="number">
                Slippage, ¢ a share
              </th>
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
