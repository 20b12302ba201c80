import type { OutsideError } from '#domain/errors';
import type { FollowedBoard } from '#domain/follow-up/followed-board';
import type { FollowStore } from '#ports/follow-store';
import { pagesOf } from '../integrity/pages.js';

/** Boards that are read at once. */
const PAGE = 50;

export interface KeptBoards {
  /** The oldest first. */
  readonly boards: readonly FollowedBoard[];
  /** Of rows that cannot be read; they do not hide the others. */
  readonly faults: readonly OutsideError[];
}

/** Returns all boards that are followed; the store keeps a bounded number of them. */
export async function keptBoards(follows: Pick<FollowStore, 'list'>): Promise<KeptBoards> {
  const boards: FollowedBoard[] = [];
  const faults: OutsideError[] = [];
  for await (const page of pagesOf((from, limit) => follows.list(from, Math.min(limit, PAGE)))) {
    boards.push(...page.items);
    faults.push(...page.faults);
  }
  return { boards, faults };
}
