import { z } from 'zod';
import { DEGRADED_RULES } from './degraded-rules.js';

const instant = z.iso.datetime();
const count = z.int().min(0);
const seconds = z.number().min(0).nullable();

/** One thing that the service depends on or is made of. */
const ComponentStatusSchema = z.strictObject({
  ok: z.boolean().nullable().describe('null: not tried since the start, or nothing to do now.'),
  last_ok_at: instant.nullable().describe('When it last answered well; null: not called since the start.'),
  error: z.string().nullable().describe('What went wrong last, if it is not ok.'),
});

/** What went out on one facilitator's word, micro-USDC. */
const FacilitatorWordSchema = z.strictObject({
  unproven_micros: count.describe('Micro-USDC that the chain has not confirmed yet.'),
  refuted_micros: count.describe('Micro-USDC that were reported and never paid.'),
});

export type ComponentStatus = z.infer<typeof ComponentStatusSchema>;

/**
 * The answer of GET /status.json: how fresh the service's view of the venue is. `status` is
 * `degraded` where one of the named rules applies; a component that was not tried since the start
 * is neither ok nor down.
 */
export const StatusReportSchema = z.strictObject({
  status: z.enum(['ok', 'degraded']),
  degraded_by: z
    .array(z.string())
    .describe(`Rules that apply: ${Object.keys(DEGRADED_RULES).join(', ')}; empty if the status is ok.`),
  api_version: z.string(),
  now: instant,
  started_at: instant,
  components: z.record(z.string(), ComponentStatusSchema),
  clock: z
    .strictObject({
      confirmed: z
        .boolean()
        .describe('false: no two clocks have agreed since the start, so nothing lapses, is removed or rated.'),
      ahead_seconds: z
        .number()
        .nullable()
        .describe("By how much this machine's clock is ahead of the believed time; null: no other source."),
      sources: count.describe('Others who have said of late what time it is.'),
    })
    .describe('The clock of this machine beside those of others.'),
  books: z.strictObject({
    held: count.describe('Order books kept fresh in memory.'),
    oldest_age_seconds: seconds.describe('Age of the one confirmed longest ago; null: none held.'),
    median_age_seconds: seconds,
    sockets: count,
    sockets_live: count,
    frames: count.describe('Frames of the market channel since the start.'),
    frames_bad: count,
    frames_scanned: count.describe('Frames of level changes that were read off their bytes, which is the fast way.'),
    frames_parsed: count.describe('Frames of level changes that were not as usual, and had to be parsed.'),
    hashes_agreed: count.describe("Books proven by the venue's own hash since the start."),
    hashes_differed: count,
  }),
  preflight_trade: z
    .strictObject({ count, p50_ms: z.number().nullable(), p95_ms: z.number().nullable() })
    .describe('Time from understood parameters to verdict, over the last five to ten minutes.'),
  payments: z
    .strictObject({
      in_work: count,
      unresolved: count.describe('Payments whose outcome is not known yet; the chain is being checked.'),
      answered: count,
      refused: count,
      unverified: count.describe('Could not be verified by any facilitator: nothing was charged.'),
      unverified_share: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('Of the answered and the unverified ones of the last five minutes; null: fewer than three.'),
      broken: count.describe('Ended by a fault of the service; a repeat with the same payment takes them up again.'),
    })
    .describe('Payments per call and credit packs since the start.'),
  replica: z
    .strictObject({
      id: z.string().describe('REPLICA_ID, or what names this life of the process.'),
      is_lease_held: z.boolean().describe('false: it decides about no payment until it can renew its lease.'),
      others: count.describe('Other processes on the same store.'),
      payments_taken_over: count.describe('Since the start, from processes that are gone.'),
      jobs: z
        .array(z.enum(['night', 'sweeper', 'scoreboard']))
        .describe(
          'What one process at a time does, and this one does now: rate the board, remove what is old, price verdicts again.',
        ),
    })
    .describe('This process among those that share a store.'),
  store: z
    .strictObject({
      engine: z.enum(['embedded', 'postgresql']),
      changes_waiting: count,
      oldest_wait_seconds: seconds.describe('How long the oldest change has waited; null: none waits.'),
      connections: z
        .strictObject({ open: count, busy: count })
        .nullable()
        .describe('Of this process to the database; null: the store is embedded.'),
      standbys: z
        .array(z.strictObject({ name: z.string(), sync_state: z.string() }))
        .nullable()
        .describe(
          'Databases that follow it, as PostgreSQL shows them (pg_stat_replication); null: embedded or not known.',
        ),
    })
    .describe('The store of credits and payments.'),
  settlements: z
    .strictObject({
      facilitators: z.record(z.string(), FacilitatorWordSchema).describe('By facilitator.'),
      oldest_unproven_seconds: seconds.describe('How long the oldest has waited for its proof; null: none waits.'),
      last_refuted_at: instant.nullable().describe('When the chain last showed a reported settlement to be none.'),
    })
    .describe("What was answered on facilitators' words, as of the last look at the chain."),
  ratings: z
    .strictObject({
      data_through: instant.nullable().describe('Trades before this moment are rated; null: no board is in force.'),
      computed_at: instant.nullable(),
      tape_start: instant.nullable().describe('The board saw all trades from here on, but for its gaps.'),
      tape_gaps: count.describe('Stretches of time after it of which trades are missing.'),
      next_refresh_at: instant,
      wallets: count.describe('Wallets of the board in force.'),
      placebo_copy_count: count.nullable(),
      rating_config: z.string().nullable().describe('Hash of the cut-offs.'),
      last_run_error: z.string().nullable().describe('Why the last run failed; null if it did not.'),
    })
    .describe('The board of wallet ratings.'),
  wallet_queue: z
    .strictObject({
      queued: count,
      in_work: count,
      resting: count.describe('Failed, and tried again later.'),
      oldest_age_seconds: seconds,
      rated: count.describe('Since the start.'),
      unreadable: count.describe(
        'Attempts since the start that the venue answered with something that cannot be read or contradicts itself.',
      ),
      broken: count.describe('Ended by a fault of the service since the start; queued again when they are requested.'),
    })
    .describe('Wallets that are rated on demand.'),
  tape: z
    .strictObject({
      last_fill_at: instant.nullable().describe('The newest trade recorded since the start.'),
      fills: count.describe('Recorded since the start.'),
      rows_skipped: count,
      gaps_open: count.describe(
        'Stretches of time whose trades are still being fetched, or of which rows could not be read.',
      ),
      feed_gaps: count.describe('Times that the live feed was away since the start.'),
    })
    .describe('The record of trades that ratings are made from.'),
  trimmed: z
    .strictObject({
      payment_answers: count.describe('Answers of payments that are no longer repeated: after 7 days.'),
      verdicts: count.describe("Verdicts in wallets' histories that are 400 days old."),
    })
    .describe('What was removed since the start because it was too old to keep.'),
});

export type StatusReport = z.infer<typeof StatusReportSchema>;
