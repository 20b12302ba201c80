import type { DocsTable } from '#api/docs-page';
import { Line } from '../prose/prose.js';

interface TableProps {
  readonly caption: string;
  readonly table: DocsTable;
}

/** A table of the documents. Where it is narrow each row is a card (styles/docs.css). */
export function Table({ caption, table: { head, rows } }: TableProps) {
  return (
    <table class="stack">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr id={id}>
            {cells.map((cell) => (
              <td>
                <Line text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
