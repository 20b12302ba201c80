import type { TapeWallet } from '../ids.js';
import { clusteredMean, type EventReturns } from '../rating/clustered-mean.js';
import { toCounts } from './follow-entries.js';
import type { CopierCounts, FollowedBoard } from './followed-board.js';

/**
 * What somebody made who copied, at each moment, the COPY wallets of the newest board. `events` are
 * groups of events.
 */
export interface FollowTotal extends CopierCounts {
  readonly boards: number;
  /** Different wallets that were followed. */
  readonly wallets: number;
  readonly walletsResolved: number;
  readonly walletsInProfit: number;
}

/**
 * Returns all boards together. An entry is in the counts of one board, the newest at its moment, so
 * that a wallet that is COPY on thirty boards in a row is one wallet, and each of its entries one.
 */
export function followTotal(boards: readonly FollowedBoard[], intervalZ: number): FollowTotal {
  const groups = new Map<number, EventReturns>();
  const returns = new Map<TapeWallet, number>();
  const wallets = new Set<TapeWallet>();
  let entries = 0;
  for (const { wallets: own, result } of boards) {
    for (const wallet of own) wallets.add(wallet);
    if (result === null) continue;
    entries += result.own.entries;
    for (const { group, scored, returnFeeNano } of result.own.byGroup) {
      const sums = groups.get(group) ?? { scored: 0, returnFeeNano: 0 };
      groups.set(group, { scored: sums.scored + scored, returnFeeNano: sums.returnFeeNano + returnFeeNano });
    }
    for (const { wallet, returnFeeNano } of result.own.byWallet) {
      const name = own[wallet];
      if (name !== undefined) returns.set(name, (returns.get(name) ?? 0) + returnFeeNano);
    }
  }
  return {
    ...toCounts(entries, clusteredMean([...groups.values()], intervalZ)),
    boards: boards.filter(({ result }) => result !== null).length,
    wallets: wallets.size,
    walletsResolved: returns.size,
    walletsInProfit: [...returns.values()].filter((returnFeeNano) => returnFeeNano > 0).length,
  };
}
