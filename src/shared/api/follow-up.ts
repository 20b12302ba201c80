import { z } from 'zod';
import { AWAITED_DAYS, FOLLOWED_DAYS, FOLLOWED_WALLETS_MAX } from '#domain/follow-up/followed-board';

/** Most boards that are shown one by one, the newest. */
export const FOLLOWED_BOARDS_SHOWN = 60;
/** Below so many resolved entries, or events of them, no return is told. */
export const FOLLOW_RESOLVED_MIN = 30;
export const FOLLOW_EVENTS_MIN = 10;

const count = z.int().min(0);
const day = z.iso.date();
const TOO_FEW = `null: fewer than ${FOLLOW_RESOLVED_MIN} resolved entries, or fewer than ${FOLLOW_EVENTS_MIN} events of them.`;

const counts = {
  entries: count.describe("First entries within the leaderboard's filter."),
  resolved: count.describe('Of the entries: settled, and the scheduled end has passed; all below is about these.'),
  events: count,
  mean_return: z.number().nullable().describe(`Per dollar staked, after slippage and taker fee. ${TOO_FEW}`),
  ci95: z.tuple([z.number(), z.number()]).nullable().describe('Of mean_return, with events as clusters.'),
  wallets_resolved: count.describe('Followed wallets with a resolved entry.'),
  wallets_in_profit: count.nullable().describe(`Of wallets_resolved. ${TOO_FEW}`),
};

const BoardSchema = z.strictObject({
  as_of: day,
  computed_at: z.iso.datetime().describe('When the board came into force.'),
  rating_config: z.string(),
  copy_count: count,
  placebo_copy_count: count.describe('COPY verdicts that the rules gave when outcomes were drawn by chance.'),
  wallets: count.max(FOLLOWED_WALLETS_MAX).describe('COPY wallets that are followed, the first of the list.'),
  until: day.nullable().describe('Entries before this day are counted; null: nothing was counted yet.'),
  is_final: z.boolean().describe('true: nothing is counted any more.'),
  unseen_hours: z
    .number()
    .min(0)
    .describe('Hours up to until of which trades are missing; their entries are in no number.'),
  ...counts,
});

/** What copying the COPY wallets of boards has come to. */
export const FollowUpSchema = z.strictObject({
  days: z.literal(FOLLOWED_DAYS).describe('Entries of so many days after the moment of a board are followed.'),
  method: z.string(),
  boards: z.array(BoardSchema).max(FOLLOWED_BOARDS_SHOWN).describe('The newest first.'),
  total: z
    .strictObject({
      boards: count.describe('Boards with counts, of the last 400 days.'),
      wallets: count.describe('Different wallets.'),
      ...counts,
      events: count.describe('Groups of events, at most 64; each is a cluster.'),
    })
    .describe('Each entry once: under the newest board of its moment.'),
});

export type FollowUp = z.infer<typeof FollowUpSchema>;
export type FollowedBoardRow = FollowUp['boards'][number];

export const FOLLOW_UP_METHOD =
  `The COPY wallets of a board are kept when it comes into force, up to ${FOLLOWED_WALLETS_MAX}. Each night their first entries of the ` +
  `${FOLLOWED_DAYS} days after its moment are counted as the rating counts them: the wallet's price plus 2 cents, taker fee, one dollar each, ` +
  `within the leaderboard's filter. Results are waited for another ${AWAITED_DAYS} days. Of several boards of one moment the first counts. ` +
  'In total each entry counts once, if its wallet is COPY on the newest board of its moment.';
