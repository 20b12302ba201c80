import { copiesNaively, NAIVE_RULES } from '#domain/rating/naive-rules';
import type { Rating } from '#domain/rating/rating';
import type { RatingSums } from '#domain/rating/rating-sums';

/**
 * Wallets that would be COPY if results were drawn by chance: what is left of a COPY without any
 * information.
 */
const PLACEBO = 'placebo COPY';

/** The groups that a backtest follows, in the order in which it shows them. */
export const GROUPS: readonly string[] = ['COPY', 'WATCH', 'VETO', ...NAIVE_RULES.map(({ name }) => name), PLACEBO];

/** Groups of a wallet, as bits in the order of `GROUPS`. */
export type GroupBits = number;

export const PLACEBO_BIT: GroupBits = 1 << GROUPS.indexOf(PLACEBO);

/** Returns the groups of a rated wallet, without the placebo. */
export function groupsOf({ verdict }: Rating, sums: RatingSums): GroupBits {
  const names = [verdict, ...NAIVE_RULES.filter((rule) => copiesNaively(rule, sums)).map(({ name }) => name)];
  return names.filter((name) => GROUPS.includes(name)).reduce((bits, name) => bits | (1 << GROUPS.indexOf(name)), 0);
}
