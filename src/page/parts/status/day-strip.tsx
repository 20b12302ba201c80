import type { Strip } from '../../model/status/strip.js';

/** The last 24 hours: a cell for each quarter of an hour, and in words what was not well. */
export function DayStrip({ cells, summary, stretches }: Strip) {
  return (
    <section>
      <h2>The last 24 hours</h2>
      <svg class="day" viewBox={`0 0 ${cells.length} 10`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {cells.map((state, at) => (
          <rect key={at} class={`day-${state}`} x={at + 0.08} y="0" width="0.84" height="10" />
        ))}
      </svg>
      <p class="day-ends faint" aria-hidden="true">
        <span>24 h ago</span>
        <span>now</span>
      </p>
      <p>{summary}</p>
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
