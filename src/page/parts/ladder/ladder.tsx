import type { Side } from '#domain/market';
import { LADDER_ROWS, type LadderSide, type LadderView } from '../../model/order/ladder-rows.js';
import { NumberColumn } from '../number-column.js';
import { LadderRow, RestRow } from './ladder-row.js';

interface LadderProps {
  readonly view: LadderView | null;
  readonly side: Side;
  /** In seconds, as the answer has it; null: there is no book. */
  readonly ageS: number | null;
  readonly isStale: boolean;
  readonly isLive: boolean;
}

const EMPTY: LadderSide = { rows: Array.from({ length: LADDER_ROWS }, () => null), rest: null };

/**
 * Both sides of the book with the best prices in the middle. There are always as many rows, so that
 * nothing moves however the book does.
 */
export function Ladder({ view, side, ageS, isStale, isLive }: LadderProps) {
  const { asks, bids, spreadCents } = view ?? { asks: EMPTY, bids: EMPTY, spreadCents: null };
  return (
    <section class={`card ladder${isStale ? ' stale' : ''}`} aria-labelledby="ladder-title">
      <header>
        <h2 id="ladder-title">Order book</h2>
        <p class="age">
          <span class={`pulse ${isStale ? 'old' : isLive ? 'live' : 'still'}`} aria-hidden="true" />
          <span class="number" data-age="">
            {ageS === null ? 'no book' : `${ageS.toFixed(1)} s old`}
          </span>
          {isStale && <b> · too old</b>}
        </p>
      </header>
      <table>
        <caption class="visually-hidden">
          Asks above, bids below, the best prices in the middle. What the order takes is filled.
        </caption>
        <thead>
          <tr>
            <NumberColumn name="Price" />
            <th scope="col">Size (filled)</th>
            <NumberColumn name="Shares" />
            <NumberColumn name="Sum, USD" />
          </tr>
        </thead>
        <tbody class={`asks${side === 'BUY' ? ' walked' : ''}`}>
          <RestRow rest={asks.rest} />
          {asks.rows.toReversed().map((row) => (
            <LadderRow row={row} />
          ))}
        </tbody>
        <tbody>
          <tr class="spread">
            <th scope="row" colSpan={2}>
              Spread, ¢
            </th>
            <td colSpan={2} class="number">
              {spreadCents === null ? 'one side is empty' : spreadCents}
            </td>
          </tr>
        </tbody>
        <tbody class={`bids${side === 'SELL' ? ' walked' : ''}`}>
          {bids.rows.map((row) => (
            <LadderRow row={row} />
          ))}
          <RestRow rest={bids.rest} />
        </tbody>
      </table>
    </section>
  );
}
