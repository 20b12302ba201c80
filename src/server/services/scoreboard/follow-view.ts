import type { FollowUp } from '#api/follow-up';
import type { FollowStore } from '#ports/follow-store';
import type { Log } from '#ports/log';
import { keptBoards } from '../ratings/kept-boards.js';
import { toFollowUp } from './follow-report.js';

export interface FollowViewDeps {
  readonly follows: Pick<FollowStore, 'list'>;
  readonly log: Log;
}

/** What is shown of the boards that are followed; every process shows what the store has. */
export class FollowView {
  readonly #deps: FollowViewDeps;
  #report: FollowUp = toFollowUp([]);

  constructor(deps: FollowViewDeps) {
    this.#deps = deps;
  }

  /** The same object until it is read again. */
  get report(): FollowUp {
    return this.#report;
  }

  /** Reads what the store has. Rejects where it cannot be read; then all is as before. */
  async refresh(): Promise<void> {
    const { boards, faults } = await keptBoards(this.#deps.follows);
    for (const err of faults) this.#deps.log.warn({ err }, 'a followed board cannot be read; it is not shown');
    this.#report = toFollowUp(boards);
  }
}
