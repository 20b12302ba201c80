import type { StatusReport } from '#api/status';
import type { Day } from '../../model/status/day.js';
import {
  type FigureGroup,
  type ShownComponent,
  type ShownRule,
  shownComponents,
  shownFigures,
  shownRules,
} from '../../model/status/status-view.js';
import type { ComponentDay } from '../../model/status/strip.js';
import { clockText } from '../../model/texts.js';
import { DayStrip, Runs } from './day-strip.js';
import { LatencyPlot } from './latency-plot.js';
import { type FailedLook, useLatest } from './use-latest.js';

export interface StatusBoardProps {
  /** The newest when the document was made. */
  readonly report: StatusReport;
  readonly day: Day;
}

/** How the service is, followed while the page is open. What is old says so. */
export function StatusBoard(first: StatusBoardProps) {
  const { report, day, failure } = useLatest(first);
  return (
    <>
      <Headline report={report} failure={failure} />
      <DayStrip {...day.strip} />
      <h2>Components</h2>
      <ComponentsTable components={shownComponents(report)} days={day.components} />
      <LatencyPlot latency={day.latency} />
      {shownFigures(report).map((group) => (
        <Figures {...group} />
      ))}
    </>
  );
}

interface HeadlineProps {
  readonly report: StatusReport;
  readonly failure: FailedLook | null;
}

/** The state in one line. A look that failed says more than an answer of before. */
function Headline({ report, failure }: HeadlineProps) {
  const rules = shownRules(report);
  const tone = failure !== null ? 'caution' : rules.length === 0 ? 'ok' : 'veto';
  return (
    <div class="card note state" data-tone={tone}>
      <p class="state-word" role="status">
        {failure !== null ? '? No answer' : rules.length === 0 ? '✓ All systems operational' : '✕ Degraded'}
      </p>
      {failure === null ? (
        <p>As of {clockText(Date.parse(report.now))}</p>
      ) : (
        <p role="alert">
          The service did not answer at {clockText(failure.sinceMs)}
          {failure.lastMs === failure.sinceMs ? '' : `, nor until ${clockText(failure.lastMs)}`}. Below is what it said
          at {clockText(Date.parse(report.now))}; this page asks again every 10 s.
        </p>
      )}
      <Rules rules={rules} />
    </div>
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

const WORDS = { ok: '✓ answers', down: '✕ down', idle: '· not tried' } as const;

interface ComponentsTableProps {
  readonly components: readonly ShownComponent[];
  readonly days: Day['components'];
}

/** What the service depends on, one row each. Errors may hold what others wrote. */
function ComponentsTable({ components, days }: ComponentsTableProps) {
  return (
    <table class="stack components">
      <caption class="visually-hidden">Components of the service</caption>
      <thead>
        <tr>
          <th scope="col">Component</th>
          <th scope="col">State</th>
          <th scope="col">Last 24 hours</th>
          <th scope="col">Last good answer</th>
        </tr>
      </thead>
      <tbody>
        {components.map(({ name, about, state, lastGood, error }) => (
          <tr key={name}>
            <th scope="row" class="foreign">
              {name}
              <small>{about}</small>
              {error !== null && <small class="fault">{error}</small>}
            </th>
            <td data-state={state}>{WORDS[state]}</td>
            <td class="component-day">
              <ComponentDays state={state} day={days[name]} />
            </td>
            <td>{lastGood}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ComponentDaysProps {
  readonly state: ShownComponent['state'];
  readonly day: ComponentDay | undefined;
}

/** What was never tried has no history, as it was never down. */
function ComponentDays({ state, day }: ComponentDaysProps) {
  const isTried = state !== 'idle' || day?.runs.some(({ isBad }) => isBad) === true;
  if (day === undefined || !isTried) return <span class="faint">–</span>;
  return (
    <>
      <Runs runs={day.runs} label={`Last 24 hours: ${day.summary}`} />
      <small aria-hidden="true">{day.summary}</small>
    </>
  );
}
