import type { Run } from '../../model/status/runs.js';
import { DAY_MINUTES, type Strip } from '../../model/status/strip.js';

interface RunsProps {
  readonly runs: readonly Run[];
  /** What it shows, in words. */
  readonly label: string;
}

/** A day as a bar, a minute as wide as it is long. */
export function Runs({ runs, label }: RunsProps) {
  return (
    <svg class="day" viewBox={`0 0 ${DAY_MINUTES} 10`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="day-unseen" width={DAY_MINUTES} height="10" />
      {runs.map(({ isBad, fromMin, minutes }) => (
        <rect class={isBad ? 'day-degraded' : 'day-ok'} x={fromMin} width={minutes} height="10" />
      ))}
    </svg>
  );
}

/** The last 24 hours, and in words what was not well. */
export function DayStrip({ runs, summary, stretches }: Strip) {
  return (
    <section>
      <h2>The last 24 hours</h2>
      <Runs runs={runs} label={summary} />
      <DayEnds />
      <p>{summary} Gray is time that was not seen.</p>
      {stretches.length === 0 ? null : (
        <ul>
          {stretches.map(({ when, rules }) => (
            <li key={when}>
              {when}: <code>{rules}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function DayEnds() {
  return (
    <p class="day-ends faint" aria-hidden="true">
      {['24 h ago', '18', '12', '6', 'now'].map((text) => (
        <span>{text}</span>
      ))}
    </p>
  );
}
