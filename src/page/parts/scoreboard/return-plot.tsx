import type { Returns } from '../../model/scoreboard/follow-up.js';

const WIDTH = 640;
const HEIGHT = 150;
const NAME_WIDTH = 60;
const MARGIN = 8;

/** Mean returns with their intervals around zero, a board beside the other. The table below has the same numbers. */
export function ReturnPlot({ marks, top, bottom }: Returns) {
  const middle = HEIGHT / 2;
  const y = (share: number) => middle - share * (middle - MARGIN);
  const step = (WIDTH - NAME_WIDTH - MARGIN) / marks.length;
  const x = (at: number) => NAME_WIDTH + (at + 0.5) * step;
  return (
    <svg class="odds" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Return of each board, with intervals">
      <line class="odds-axis" x1={NAME_WIDTH} x2={WIDTH} y1={middle} y2={middle} />
      {marks.map(({ text, at, low, high }, board) => (
        <g>
          <title>{text}</title>
          <line class="odds-span" x1={x(board)} x2={x(board)} y1={y(low)} y2={y(high)} />
          <circle class="odds-point" cx={x(board)} cy={y(at)} r={3} />
        </g>
      ))}
      <text x={0} y={MARGIN + 6}>
        {top}
      </text>
      <text x={0} y={middle + 4}>
        0%
      </text>
      <text x={0} y={HEIGHT - MARGIN}>
        {bottom}
      </text>
    </svg>
  );
}
