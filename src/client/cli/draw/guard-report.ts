import type { GuardReport, ReportGroup } from '../../guard/report/guard-report.js';
import { wrap } from '../plain-text.js';
import { figure, usd } from './figures.js';
import { type Frame, line } from './frame.js';

const DECIDED_COLUMNS = 30;
const CELL_COLUMNS = 7;
/** As many groups as rules, modes and sides give; a log has far fewer. */
const GROUPS_MAX = 40;

/** Draws the report of a guard's log: a line for each kind of decision, and what it comes to. */
export function drawGuardReport(report: GuardReport, days: number, frame: Frame): readonly string[] {
  const { orders, groups } = report;
  const head = line(frame, `${figure(orders, 0)} orders in ${days} ${days === 1 ? 'day' : 'days'}`, 'strong');
  if (orders === 0) return [head, 'The log has none: guard a client first, or name another guard with --name.'];
  const names = ['ORDERS', 'FILLED', 'OPEN', 'NOT', 'SENT?', 'SLIP c', 'USD'];
  return [
    head,
    line(frame, 'DECIDED'.padEnd(DECIDED_COLUMNS) + cells(names), 'quiet'),
    ...groups.slice(0, GROUPS_MAX).map((group) => line(frame, rowOf(group))),
    line(frame, 'NOT: rejected or not sent. SENT?: outcome unknown. SLIP: worse than the best price.', 'quiet'),
    ...sentences(report).flatMap((text) => wrap(text, frame.columns)),
  ];
}

function rowOf(group: ReportGroup): string {
  const { mode, side, kind, action, rule, orders, filled, open, rejected, not_sent, unknown } = group;
  const decided = `${mode === 'shadow' ? 'would be ' : ''}${rule ?? action} ${side} ${kind}`.replaceAll('_', ' ');
  const counts = [orders, filled, open, rejected + not_sent, unknown].map((count) => figure(count, 0));
  return decided.padEnd(DECIDED_COLUMNS) + cells([...counts, cents(group.slippage_cents), figure(group.filled_usd, 0)]);
}

function sentences({ groups, stopped_and_filled: stopped }: GuardReport): readonly string[] {
  const resized = groups.filter(({ action }) => action === 'resized');
  const texts: string[] = [];
  if (stopped.orders > 0) {
    texts.push(
      `Of the entries that a rule stops, ${stopped.orders} were filled all the same: ${stopped.beyond_a_cent} of them more than a cent ` +
        `from the best price, for ${usd(stopped.spared_usd)} USD that the guard spares, and ${stopped.within_a_cent} within a cent, which it would miss.`,
    );
  }
  if (resized.length > 0) {
    const [asked, planned] = [sum(resized, 'asked_usd'), sum(resized, 'planned_usd')];
    texts.push(`Resized entries asked for ${usd(asked)} USD; their plans are for ${usd(planned)}.`);
  }
  return texts;
}

const sum = (groups: readonly ReportGroup[], name: 'asked_usd' | 'planned_usd') =>
  groups.reduce((all, group) => all + (group[name] ?? 0), 0);
const cents = (value: number | null) => (value === null ? '-' : figure(value, 2, 2));
const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(CELL_COLUMNS)).join('');
