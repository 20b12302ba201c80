import type { StatusReport } from '#api/status';
import {
  type FigureGroup,
  type ShownComponent,
  type ShownRule,
  shownComponents,
  shownFigures,
  shownRules,
} from '../../model/status/status-view.js';
import type { Strip } from '../../model/status/strip.js';
import { clockText } from '../../model/texts.js';
import { useLatest } from './use-latest.js';

export interface StatusBoardProps {
  /** The newest when the document was made. */
  readonly report: StatusReport;
  readonly strip: Strip;
}

/** How the service is, followed while the page is open. What is old says so. */
export function StatusBoard(first: StatusBoardProps) {
  const { report, strip, failedAtMs } = useLatest(first);
  const rules = shownRules(report);
  return (
    <>
      <div class="card note state" data-tone={rules.length === 0 ? 'ok' : 'veto'}>
        <p class="state-word" role="status">
          {rules.length === 0 ? '✓ All systems operational' : '✕ Degraded'}
        </p>
        <p>As of {clockText(Date.parse(report.now))}</p>
        <Rules rules={rules} />
      </div>
      {failedAtMs === null ? null : (
        <div class="card note" data-tone="caution" role="alert">
          <p>
            The service did not answer at {clockText(failedAtMs)}. What is shown is what it said before; it is asked
            again every 10 s.
          </p>
        </div>
      )}
      <DayStrip {...strip} />
      <h2>Components</h2>
      <ComponentsTable components={shownComponents(report)} />
      {shownFigures(report).map((group) => (
        <Figures {...group} />
      ))}
    </>
  );
}

function Rules({ rules }: { readonly rules: readonly ShownRule[] }) {
  if (rules.length === 0) return null;
  return (
    <ul class="rules">
      {rules.map(({ name, component, meaning }) => (
        <li>
          <code>{component === null ? name : `${name}: ${component}`}</code> {meaning}
        </li>
      ))}
    </ul>
  );
}

/** Figures about one thing. */
function Figures({ title, figures }: FigureGroup) {
  return (
    <section>
      <h2>{title}</h2>
      <dl class="figures">
        {figures.map(({ label, value }) => (
          <div class="card" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The last 24 hours: a cell for each quarter of an hour, and in words what was not well. */
function DayStrip({ cells, summary, stretches }: Strip) {
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

const WORDS = { ok: '✓ answers', down: '✕ down', idle: '· not tried' } as const;

/** What the service depends on, one row each. Errors may hold what others wrote. */
function ComponentsTable({ components }: { readonly components: readonly ShownComponent[] }) {
  return (
    <table class="stack components">
      <caption class="visually-hidden">Components of the service</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col">State</th>
          <th scope="col">Last good answer</th>
          <th scope="col">Error</th>
        </tr>
      </thead>
      <tbody>
        {components.map(({ name, about, state, lastGood, error }) => (
          <tr key={name}>
            <th scope="row" class="foreign">
              {name}
              <small>{about}</small>
            </th>
            <td data-state={state}>{WORDS[state]}</td>
            <td>{lastGood}</td>
            <td class="foreign">{error}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
