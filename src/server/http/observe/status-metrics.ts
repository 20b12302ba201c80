import { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';

type Labels = Readonly<Record<string, string>>;

/** One figure of /status.json as operators read it. */
export interface StatusMetric {
  /** Without the prefix of all. */
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  /** What it is, with its unit. */
  readonly help: string;
  readonly labels?: readonly string[];
  /** Its value, or one for each set of labels. */
  read(report: StatusReport): number | readonly (readonly [Labels, number])[];
}

type Read = StatusMetric['read'];

const gauge = (name: string, help: string, read: Read, ...labels: string[]): StatusMetric => ({
  ...{ name, type: 'gauge', help, read, labels },
});
const counter = (name: string, help: string, read: Read, ...labels: string[]): StatusMetric => ({
  ...{ name, type: 'counter', help, read, labels },
});

const flag = (is: boolean) => (is ? 1 : 0);
/** An instant in seconds since the epoch; 0: there was none. */
const timestamp = (instant: string | null) => (instant === null ? 0 : Date.parse(instant) / 1e3);
const usdc = (micros: number) => micros / 1e6;
/** One value for each of the things that a label tells apart. */
const by = (label: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([name, value]) => [{ [label]: name }, value] as const);

/**
 * Of what kind a component is; each that is not named here is a facilitator, which has the name of
 * its host.
 */
const COMPONENT_KINDS: Readonly<Record<string, string>> = {
  ...{ gamma: 'venue', 'clob-markets': 'venue', 'clob-books': 'venue', 'market-channel': 'venue' },
  ...{ 'data-api': 'tape', 'gamma-tape': 'tape', 'clob-tape': 'tape', rtds: 'tape', 'trade-recorder': 'tape' },
  ...{ 'base-rpc': 'chain', store: 'store', disk_free: 'disk', 'rating-job': 'ratings' },
};
const componentOf = (component: string): Labels => ({ component, kind: COMPONENT_KINDS[component] ?? 'facilitator' });

/** What was not tried is neither up nor down. */
const componentsUp: Read = ({ components }) =>
  Object.entries(components).flatMap(([name, { ok }]) => (ok === null ? [] : [[componentOf(name), flag(ok)] as const]));
const componentsLastOk: Read = ({ components }) =>
  Object.entries(components).map(([name, { last_ok_at: at }]) => [componentOf(name), timestamp(at)] as const);

const degraded: Read = ({ degraded_by: rules }) =>
  Object.keys(DEGRADED_RULES).map((rule) => {
    const applies = rules.some((named) => named === rule || named.startsWith(`${rule}:`));
    return [{ rule }, flag(applies)] as const;
  });

const wordsOf =
  (sum: 'unproven_micros' | 'refuted_micros'): Read =>
  ({ settlements }) =>
    Object.entries(settlements.facilitators).map(([facilitator, word]) => [{ facilitator }, usdc(word[sum])] as const);

/**
 * Every figure of /status.json that is one, with the names and units of Prometheus. What is a
 * moment there is the moment here, so that its age is `time() - metric` and no number is ever
 * missing: 0 says that there was none.
 */
export const STATUS_METRICS: readonly StatusMetric[] = [
  gauge('degraded', '1 if the rule of /status.json applies, else 0.', degraded, 'rule'),
  gauge(
    'component_up',
    '1 if the component answered well when it was last called, else 0; none if it was not tried since the start.',
    componentsUp,
    'component',
    'kind',
  ),
  gauge(
    'component_last_ok_timestamp_seconds',
    'When the component last answered well, in seconds since the epoch; 0: not since the start.',
    componentsLastOk,
    'component',
    'kind',
  ),

  gauge('clock_confirmed', '1 if two clocks have agreed since the start, else 0.', (r) => flag(r.clock.confirmed)),
  gauge(
    'clock_ahead_seconds',
    "By how much this machine's clock is ahead of the believed time, in seconds; 0 also without other sources.",
    ({ clock }) => clock.ahead_seconds ?? 0,
  ),
  gauge('clock_sources', 'Others who have said in the last ten minutes what time it is.', ({ clock }) => clock.sources),

  gauge('books_held', 'Order books kept fresh in memory.', ({ books }) => books.held),
  gauge(
    'books_oldest_age_seconds',
    'Age of the book confirmed longest ago, in seconds; 0: none is held.',
    ({ books }) => books.oldest_age_seconds ?? 0,
  ),
  gauge(
    'market_sockets',
    'Sockets to the market channel, by whether they bring data.',
    ({ books: { sockets, sockets_live: live } }) => by('state', { live, silent: sockets - live }),
    'state',
  ),
  counter('market_frames_total', 'Frames of the market channel.', ({ books }) => books.frames),
  counter('market_frames_bad_total', 'Frames that could not be read.', ({ books }) => books.frames_bad),
  counter(
    'market_level_frames_total',
    'Frames of level changes: fast, read off their bytes, or slow, parsed.',
    ({ books }) => by('path', { fast: books.frames_scanned, slow: books.frames_parsed }),
    'path',
  ),
  counter(
    'book_hashes_total',
    "Books compared with the venue's own hash.",
    ({ books }) => by('result', { agreed: books.hashes_agreed, differed: books.hashes_differed }),
    'result',
  ),

  gauge('payments_in_work', 'Running payments, including those that are only watched.', (r) => r.payments.in_work),
  gauge('payments_unresolved', 'Payments whose outcome is not known yet.', (r) => r.payments.unresolved),
  counter(
    'payments_total',
    'Payments per call and credit packs that ended.',
    ({ payments: { answered, refused, unverified, broken } }) =>
      by('outcome', { answered, refused, unverified, broken }),
    'outcome',
  ),
  gauge(
    'settlement_unproven_usdc',
    "Answered on a facilitator's word and not yet confirmed by the chain, in USDC.",
    wordsOf('unproven_micros'),
    'facilitator',
  ),
  gauge(
    'settlement_refuted_usdc',
    'Reported as settled and never paid, in USDC.',
    wordsOf('refuted_micros'),
    'facilitator',
  ),
  gauge(
    'settlement_oldest_unproven_seconds',
    'How long the oldest settlement has waited for its proof, in seconds; 0: none waits.',
    ({ settlements }) => settlements.oldest_unproven_seconds ?? 0,
  ),
  gauge(
    'settlement_last_refuted_timestamp_seconds',
    'When the chain last showed a reported settlement to be none, in seconds since the epoch; 0: never.',
    ({ settlements }) => timestamp(settlements.last_refuted_at),
  ),

  gauge('lease_held', '1 if this process may decide about payments, else 0.', (r) => flag(r.replica.is_lease_held)),
  gauge('other_processes', 'Other processes on the same store.', ({ replica }) => replica.others),
  counter(
    'payments_taken_over_total',
    'Payments taken over from processes that are gone.',
    ({ replica }) => replica.payments_taken_over,
  ),
  gauge(
    'job_held',
    '1 if this process does what one at a time does, else 0.',
    ({ replica: { jobs } }) =>
      by('job', {
        night: flag(jobs.includes('night')),
        sweeper: flag(jobs.includes('sweeper')),
        scoreboard: flag(jobs.includes('scoreboard')),
      }),
    'job',
  ),
  gauge('store_changes_waiting', 'Changes that wait for a transaction of the store.', (r) => r.store.changes_waiting),
  gauge(
    'store_oldest_wait_seconds',
    'How long the oldest change has waited, in seconds; 0: none waits.',
    ({ store }) => store.oldest_wait_seconds ?? 0,
  ),
  gauge(
    'store_connections',
    'Connections of this process to the database; 0 with the embedded store.',
    ({ store: { connections } }) => {
      const { open, busy } = connections ?? { open: 0, busy: 0 };
      return by('state', { busy, idle: open - busy });
    },
    'state',
  ),

  gauge('board_present', '1 if a board of ratings is in force, else 0.', (r) => flag(r.ratings.data_through !== null)),
  gauge(
    'board_data_through_timestamp_seconds',
    'Trades before this moment are rated, in seconds since the epoch; 0: no board is in force.',
    ({ ratings }) => timestamp(ratings.data_through),
  ),
  gauge(
    'board_computed_timestamp_seconds',
    'When the board in force was made, in seconds since the epoch; 0: there is none.',
    ({ ratings }) => timestamp(ratings.computed_at),
  ),
  gauge(
    'board_tape_start_timestamp_seconds',
    'The board saw all trades from here on, in seconds since the epoch; 0: it is not known, or there is none.',
    ({ ratings }) => timestamp(ratings.tape_start),
  ),
  gauge('board_tape_gaps', 'Stretches of time of which trades are missing.', ({ ratings }) => ratings.tape_gaps),
  gauge('board_wallets', 'Wallets of the board in force.', ({ ratings }) => ratings.wallets),
  gauge(
    'board_placebo_copies',
    'Wallets of pure chance that the board in force would have rated COPY; 0 without a board.',
    ({ ratings }) => ratings.placebo_copy_count ?? 0,
  ),
  gauge(
    'board_next_refresh_timestamp_seconds',
    'When the next board is due, in seconds since the epoch.',
    ({ ratings }) => timestamp(ratings.next_refresh_at),
  ),
  gauge('night_failed', '1 if the last nightly run failed, else 0.', (r) => flag(r.ratings.last_run_error !== null)),

  gauge(
    'wallet_queue_wallets',
    'Wallets that are to be rated on demand.',
    ({ wallet_queue: { queued, in_work, resting } }) => by('state', { queued, in_work, resting }),
    'state',
  ),
  gauge(
    'wallet_queue_oldest_age_seconds',
    'How long the oldest wallet has waited for its rating, in seconds; 0: none waits.',
    (r) => r.wallet_queue.oldest_age_seconds ?? 0,
  ),
  counter(
    'wallet_runs_total',
    'Attempts to rate a wallet on demand: rated, unreadable (what the venue said), or broken (a fault of the service).',
    ({ wallet_queue: { rated, unreadable, broken } }) => by('outcome', { rated, unreadable, broken }),
    'outcome',
  ),

  counter('tape_fills_total', 'Trades that were recorded.', ({ tape }) => tape.fills),
  counter('tape_rows_skipped_total', 'Rows of trades that could not be read.', ({ tape }) => tape.rows_skipped),
  counter('tape_feed_gaps_total', 'Times that the live feed of trades was away.', ({ tape }) => tape.feed_gaps),
  gauge('tape_gaps_open', 'Stretches of time whose trades are still being fetched.', ({ tape }) => tape.gaps_open),
  gauge(
    'tape_last_fill_timestamp_seconds',
    'When the newest recorded trade was made, in seconds since the epoch; 0: none since the start.',
    ({ tape }) => timestamp(tape.last_fill_at),
  ),
  counter(
    'trimmed_rows_total',
    'Rows removed because they were too old to keep.',
    ({ trimmed: { payment_answers, verdicts } }) => by('kind', { payment_answers, verdicts }),
    'kind',
  ),
];
