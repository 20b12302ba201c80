import { countText, partText } from '../../model/texts.js';
import { type EntryEquity, profitText } from '../../model/wallet/entry-equity.js';
import { NumberColumn } from '../number-column.js';

export { entryEquity } from '../../model/wallet/entry-equity.js';

interface EquityProps {
  readonly equity: EntryEquity;
}

/** What a copier had made once each entry was settled, the month that tests it shaded. */
export function EntryEquityPlot({ equity }: EquityProps) {
  const { entries, stakeUsd } = equity;
  return (
    <>
      <p class="faint">
        After fees, {stakeUsd} USD on each of {countText(entries, 'scored entry', 'scored entries')} that pass the
        leaderboard filter, as they were settled. The shaded month tests the one before.
      </p>
      <div class="plot equity by-entry">
        <svg class="plane" aria-hidden="true">
          <Months equity={equity} />
          <line class="zero" x1="0" x2="100%" y1={partText(equity.zeroY)} y2={partText(equity.zeroY)} />
          <text class="tick" x="0" dx="-8" y={partText(equity.zeroY)} dy="4" text-anchor="end">
            0
          </text>
          <Line equity={equity} />
          <Last equity={equity} />
        </svg>
      </div>
      <EquityTable equity={equity} />
    </>
  );
}

function Months({ equity: { months, endsOn } }: EquityProps) {
  const tested = months.at(-1)!;
  return (
    <>
      <rect
        class="out-of-sample"
        x={partText(tested.from)}
        width={partText(tested.to - tested.from)}
        y="0"
        height="100%"
      />
      {months.map(({ name, from, to, startsOn }, at) => (
        <>
          <text class="tick" x={partText((from + to) / 2)} y="100%" dy="18" text-anchor="middle">
            {name}
          </text>
          <text class="tick" x={partText(from)} y="100%" dy="36" text-anchor={at === 0 ? 'start' : 'middle'}>
            {startsOn}
          </text>
        </>
      ))}
      <text class="tick" x="100%" y="100%" dy="36" text-anchor="end">
        {endsOn}
      </text>
    </>
  );
}

/** The units of the line, which is stretched to the plane. */
const [WIDE, HIGH] = [1000, 300];

function Line({ equity: { line } }: EquityProps) {
  const points = line.map(({ x, y }) => `${(x * WIDE).toFixed(1)},${(y * HIGH).toFixed(1)}`);
  return (
    <svg aria-hidden="true" width="100%" height="100%" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Last({ equity: { last } }: EquityProps) {
  const { x, y, totalUsd } = last;
  const anchor = x > 0.5 ? ({ dx: -10, 'text-anchor': 'end' } as const) : ({ dx: 10, 'text-anchor': 'start' } as const);
  return (
    <>
      <circle class="here" cx={partText(x)} cy={partText(y)} r="5" />
      <text class="mark-text" x={partText(x)} y={partText(y)} dy="-10" {...anchor}>
        {profitText(totalUsd)}
      </text>
    </>
  );
}

/** The same in figures, by the month in which entries were settled, for those who do not see the picture. */
function EquityTable({ equity: { months } }: EquityProps) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>Copier's profit by the month in which entries were settled</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <NumberColumn name="Settled" />
            <NumberColumn name="Profit" />
            <NumberColumn name="Total" />
          </tr>
        </thead>
        <tbody>
          {months.map(({ name, entries, profitUsd, totalUsd }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{entries}</td>
              <td>{profitText(profitUsd)}</td>
              <td>{profitText(totalUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
