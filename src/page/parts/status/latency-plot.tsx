import type { Latency, LatencyPoint } from '../../model/status/latency.js';
import { partText } from '../../model/texts.js';

/** How long verdicts took over the last 24 hours. */
export function LatencyPlot({ latency }: { readonly latency: Latency | null }) {
  return (
    <section>
      <h2>Latency of verdicts</h2>
      {latency === null ? (
        <p class="empty">No verdict was asked for in the last 24 hours.</p>
      ) : (
        <div class="card">
          <p class="legend">
            <span class="key p95">95th percentile</span>
            <span class="key p50">median</span>
          </p>
          <div class="plot latency">
            <Drawing latency={latency} />
          </div>
        </div>
      )}
    </section>
  );
}

const HOURS = [0, 6, 12, 18, 24];

function Drawing({ latency: { p50, p95, topMs } }: { readonly latency: Latency }) {
  return (
    <svg
      class="plane"
      role="img"
      aria-label={`Highest 95th percentile: ${highest(p95)} ms; highest median: ${highest(p50)} ms`}
    >
      {[0, 0.5, 1].map((part) => (
        <>
          <line class="grid" x1="0" x2="100%" y1={partText(1 - part)} y2={partText(1 - part)} />
          <text class="tick" x="0" dx="-8" y={partText(1 - part)} dy="4" text-anchor="end">
            {topMs * part} ms
          </text>
        </>
      ))}
      {HOURS.map((hour) => (
        <text
          class="tick"
          x={partText(hour / 24)}
          y="100%"
          dy="18"
          text-anchor={hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'}
        >
          {hour === 24 ? 'now' : `−${24 - hour} h`}
        </text>
      ))}
      <Lines lines={p95} topMs={topMs} kind="p95" />
      <Lines lines={p50} topMs={topMs} kind="p50" />
    </svg>
  );
}

function highest(lines: Latency['p50']): number {
  return Math.max(0, ...lines.flat().map(({ ms }) => ms));
}

/** The units of the lines, which are stretched to the plane. */
const [WIDE, HIGH] = [1000, 100];

interface LinesProps {
  readonly lines: Latency['p50'];
  readonly topMs: number;
  readonly kind: 'p50' | 'p95';
}

function Lines({ lines, topMs, kind }: LinesProps) {
  const place = ({ at, ms }: LatencyPoint) => `${(at * WIDE).toFixed(1)},${((1 - ms / topMs) * HIGH).toFixed(1)}`;
  return (
    <svg aria-hidden="true" width="100%" height="100%" viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none">
      {lines.map((line) => (
        // A line of one point is as long as its cap.
        <polyline class={kind} points={[...line, line.at(-1)!].map(place).join(' ')} />
      ))}
    </svg>
  );
}
