import { z } from 'zod';
import { HORIZONS, SCORED_SIZES, SCORED_VERDICTS } from '#domain/scoreboard/score-key';
import { FollowUpSchema } from './follow-up.js';

export const SCOREBOARD_PATH = '/scoreboard.json';

const share = z.number().min(0).max(1);
const cents = z.number().min(0).nullable();
const count = z.int().min(0);
const day = z.iso.date();
const interval = z.tuple([share, share]);

const rate = z
  .strictObject({
    hits: count,
    rate: share,
    ci95: interval.describe('Wilson, as if all orders were independent.'),
    ci95_clustered: interval
      .nullable()
      .describe('With markets as clusters; null: of one group of markets, or it happened never or always.'),
  })
  .nullable();

/** What became of the orders of one verdict, size, horizon and fee category. */
const RowSchema = z.strictObject({
  verdict: z.enum(SCORED_VERDICTS),
  usd: z.union(SCORED_SIZES.map((usd) => z.literal(usd))),
  horizon: z.enum(HORIZONS).describe("Seconds after the verdict; delay: the market's own matching delay."),
  category: z.string().describe('Fee category of the market; all: of all markets.'),
  n: count.describe('Orders that were priced again.'),
  unseen: count.describe('Orders whose book was not fresh at the horizon; in no other number.'),
  market_groups: count.describe('Markets are sorted into 64 groups by their id; each is a cluster.'),
  became_veto: rate,
  became_caution: rate.describe('OK before.'),
  worse_1c: rate.describe('Would have filled at least 1 cent per share worse, or not whole.'),
  worse_3c: rate,
  worse_10c: rate,
  book_gone: rate.describe('The venue had no book any more.'),
  median_cents: cents.describe(
    'How much worse, rounded up to 0.1 cents, above 10 to whole ones, but not above worst_cents; 0: not worse. ' +
      'An order not filled whole counts as 100.',
  ),
  p95_cents: cents.describe('Rounded as median_cents is.'),
  worst_cents: cents,
});

const SeriesSchema = z.strictObject({
  day,
  verdict: z.enum(SCORED_VERDICTS),
  horizon: z.enum(HORIZONS),
  n: count,
  became_veto: count,
  worse_3c: count,
});

/** The answer of GET /scoreboard.json. */
export const ScoreboardSchema = z.strictObject({
  is_on: z.boolean().describe('false: the operator has turned sampling off.'),
  from: day,
  to: day,
  method: z.string(),
  seed: z.string().describe('What the draws of the last day begin with; a draw adds its number within the day.'),
  draws: count,
  draws_skipped: count.describe('Because the process was late.'),
  orders_missed: count.describe('Not priced again in time, because the process was late.'),
  rows: z.array(RowSchema),
  series: z.array(SeriesSchema).describe('By day, the oldest first; of all sizes and categories.'),
  follow_up: FollowUpSchema.optional().describe('What copying wallets came to, board by board; absent with day.'),
});

export type Scoreboard = z.infer<typeof ScoreboardSchema>;
export type ScoreboardRow = z.infer<typeof RowSchema>;

/** Below so many orders nothing is said of how often one like it was overtaken. */
export const OVERTAKEN_N_MIN = 1_000;

/**
 * How often an order like this one would have filled worse by the time that it arrives.
 *
 * @public The types of the client package are written from it.
 */
export const OvertakenSchema = z
  .strictObject({
    horizon: z.number().min(0).describe("Seconds: the market's matching delay, or 1."),
    worse_by_cents: z.literal(3),
    rate: share,
    ci95: interval.describe('With markets as clusters, or Wilson where they show no spread.'),
    n: z.int().min(OVERTAKEN_N_MIN),
  })
  .describe('From /scoreboard.json, of the last 30 days: same verdict and fee category, nearest size.');

export type Overtaken = z.infer<typeof OvertakenSchema>;

export const SCOREBOARD_METHOD =
  'Every 5 s up to 20 books are drawn by chance from those that the service holds fresh. On each, BUY and SELL orders of 100 ' +
  'and 1,000 USD are judged with the default limits; what callers ask plays no part. Each OK and CAUTION is priced again on the ' +
  'book of 1, 3, 10 and 60 s later and of the matching delay of its market. An order that does not fill whole any more counts ' +
  'as 100 cents worse. Draw: FNV-1a of the seed, a slash and the number of the 5 s since midnight UTC seeds mulberry32, which ' +
  'draws from the token ids in the order of their texts. Books that were not fresh at the horizon are counted as unseen.';
