import { z } from 'zod';
import { ConditionSchema } from './condition.js';
import { FlagSchema, TextSchema } from './venue-values.js';

/** How the CLOB says that a market ended. */
export interface ClobWinner {
  /** Lower case. */
  readonly condition: string;
  readonly closed: boolean;
  readonly isFiftyFifty: boolean;
  readonly winningTokens: readonly string[];
}

const ClobMarketSchema = z.object({
  condition_id: ConditionSchema,
  closed: FlagSchema.pipe(z.boolean()),
  is_50_50_outcome: FlagSchema.pipe(z.boolean()),
  tokens: z.array(z.object({ token_id: TextSchema, winner: FlagSchema.pipe(z.boolean()) })),
});

/**
 * Returns the answer of `GET /markets/{condition}` of the CLOB, or null if it is something else
 * (docs/venue.md, "Resolution"). All of 1,000 recorded markets say whether they are closed, and of
 * each token whether it won.
 */
export function parseClobWinner(raw: unknown): ClobWinner | null {
  const parsed = ClobMarketSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { condition_id: condition, closed, is_50_50_outcome: fiftyFifty, tokens } = parsed.data;
  return {
    condition,
    closed,
    isFiftyFifty: fiftyFifty,
    winningTokens: tokens.filter(({ winner }) => winner).map(({ token_id: token }) => token),
  };
}

const DOLLAR_MICROS = 1_000_000;

/**
 * Returns the payout of each outcome in micros, or null if the CLOB names none: an open market has
 * none whatever it flags, and a closed one without a winner is 50/50 only if it says so. `tokens`
 * are the market's, in the order of its outcomes.
 */
export function clobPayoutMicros(received: ClobWinner, tokens: readonly string[]): readonly number[] | null {
  if (!received.closed || tokens.length !== 2) return null;
  const { winningTokens, isFiftyFifty } = received;
  if (winningTokens.length === 0) return isFiftyFifty ? [DOLLAR_MICROS / 2, DOLLAR_MICROS / 2] : null;
  const winner = tokens.indexOf(winningTokens[0]!);
  if (winningTokens.length > 1 || winner === -1) return null;
  return tokens.map((_, index) => (index === winner ? DOLLAR_MICROS : 0));
}
