import type { StatusReport } from '#api/status';
import { type ShownRule, shownComponents, shownFigures, shownRules } from '../../model/status/status-view.js';
import type { Strip } from '../../model/status/strip.js';
import { clockText } from '../../model/texts.js';
import { ComponentsTable } from './components-table.js';
import { DayStrip } from './day-strip.js';
import { Figures } from './figures.js';
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
          {rules.length === 0 ? '✓ All is well' : '✕ Degraded'}
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
      <h2>What it stands on</h2>
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
