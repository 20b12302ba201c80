import { FOLLOWED_WALLETS_MAX, type FollowedBoard, isFollowed } from '#domain/follow-up/followed-board';
import type { Rating, RatingVerdict } from '#domain/rating/rating';
import type { RatingConfig } from '#domain/rating/rating-config';
import { chooseCopies, chooseLeaderboard, chooseRedList } from '#domain/rating/rating-lists';
import type { RatingSums } from '#domain/rating/rating-sums';
import { type EdgePrior, fitEdgePrior } from '#domain/rating/strength/edge-prior';
import { EdgeTally } from '#domain/rating/strength/edge-tally';
import type { Board } from '#ports/ratings-store';

/**
 * What a board says of all wallets, gathered batch by batch: a list of the best of a batch and of
 * the best so far is the list of the best of all, so that no more ratings are held than a batch and
 * the lists.
 */
export class BoardDraft {
  readonly #config: RatingConfig;
  readonly #counts: Record<RatingVerdict, number> = { COPY: 0, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
  #leaderboard: readonly Rating[] = [];
  #redList: readonly Rating[] = [];
  #copies: readonly Rating[] = [];
  #seen = 0;
  readonly #edges: EdgeTally;

  constructor(config: RatingConfig) {
    this.#config = config;
    this.#edges = new EdgeTally(config);
  }

  /** Returns how the edges of all wallets so far are spread; null if they are too few. */
  edgePrior(): EdgePrior | null {
    return fitEdgePrior(this.#edges.cells());
  }

  /** Ratings with the sums that they were made of, in the same order. */
  add(ratings: readonly Rating[], sums: readonly RatingSums[]): void {
    for (const { verdict } of ratings) this.#counts[verdict]++;
    for (const { window } of sums) this.#edges.add(window);
    this.#seen += ratings.length;
    this.#leaderboard = chooseLeaderboard([...this.#leaderboard, ...ratings], this.#config);
    this.#redList = chooseRedList([...this.#redList, ...ratings], this.#config);
    this.#copies = chooseCopies([...this.#copies, ...ratings], FOLLOWED_WALLETS_MAX);
  }

  /** Ratings of the wallets that the lists show. */
  listed(): readonly Rating[] {
    return [...this.#leaderboard, ...this.#redList];
  }

  /** Returns what is kept of a board to follow its COPY wallets; null: it is too late for that. */
  followed({ asOfS, run, computedAtMs, config, placeboCopies }: Board): FollowedBoard | null {
    const about = { asOfS, run, computedAtMs, config, copies: this.#counts.COPY, placeboCopies };
    const wallets = this.#copies.map(({ wallet }) => wallet);
    return isFollowed(about) ? { ...about, wallets, result: null } : null;
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
