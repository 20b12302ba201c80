import type { Rating, RatingReason } from './rating.js';
import type { RatingConfig } from './rating-config.js';

/**
 * WATCH rows of the decision table that stand on the leaderboard where the result is positive before
 * fees: not proven, or not yet.
 */
const UNPROVEN: ReadonlySet<RatingReason> = new Set([
  'oos_small',
  'oos_failed',
  'not_significant',
  'one_event',
  'unconfirmed',
  'tape_short',
  'fee_fragile',
]);

/**
 * Verdicts that all scored entries decide, or all that was bought; the others are decided after the
 * leaderboard filter.
 */
const BY_ALL_ENTRIES: ReadonlySet<RatingReason> = new Set(['both_sides', 'lost_money', 'fee_fragile']);

/**
 * Whether the ROI that a list shows of a wallet is that of all its scored entries, because they
 * decided.
 */
export function isJudgedByAll({ reason }: Pick<Rating, 'reason'>): boolean {
  return BY_ALL_ENTRIES.has(reason);
}

/** Not all that is unproven is positive: after the filter a wallet may lose what it wins elsewhere. */
function isPositive(rating: Rating): boolean {
  return ((isJudgedByAll(rating) ? rating.roiSlippagePct : rating.window.roiSlippage) ?? 0) > 0;
}

/** A wallet without the figure that a list shows is not listed. */
function hasShownRoi(rating: Rating): boolean {
  return (isJudgedByAll(rating) ? rating.roiFeePct : rating.window.roiFee) !== null;
}

/**
 * Returns the leaderboard: COPY first, then what is positive and unproven, each by the low end of
 * its interval and never by ROI (docs/ratings.md, "Lists"). May be empty.
 */
export function chooseLeaderboard(ratings: readonly Rating[], config: RatingConfig): readonly Rating[] {
  const shown = ratings.filter(hasShownRoi);
  const copied = shown.filter(({ verdict }) => verdict === 'COPY');
  const unproven = shown.filter((one) => one.verdict === 'WATCH' && UNPROVEN.has(one.reason) && isPositive(one));
  return [...copied.toSorted(bestFirst), ...unproven.toSorted(bestFirst)].slice(0, config.leaderboardWalletsMax);
}

/** Returns up to so many COPY wallets, in the order of the leaderboard. */
export function chooseCopies(ratings: readonly Rating[], walletsMax: number): readonly Rating[] {
  return ratings
    .filter(({ verdict }) => verdict === 'COPY')
    .toSorted(bestFirst)
    .slice(0, walletsMax);
}

/**
 * Returns the red list: who buys both sides, and who lost over enough resolved entries, worst z
 * first. May be empty.
 */
export function chooseRedList(ratings: readonly Rating[], config: RatingConfig): readonly Rating[] {
  const listed = ratings
    .filter(hasShownRoi)
    .filter(
      ({ verdict, reason, resolved }) =>
        verdict === 'VETO' && (reason === 'both_sides' || resolved >= config.redListResolvedMin),
    );
  return listed.toSorted(worstFirst).slice(0, config.redListWalletsMax);
}

/** A wallet without filtered entries has no interval and no z; it comes last in either list. */
function bestFirst(a: Rating, b: Rating): number {
  const low = ({ window }: Rating) => window.ciLow ?? Number.NEGATIVE_INFINITY;
  return compare(low(b), low(a)) || moreEntriesFirst(a, b);
}

function worstFirst(a: Rating, b: Rating): number {
  const z = ({ window }: Rating) => window.z ?? Number.POSITIVE_INFINITY;
  return compare(z(a), z(b)) || moreEntriesFirst(a, b);
}

function moreEntriesFirst(a: Rating, b: Rating): number {
  return compare(b.window.entries, a.window.entries) || compare(a.wallet, b.wallet);
}

/** Not a subtraction: of two infinities that is not a number. */
function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
