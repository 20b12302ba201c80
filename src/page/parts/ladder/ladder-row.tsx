import type { LadderRest, Mark, LadderRow as Row } from '../../model/order/ladder-rows.js';
import { Bar } from '../bar.js';

/** One level, or the place of one. */
export function LadderRow({ row }: { readonly row: Row | null }) {
  if (row === null) {
    return (
      <tr class="level empty">
        <th scope="row" class="number">
          <span class="visually-hidden">no level</span>
        </th>
        <td colSpan={3} />
      </tr>
    );
  }
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
  const isTaken = rest !== null && rest.takenLevels > 0;
  return (
    <tr class={`level rest${isTaken ? ' hit' : ''}`}>
      <th scope="row" class="number">
        {rest === null ? <span class="visually-hidden">nothing further</span> : rest.toPrice}
      </th>
      <td class="drawn">
        {rest !== null && (
          <>
            <span class="more">
              {isTaken ? `… ${rest.takenLevels} of ${rest.levels} more taken` : `… ${rest.levels} more`}
            </span>
            <Marks marks={rest.marks} />
          </>
        )}
      </td>
      <td />
      <td class="number">{rest?.cumulativeUsd}</td>
    </tr>
  );
}

function takenText(taken: number): string {
  if (taken === 0) return '';
  return taken === 1 ? 'taken whole' : `taken in part, ${(taken * 100).toFixed(0)} %`;
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
