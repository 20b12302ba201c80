import type { OrderExit } from '#api/order-exit';
import type { Side } from '#domain/market';
import { grouped } from '../../model/order/grouped.js';
import type { LadderSide, LadderView } from '../../model/order/ladder-rows.js';
import { NumberColumn } from '../number-column.js';
import { LadderRow, NoLevels, RestRow } from './ladder-row.js';

interface LadderProps {
  readonly view: LadderView | null;
  readonly side: Side;
  /** null: nothing is to be got out of, or the book is too thin for it. */
  readonly exit: OrderExit | null;
  /** In seconds, as the answer has it; null: there is no book. */
  readonly ageS: number | null;
  readonly isStale: boolean;
  readonly isLive: boolean;
}

const EMPTY: LadderSide = { rows: [], rest: null };

/**
 * Both sides of the book with the best prices in the middle, a row for each level. A book of
 * another shape is another table: no row of it has moved.
 */
export function Ladder({ view, side, exit, ageS, isStale, isLive }: LadderProps) {
  const { asks, bids, spreadCents } = view ?? { asks: EMPTY, bids: EMPTY, spreadCents: null };
  const shape = [asks, bids].map(({ rows, rest }) => `${rows.length}${rest === null ? '' : '+'}`).join();
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
      {view === null && <p class="empty">No order book yet. {isLive ? '' : 'The line above the market says why.'}</p>}
      <table key={shape} hidden={view === null}>
        <caption class="visually-hidden">
          Asks above, bids below, the best prices in the middle. What the order takes is filled, and on the other side
          what getting out again would take.
        </caption>
        <thead>
          <tr>
            <NumberColumn name="Price" />
            <th scope="col">Size (filled)</th>
            <NumberColumn name="Shares" />
            <NumberColumn name="Total, USD" />
          </tr>
        </thead>
        <tbody class={`asks${side === 'BUY' ? ' walked' : ''}`}>
          <RestRow rest={asks.rest} />
          {asks.rows.length === 0 && <NoLevels name="asks" />}
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
              {spreadCents ?? '–'}
            </td>
          </tr>
        </tbody>
        <tbody class={`bids${side === 'SELL' ? ' walked' : ''}`}>
          {bids.rows.length === 0 && <NoLevels name="bids" />}
          {bids.rows.map((row) => (
            <LadderRow row={row} />
          ))}
          <RestRow rest={bids.rest} />
        </tbody>
      </table>
      {view !== null && <ExitWords exit={exit} />}
    </section>
  );
}

/** What it would cost to get out again at once, on the same book. */
function ExitWords({ exit }: { readonly exit: OrderExit | null }) {
  return (
    <p class="exit-words">
      {exit === null ? (
        'No exit: the other side of this book does not hold that many shares.'
      ) : (
        <>
          <b>Exit now:</b>{' '}
          {`${exit.side === 'SELL' ? 'sell' : 'buy back'} at ${cents(exit.expected_vwap)}¢ on average; there and back costs ${usd(exit.round_trip_cost_usd)} with both fees.`}
        </>
      )}
    </p>
  );
}

function cents(price: number): string {
  return (price * 100).toFixed(2);
}

function usd(amount: string): string {
  const value = Number(amount);
  return `${value < 0 ? '−' : ''}$${grouped(Math.abs(value).toFixed(2))}`;
}
