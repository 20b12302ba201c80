import { partText } from '../../model/texts.js';

interface PriceHistogramProps {
  /** First entries by range of price, the ranges in their order: "0.3-0.4". */
  readonly buckets: Readonly<Record<string, number>>;
}

/** First entries by price, from 0 to 1: a table for those who do not see the bars. */
export function PriceHistogram({ buckets }: PriceHistogramProps) {
  const rows = Object.entries(buckets);
  const largest = Math.max(1, ...rows.map(([, entries]) => entries));
  return (
    <>
      <div class="plot histogram">
        <svg class="plane" aria-hidden="true">
          {rows.map(([range, entries], at) => (
            <Column key={range} part={entries / largest} count={entries} at={at} of={rows.length} />
          ))}
          <line class="zero" x1="0" x2="100%" y1="100%" y2="100%" />
          {['0', '0.2', '0.4', '0.6', '0.8', '1'].map((price) => (
            <text class="tick" x={partText(Number(price))} y="100%" dy="18" text-anchor="middle">
              {price}
            </text>
          ))}
        </svg>
      </div>
      <div class="visually-hidden">
        <table>
          <caption>First entries by price</caption>
          <tbody>
            {rows.map(([range, entries]) => (
              <tr key={range}>
                <th scope="row">{range.replace('-', ' to ')}</th>
                <td>{entries}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface ColumnProps {
  /** Of the highest column, 0 to 1. */
  readonly part: number;
  readonly count: number;
  readonly at: number;
  readonly of: number;
}

/** Part of its place that a column fills. */
const FILLED = 0.86;

function Column({ part, count, at, of }: ColumnProps) {
  const left = partText((at + (1 - FILLED) / 2) / of);
  const top = partText(1 - part);
  return (
    <>
      <rect class="column" x={left} width={partText(FILLED / of)} y={top} height={partText(part)} />
      {count > 0 && (
        <text class="mark-text" x={partText((at + 0.5) / of)} y={top} dy="-5" text-anchor="middle">
          {count}
        </text>
      )}
    </>
  );
}
