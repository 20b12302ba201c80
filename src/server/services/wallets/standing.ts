import type { WalletAddress } from '#domain/ids';
import type { RatingConfig } from '#domain/rating/rating-config';
import { asOfOf, ratingWindows } from '#domain/rating/rating-windows';
import { seesWholeWindow } from '#domain/rating/seen-window';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { Standing } from './contract.js';

/**
 * Returns the moment that wallets are rated for now: the board's, so that a profile never disagrees
 * with it; today if there is none.
 */
export async function asOfInForce(store: Pick<RatingsStore, 'board'>, nowMs: number): Promise<number> {
  return (await store.board())?.asOfS ?? asOfOf(Math.floor(nowMs / 1e3));
}

/**
 * Returns what is known about a wallet from its rows: the rating of the board in force, else one
 * that was made on demand for the same moment.
 */
export async function standingOf(
  wallet: WalletAddress,
  facts: { readonly store: RatingsStore; readonly nowMs: number; readonly config: RatingConfig; readonly hash: string },
): Promise<Standing> {
  const { store, nowMs, config, hash } = facts;
  const [board, rated] = await Promise.all([store.board(), store.boardRating(wallet)]);
  if (rated !== null && isBoardsWord(rated, board, config)) return toStanding(rated, board);
  const demanded = await store.demandRating(wallet);
  if (demanded === null) return { kind: 'unknown' };
  const asOfS = board?.asOfS ?? asOfOf(Math.floor(nowMs / 1e3));
  return demanded.rating.asOfS === asOfS && demanded.config === hash ? toStanding(demanded) : { kind: 'stale' };
}

/**
 * On a tape that began within the window an entry may only look like the first, and few entries may
 * only mean that nothing was recorded; so it is on a day of which trades are missing. Then all of
 * the wallet's trades at the venue are a better witness, but for wallets that a list shows: what is
 * said of those has one source, so that a list and a single answer never contradict each other.
 */
function isBoardsWord({ rating, unseen }: StoredRating, board: Board | null, config: RatingConfig): boolean {
  if (board === null) return false;
  const sawAll =
    (unseen?.gap ?? null) === null && seesWholeWindow(board.tapeStartS, ratingWindows(board.asOfS, config).fromS);
  return sawAll || board.leaderboard.includes(rating.wallet) || board.redList.includes(rating.wallet);
}

function toStanding(stored: StoredRating, board: Board | null = null): Standing {
  const kind = stored.rating.verdict === 'NO_COVERAGE' ? 'no_coverage' : 'rated';
  return { kind, stored, tapeStartS: board?.tapeStartS ?? null };
}
