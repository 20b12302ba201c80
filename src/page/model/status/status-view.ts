import { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';
import { momentText } from '../texts.js';

/** A rule by which the service is degraded, in words. */
export interface ShownRule {
  readonly name: string;
  /** What is down, if the rule is about one component. */
  readonly component: string | null;
  readonly meaning: string;
}

/** Something that the service stands on, as the page shows it. */
export interface ShownComponent {
  readonly name: string;
  readonly about: string;
  readonly state: 'ok' | 'down' | 'idle';
  readonly lastGood: string;
  readonly error: string | null;
}

interface ShownFigure {
  readonly label: string;
  readonly value: string;
}

export interface FigureGroup {
  readonly title: string;
  readonly figures: readonly ShownFigure[];
}

/** Returns the rules that apply. One that this page does not know is shown by its name. */
export function shownRules({ degraded_by }: Pick<StatusReport, 'degraded_by'>): readonly ShownRule[] {
  return degraded_by.map((rule) => {
    const [name = rule, component = null] = rule.split(/:(.*)/s);
    const meaning = Object.entries(DEGRADED_RULES).find(([existing]) => existing === name)?.[1];
    return { name, component, meaning: meaning ?? 'A rule that this page does not know.' };
  });
}

/**
 * What each component is for. All others are facilitators, which are called by the host of their
 * address.
 */
const ABOUT: ReadonlyMap<string, string> = new Map([
  ['gamma', 'catalog of markets'],
  ['clob-markets', 'rules and fees of markets'],
  ['clob-books', 'order books, when they are asked for'],
  ['market-channel', 'order books, as they change'],
  ['base-rpc', 'the chain, which proves settlements'],
  ['store', 'credits and payments'],
  ['disk_free', 'room on the disk'],
  ['data-api', 'trades of wallets'],
  ['gamma-tape', 'markets of recorded trades'],
  ['clob-tape', 'outcomes of recorded trades'],
  ['rtds', 'trades, as they happen'],
  ['trade-recorder', 'writes trades down'],
  ['rating-job', 'rates wallets every night'],
]);

/** Returns the components: first what is down, then what works, then what was not tried. */
export function shownComponents({ components, now }: StatusReport): readonly ShownComponent[] {
  const order = ['down', 'ok', 'idle'];
  const shown = Object.entries(components).map(([name, { ok, last_ok_at, error }]) => ({
    name,
    about: ABOUT.get(name) ?? 'settles payments',
    state: ok === null ? ('idle' as const) : ok ? ('ok' as const) : ('down' as const),
    lastGood: last_ok_at === null ? '–' : `${spanText((Date.parse(now) - Date.parse(last_ok_at)) / 1e3)} ago`,
    error,
  }));
  return shown.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.name < b.name ? -1 : 1));
}

/** Returns the figures of a report, by what they are about. */
export function shownFigures(report: StatusReport): readonly FigureGroup[] {
  const { books, preflight_trade: trade, payments, settlements, ratings, wallet_queue: queue, tape } = report;
  return [
    group('Order books', [
      ['Held', countOf(books.held)],
      ['Median age', secondsText(books.median_age_seconds)],
      ['Oldest', secondsText(books.oldest_age_seconds)],
      ['Sockets that bring data', `${countOf(books.sockets_live)} of ${countOf(books.sockets)}`],
    ]),
    group('Verdicts on orders, last 5 to 10 minutes', [
      ['Made', countOf(trade.count)],
      ['Median', millisecondsText(trade.p50_ms)],
      ['95th percentile', millisecondsText(trade.p95_ms)],
    ]),
    group('Payments since the start', [
      ['Running', countOf(payments.in_work)],
      ['Outcome unknown', countOf(payments.unresolved)],
      ['Answered', countOf(payments.answered)],
      ['Refused', countOf(payments.refused)],
      ['Oldest waits for its proof', secondsText(settlements.oldest_unproven_seconds)],
    ]),
    group('Wallet ratings', [
      ['Trades until', instantText(ratings.data_through)],
      ['Computed', instantText(ratings.computed_at)],
      ['Next', instantText(ratings.next_refresh_at)],
      ['Wallets', countOf(ratings.wallets)],
      ['Waiting for a rating', countOf(queue.queued)],
    ]),
    group('Record of trades', [
      ['Newest trade', instantText(tape.last_fill_at)],
      ['Recorded since the start', countOf(tape.fills)],
      ['Gaps being filled', countOf(tape.gaps_open)],
    ]),
  ];
}

function group(title: string, figures: readonly (readonly [label: string, value: string])[]): FigureGroup {
  return { title, figures: figures.map(([label, value]) => ({ label, value })) };
}

function instantText(instant: string | null): string {
  return instant === null ? 'none yet' : momentText(instant);
}

function countOf(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns an age in seconds with one decimal; a dash if there is none. */
function secondsText(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 60 ? `${seconds.toFixed(1)} s` : spanText(seconds);
}

function millisecondsText(ms: number | null): string {
  return ms === null ? '–' : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
}

/** Returns a span of time in its largest unit, as in "4 min". */
function spanText(seconds: number): string {
  const s = Math.max(0, seconds);
  if (s < 120) return `${Math.round(s)} s`;
  if (s < 7_200) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3_600)} h` : `${Math.round(s / 86_400)} d`;
}
