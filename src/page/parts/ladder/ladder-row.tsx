import type { LadderRest, Mark, LadderRow as Row } from '../../model/order/ladder-rows.js';
import { Bar } from '../bar.js';

/** One level. */
export function LadderRow({ row }: { readonly row: Row }) {
  const { price, size, cumulativeUsd, sizePart, taken, marks } = row;
  const parts = [
    { part: sizePart, kind: 'size' },
    { part: sizePart * taken, kind: 'taken' },
  ];
  return (
    <tr class={`level${taken > 0 ? ' hit' : ''}`}>
      <th scope="row" class="number">
        {price}
      </th>
      <td class="drawn">
        <Bar parts={parts} />
        <Marks marks={marks} />
        <span class="visually-hidden">{takenText(taken)}</span>
      </td>
      <td class="number">{size}</td>
      <td class="number">{cumulativeUsd}</td>
    </tr>
  );
}

/** All levels behind those that are drawn. */
export function RestRow({ rest }: { readonly rest: LadderRest | null }) {
  if (rest === null) return null;
  const isTaken = rest.takenLevels > 0;
  return (
    <tr class={`level rest${isTaken ? ' hit' : ''}`}>
      <th scope="row" class="number">
        {rest.toPrice}
      </th>
      <td class="drawn">
        <span class="more">
          {isTaken ? `… ${rest.takenLevels} of ${rest.levels} more taken` : `… ${rest.levels} more`}
        </span>
        <Marks marks={rest.marks} />
      </td>
      <td />
      <td class="number">{rest.cumulativeUsd}</td>
    </tr>
  );
}

/** A side on which there is nothing to take. */
export function NoLevels({ name }: { readonly name: 'asks' | 'bids' }) {
  return (
    <tr class="level none">
      <td colSpan={4}>
        No {name}: nothing to {name === 'asks' ? 'buy' : 'sell into'}.
      </td>
    </tr>
  );
}

function takenText(taken: number): string {
  if (taken === 0) return '';
  return taken > 0.999 ? 'taken whole' : `taken in part, ${(taken * 100).toFixed(0)}%`;
}

/** What is marked at a level. */
function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <span class="marks">
      {marks.map((mark) => (
        <span class={`level-mark ${mark === 'safe size' ? 'safe-mark' : mark.toLowerCase()}`}>{mark} </span>
      ))}
    </span>
  );
}
