import type { FollowedBoardRow, FollowUp } from '#api/follow-up';
import { roundUp } from '../round-up.js';
import { signedPctText } from '../texts.js';

/** The mean return of a board with its interval, and where they are drawn: from -1 to 1. */
interface ReturnMark {
  readonly text: string;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** Boards side by side, the oldest first. */
export interface Returns {
  readonly marks: readonly ReturnMark[];
  /** The two ends of the axis, in words. */
  readonly top: string;
  readonly bottom: string;
}

/** The shortest axis. */
const LEAST_END = 0.1;

/** Returns the boards that can tell a mean, drawn on one axis around zero. */
export function returnsOf({ boards }: FollowUp): Returns {
  const shown = boards.toReversed().flatMap(({ as_of: asOf, mean_return: at, ci95 }) => {
    return at === null || ci95 === null
      ? []
      : [{ text: `${asOf}: ${returnText(at, ci95)}`, at, low: ci95[0], high: ci95[1] }];
  });
  const end = roundUp(Math.max(LEAST_END, ...shown.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])));
  const marks = shown.map(({ text, at, low, high }) => ({ text, at: at / end, low: low / end, high: high / end }));
  return { marks, top: signedPctText(end * 100), bottom: signedPctText(-end * 100) };
}

/** Returns a mean return with its interval, as in "+4.2% (−1.0% to +9.4%)"; a dash: too few to tell. */
export function returnText(mean: number | null, ci95: readonly [number, number] | null): string {
  if (mean === null || ci95 === null) return '–';
  const [low, high] = ci95.map((end) => signedPctText(end * 100));
  return `${signedPctText(mean * 100)} (${low} to ${high})`;
}

/** A cell of the table of boards. */
interface BoardCells {
  readonly day: string;
  readonly cells: readonly string[];
}

/** Heads of the cells that `boardCells` returns. */
export const BOARD_HEADS = ['COPY', 'Placebo', 'Entries', 'Resolved', 'In profit', 'Return', 'Counted'] as const;

/** Returns the boards of which something was counted, or that had no COPY, as a table, the newest first. */
export function boardCells({ boards }: FollowUp): readonly BoardCells[] {
  return boards
    .filter(({ until, wallets }) => until !== null || wallets === 0)
    .map((board) => ({ day: board.as_of, cells: cellsOf(board) }));
}

function cellsOf(board: FollowedBoardRow): readonly string[] {
  return [
    ...[board.copy_count, board.placebo_copy_count, board.entries, board.resolved].map((n) =>
      n.toLocaleString('en-US'),
    ),
    profitText(board),
    returnText(board.mean_return, board.ci95),
    board.wallets === 0 ? 'no COPY' : `${board.is_final ? 'final' : `to ${board.until}`}${unseenText(board)}`,
  ];
}

/** Returns "3 of 5"; a dash: too few to tell. */
export function profitText(counts: Pick<FollowedBoardRow, 'wallets_in_profit' | 'wallets_resolved'>): string {
  const { wallets_in_profit: inProfit, wallets_resolved: resolved } = counts;
  return inProfit === null ? '–' : `${inProfit.toLocaleString('en-US')} of ${resolved.toLocaleString('en-US')}`;
}

function unseenText({ unseen_hours: hours }: FollowedBoardRow): string {
  return hours === 0 ? '' : `, ${hours.toLocaleString('en-US')} h not seen`;
}
