import type { WalletProfile } from '#client/answers';
import { partText } from '../../model/texts.js';
import { type EquityPoint, equityOf, equityScale, stakesText } from '../../model/wallet/equity.js';
import { NumberColumn } from '../number-column.js';

/** What a copier had made by the end of each month, the month that tests it shaded. */
export function MonthEquity({ profile }: { readonly profile: WalletProfile }) {
  const points = equityOf(profile);
  if (points === null) return <p class="empty">No entry passes the filter, so there is nothing to add up.</p>;
  return (
    <>
      <p class="faint">After fees, in stakes: one on each entry. The shaded month tests the one before.</p>
      <EquityPlot points={points} />
      <EquityTable points={points} />
    </>
  );
}

function EquityPlot({ points }: { readonly points: readonly EquityPoint[] }) {
  const { low, high } = equityScale(points);
  const y = (total: number) => (high - total) / (high - low);
  const x = (at: number) => at / points.length;
  const ends = [{ total: 0 }, ...points];
  return (
    <div class="plot equity">
      <svg class="plane" aria-hidden="true">
        <rect class="out-of-sample" x={partText(x(points.length - 1))} width={partText(x(1))} y="0" height="100%" />
        <line class="zero" x1="0" x2="100%" y1={partText(y(0))} y2={partText(y(0))} />
        <text class="tick" x="0" dx="-8" y={partText(y(0))} dy="4" text-anchor="end">
          0
        </text>
        {ends.slice(1).map(({ total }, at) => (
          <line
            class="equity-line"
            x1={partText(x(at))}
            y1={partText(y(ends[at]!.total))}
            x2={partText(x(at + 1))}
            y2={partText(y(total))}
          />
        ))}
        {points.map(({ name, total }, at) => (
          <>
            <circle class="here" cx={partText(x(at + 1))} cy={partText(y(total))} r="5" />
            <text class="mark-text" x={partText(x(at + 1))} dx="-10" y={partText(y(total))} dy="-10" text-anchor="end">
              {stakesText(total)}
            </text>
            <text class="tick" x={partText(x(at + 0.5))} y="100%" dy="18" text-anchor="middle">
              {name}
            </text>
          </>
        ))}
      </svg>
    </div>
  );
}

/** The same in figures, for those who do not see the picture. */
function EquityTable({ points }: { readonly points: readonly EquityPoint[] }) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>Copier's profit in stakes by month</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <NumberColumn name="Entries" />
            <NumberColumn name="Profit" />
            <NumberColumn name="Total" />
          </tr>
        </thead>
        <tbody>
          {points.map(({ name, entries, profit, total }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{entries}</td>
              <td>{stakesText(profit)}</td>
              <td>{stakesText(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
