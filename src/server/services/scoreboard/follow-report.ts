import {
  FOLLOW_EVENTS_MIN,
  FOLLOW_RESOLVED_MIN,
  FOLLOW_UP_METHOD,
  FOLLOWED_BOARDS_SHOWN,
  type FollowedBoardRow,
  type FollowUp,
} from '#api/follow-up';
import { followTotal } from '#domain/follow-up/follow-total';
import { type CopierCounts, FOLLOWED_DAYS, type FollowedBoard, followedToS } from '#domain/follow-up/followed-board';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { isoDay } from '#domain/time';

/** Returns what is shown of boards, which come the oldest first. */
export function toFollowUp(boards: readonly FollowedBoard[]): FollowUp {
  const { boards: counted, wallets, ...counts } = followTotal(boards, RATING_CONFIG.intervalZ);
  return {
    days: FOLLOWED_DAYS,
    method: FOLLOW_UP_METHOD,
    boards: boards.slice(-FOLLOWED_BOARDS_SHOWN).toReversed().map(toRow),
    total: { boards: counted, wallets, ...shownCounts(counts) },
  };
}

function toRow(board: FollowedBoard): FollowedBoardRow {
  const { result, wallets } = board;
  return {
    as_of: isoDay(board.asOfS),
    computed_at: new Date(board.computedAtMs).toISOString(),
    rating_config: board.config,
    copy_count: board.copies,
    placebo_copy_count: board.placeboCopies,
    wallets: wallets.length,
    until: result === null ? null : isoDay(followedToS(board, result.knownS)),
    is_final: result?.isFinal ?? wallets.length === 0,
    unseen_hours: Math.ceil((result?.unseenS ?? 0) / 360) / 10,
    ...shownCounts(result ?? NOTHING),
  };
}

interface WalletCounts extends CopierCounts {
  readonly walletsResolved: number;
  readonly walletsInProfit: number;
}

const NOTHING: WalletCounts = {
  ...{ entries: 0, resolved: 0, events: 0, roi: null, low: null, high: null },
  ...{ walletsResolved: 0, walletsInProfit: 0 },
};

/** A mean of a few entries says nothing and would be read all the same. */
function shownCounts({ entries, resolved, events, roi, low, high, walletsResolved, walletsInProfit }: WalletCounts) {
  const isEnough = resolved >= FOLLOW_RESOLVED_MIN && events >= FOLLOW_EVENTS_MIN;
  const isShown = isEnough && roi !== null && low !== null && high !== null;
  return {
    ...{ entries, resolved, events },
    mean_return: isShown ? rounded(roi) : null,
    ci95: isShown ? ([rounded(low), rounded(high)] as [number, number]) : null,
    wallets_resolved: walletsResolved,
    wallets_in_profit: isShown ? walletsInProfit : null,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
