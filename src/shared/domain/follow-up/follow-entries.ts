import type { TapeWallet } from '../ids.js';
import { type ClusteredMean, clusteredMean } from '../rating/clustered-mean.js';
import { groupOf } from '../scoreboard/score-day.js';
import { DAY_S } from '../time.js';
import {
  AWAITED_DAYS,
  type CopierCounts,
  FOLLOWED_DAYS,
  type FollowedBoard,
  type FollowResult,
  followedToS,
  type GroupedCounts,
} from './followed-board.js';

/** The first entries of a wallet in one event that were made on one day, by the leaderboard's filter. */
export interface FollowedEntries {
  readonly event: string;
  /** Midnight UTC, when the day begins. */
  readonly dayS: number;
  readonly entries: number;
  readonly scored: number;
  readonly returnFeeNano: number;
}

/** What is known when a board is followed up. */
export interface FollowUpView {
  readonly entriesOf: ReadonlyMap<TapeWallet, readonly FollowedEntries[]>;
  readonly knownS: number;
  /** When the next board was there; null: this is the newest one. */
  readonly nextAsOfS: number | null;
  /** Seconds up to `followedToS` of which the tape does not hold all trades. */
  readonly unseenS: number;
  readonly intervalZ: number;
}

/**
 * Returns what became of the COPY wallets of a board. Entries of before its moment are no part of
 * it, whatever is handed in: the rating knew them.
 */
export function followUp(board: FollowedBoard, view: FollowUpView): FollowResult {
  const { knownS, unseenS, intervalZ } = view;
  const toS = followedToS(board, knownS);
  const ownToS = Math.min(view.nextAsOfS ?? toS, toS);
  const all = new Tally();
  const own = new Tally();
  for (const [number, wallet] of board.wallets.entries()) {
    for (const entries of view.entriesOf.get(wallet) ?? []) {
      if (entries.dayS < board.asOfS || entries.dayS >= toS) continue;
      all.add(number, entries);
      if (entries.dayS < ownToS) own.add(number, entries);
    }
  }
  const counts = all.counts(intervalZ);
  const returns = [...all.byWallet.values()];
  const isOver = toS === board.asOfS + FOLLOWED_DAYS * DAY_S;
  const isComplete = isOver && unseenS === 0 && counts.resolved === counts.entries;
  return {
    ...counts,
    ...{ knownS, unseenS },
    isFinal: isComplete || knownS >= board.asOfS + (FOLLOWED_DAYS + AWAITED_DAYS) * DAY_S,
    walletsResolved: returns.length,
    walletsInProfit: returns.filter((returnFeeNano) => returnFeeNano > 0).length,
    own: own.grouped(),
  };
}

/** Whether new counts of a board take the place of those before: they know no less. */
export function knowsMore(board: FollowedBoard, next: FollowResult): boolean {
  const { result } = board;
  if (result === null) return true;
  const seenS = ({ knownS, unseenS }: FollowResult) => followedToS(board, knownS) - board.asOfS - unseenS;
  return !result.isFinal && next.knownS >= result.knownS && seenS(next) >= seenS(result);
}

/** Sums of entries while they come in. */
class Tally {
  readonly byWallet = new Map<number, number>();
  readonly #events = new Map<string, { scored: number; returnFeeNano: number }>();
  #entries = 0;

  add(wallet: number, { event, entries, scored, returnFeeNano }: FollowedEntries): void {
    this.#entries += entries;
    if (scored === 0) return;
    this.byWallet.set(wallet, (this.byWallet.get(wallet) ?? 0) + returnFeeNano);
    const sums = this.#events.get(event) ?? { scored: 0, returnFeeNano: 0 };
    this.#events.set(event, {
      scored: sums.scored + scored,
      returnFeeNano: sums.returnFeeNano + returnFeeNano,
    });
  }

  counts(intervalZ: number): CopierCounts {
    return toCounts(this.#entries, clusteredMean([...this.#events.values()], intervalZ));
  }

  grouped(): GroupedCounts {
    const groups = new Map<number, { scored: number; returnFeeNano: number }>();
    for (const [event, { scored, returnFeeNano }] of this.#events) {
      const group = groupOf(event);
      const sums = groups.get(group) ?? { scored: 0, returnFeeNano: 0 };
      groups.set(group, {
        scored: sums.scored + scored,
        returnFeeNano: sums.returnFeeNano + returnFeeNano,
      });
    }
    return {
      entries: this.#entries,
      byWallet: [...this.byWallet].map(([wallet, returnFeeNano]) => ({ wallet, returnFeeNano })),
      byGroup: [...groups].map(([group, sums]) => ({ group, ...sums })).toSorted((a, b) => a.group - b.group),
    };
  }
}

/** Returns the counts of entries of which this is the mean. */
export function toCounts(entries: number, mean: ClusteredMean): CopierCounts {
  const { entries: resolved, events, roi, low, high } = mean;
  return { entries, resolved, events, roi, low, high };
}
