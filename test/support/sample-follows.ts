import type { FollowedBoard, FollowResult } from '#domain/follow-up/followed-board';
import { walletNumber } from '#test/contract/store.contract';
import { AS_OF_S } from './sample-ratings.js';

/** A board that is followed, and of which nothing was counted. */
export function followedBoard(changes: Partial<FollowedBoard> = {}): FollowedBoard {
  return {
    asOfS: AS_OF_S,
    run: 7,
    computedAtMs: AS_OF_S * 1e3 + 12_000_345,
    config: 'c0ffee00c0ffee00',
    copies: 3,
    placeboCopies: 2,
    wallets: [walletNumber(1), walletNumber(2)],
    result: null,
    ...changes,
  };
}

/** What became of such a board: a part of it before the next one. */
export function followResult(changes: Partial<FollowResult> = {}): FollowResult {
  return {
    knownS: AS_OF_S + 5 * 86_400,
    unseenS: 7_200,
    isFinal: false,
    ...{ entries: 50, resolved: 40, events: 20, roi: -0.0421, low: -0.2, high: 0.1158 },
    ...{ walletsResolved: 2, walletsInProfit: 1 },
    own: {
      entries: 4,
      byWallet: [
        { wallet: 0, returnFeeNano: -1_000_000_000 },
        { wallet: 1, returnFeeNano: 250_000_000 },
      ],
      byGroup: [
        { group: 3, scored: 1, returnFeeNano: -1_000_000_000 },
        { group: 60, scored: 2, returnFeeNano: 250_000_000 },
      ],
    },
    ...changes,
  };
}
