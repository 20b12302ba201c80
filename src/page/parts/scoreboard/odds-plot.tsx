import type { Odds, OddsDay } from '../../model/scoreboard/odds.js';

const WIDTH = 640;
const NAME_WIDTH = 210;
const ROW_HEIGHT = 24;
const PLOT_WIDTH = WIDTH - NAME_WIDTH - 10;
const DAYS_HEIGHT = 90;

/** Shares with their intervals, one line each. The same numbers are in the table below it. */
export function OddsPlot({ lines, end }: Odds) {
  const height = lines.length * ROW_HEIGHT + 22;
  const x = (share: number) => NAME_WIDTH + share * PLOT_WIDTH;
  return (
    <svg
      class="odds"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label="How often 3 cents worse, with intervals"
    >
      <line class="odds-axis" x1={x(0)} x2={x(0)} y1={0} y2={height - 18} />
      <line class="odds-axis" x1={x(1)} x2={x(1)} y1={0} y2={height - 18} />
      {lines.map(({ name, text, at, low, high }, row) => {
        const y = row * ROW_HEIGHT + ROW_HEIGHT / 2;
        return (
          <g>
            <title>{`${name}: ${text}`}</title>
            <text x={0} y={y + 4}>
              {name}
            </text>
            <line class="odds-span" x1={x(low)} x2={x(high)} y1={y} y2={y} />
            <circle class="odds-point" cx={x(at)} cy={y} r={4} />
          </g>
        );
      })}
      <text x={x(0)} y={height - 4}>
        0%
      </text>
      <text x={x(1)} y={height - 4} text-anchor="end">
        {end}
      </text>
    </svg>
  );
}

/** A share a day, the highest on top. */
export function OddsDays({ days }: { readonly days: readonly OddsDay[] }) {
  const x = (at: number) => (days.length === 1 ? WIDTH / 2 : 10 + (at / (days.length - 1)) * (WIDTH - 20));
  const y = (height: number) => DAYS_HEIGHT - 6 - height * (DAYS_HEIGHT - 12);
  const points = days.map(({ height }, at) => `${x(at)},${y(height)}`).join(' ');
  return (
    <svg class="odds" viewBox={`0 0 ${WIDTH} ${DAYS_HEIGHT}`} role="img" aria-label="The same, day by day">
      <line class="odds-axis" x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} />
      <polyline class="odds-days" points={points} />
      {days.map(({ text, height }, at) => (
        <circle class="odds-point" cx={x(at)} cy={y(height)} r={3}>
          <title>{text}</title>
        </circle>
      ))}
    </svg>
  );
}
