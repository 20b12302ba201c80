import type { Rating, RatingVerdict } from '#domain/rating/rating';
import type { RatingConfig } from '#domain/rating/rating-config';
import { chooseLeaderboard, chooseRedList } from '#domain/rating/rating-lists';
import type { Board } from '#ports/ratings-store';

/**
 * What a board says of all wallets, gathered batch by batch: a list of the best of a batch and of the best so far is the list of the
 * best of all, so that no more ratings are held than a batch and the lists.
 */
export class BoardDraft {
  readonly #config: RatingConfig;
  readonly #counts: Record<RatingVerdict, number> = { COPY: 0, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
  #leaderboard: readonly Rating[] = [];
  #redList: readonly Rating[] = [];
  #seen = 0;

  constructor(config: RatingConfig) {
    this.#config = config;
  }

  add(ratings: readonly Rating[]): void {
    for (const { verdict } of ratings) this.#counts[verdict]++;
    this.#seen += ratings.length;
    this.#leaderboard = chooseLeaderboard([...this.#leaderboard, ...ratings], this.#config);
    this.#redList = chooseRedList([...this.#redList, ...ratings], this.#config);
  }

  lists(): Pick<Board, 'walletsSeen' | 'walletsByVerdict' | 'leaderboard' | 'redList'> {
    return {
      walletsSeen: this.#seen,
      walletsByVerdict: { ...this.#counts },
      leaderboard: this.#leaderboard.map(({ wallet }) => wallet),
      redList: this.#redList.map(({ wallet }) => wallet),
    };
  }
}
