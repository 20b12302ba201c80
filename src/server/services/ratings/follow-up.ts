import { type FollowedEntries, followUp, knowsMore } from '#domain/follow-up/follow-entries';
import { FOLLOWED_BOARDS_DAYS, type FollowedBoard, followedToS } from '#domain/follow-up/followed-board';
import type { TapeWallet } from '#domain/ids';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { SecondsSpan } from '#domain/rating/unseen';
import { DAY_S } from '#domain/time';
import { mergeSpans, type Span } from '#domain/time-spans';
import type { FollowStore } from '#ports/follow-store';
import type { JobHold } from '#ports/job-leases';
import type { Log } from '#ports/log';
import type { OutcomeSums, Tape, TapeProgress } from '#ports/tape';
import { keptBoards } from './kept-boards.js';

/** Days of entries that are held in memory at once, some 100 bytes each. */
const ROWS_MAX = 1_000_000;

export interface FollowUpDeps {
  readonly follows: FollowStore;
  readonly tape: Pick<Tape, 'outcomes' | 'status'>;
  /** Stretches of time of which trades are known to be missing from the tape. */
  readonly gapsOf: (span: SecondsSpan) => Promise<readonly SecondsSpan[]>;
  readonly config: RatingConfig;
  readonly log: Log;
}

export interface FollowUpOrder {
  /** Results are those that were known at this moment, the one of the newest board. */
  readonly knownS: number;
  readonly hold: JobHold;
  readonly progress?: TapeProgress;
  readonly signal?: AbortSignal;
}

/**
 * Counts for each kept board what copying its COPY wallets has come to by now, in one pass over the
 * tape, and removes the boards that are too old. The wallets are those that were kept when the board
 * came into force; what is counted begins at its moment. Rejects with the OutsideError of tape or
 * store; what was counted until then is stored.
 */
export async function followUpBoards(deps: FollowUpDeps, order: FollowUpOrder): Promise<void> {
  const { knownS, hold, signal } = order;
  const { follows, config, log } = deps;
  await follows.trim(knownS - FOLLOWED_BOARDS_DAYS * DAY_S);
  const { boards, faults } = await keptBoards(follows);
  for (const err of faults) log.error({ err }, 'a followed board cannot be read; it is not followed up');
  const open = boards.filter(({ asOfS, wallets, result }) => {
    return asOfS < knownS && result?.isFinal !== true && wallets.length > 0;
  });
  if (open.length === 0) return;
  const entriesOf = await entriesAfter(deps, open, order);
  const unseen = await unseenAfter(deps, open, knownS);
  for (const board of open) {
    signal?.throwIfAborted();
    const nextAsOfS = boards.find(({ asOfS }) => asOfS > board.asOfS)?.asOfS ?? null;
    const unseenS = unseenSecondsOf(board, unseen, knownS);
    const view = { entriesOf, knownS, nextAsOfS, unseenS, intervalZ: config.intervalZ };
    const result = followUp(board, view);
    if (knowsMore(board, result)) await follows.putResult(board.asOfS, result, hold);
  }
}

/** Returns the entries of all followed wallets after the oldest moment, by wallet. */
async function entriesAfter(
  { tape, config }: FollowUpDeps,
  boards: readonly FollowedBoard[],
  { knownS, progress, signal }: FollowUpOrder,
): Promise<ReadonlyMap<TapeWallet, readonly FollowedEntries[]>> {
  const entriesOf = new Map<TapeWallet, FollowedEntries[]>();
  for (const { wallets } of boards) for (const wallet of wallets) entriesOf.set(wallet, []);
  const span = { fromS: oldestOf(boards), toS: knownS, knownS, wallets: [...entriesOf.keys()] };
  let rows = 0;
  for await (const batch of tape.outcomes(span, config, progress)) {
    signal?.throwIfAborted();
    for (const sums of batch) {
      if (sums.filtered.entries === 0) continue;
      const entries = entriesOf.get(sums.wallet);
      if (entries === undefined) continue;
      if (++rows > ROWS_MAX) throw new Error(`followed wallets have entries in more than ${ROWS_MAX} events and days`);
      entries.push(toEntries(sums));
    }
  }
  return entriesOf;
}

function toEntries({ event, dayS, filtered }: OutcomeSums): FollowedEntries {
  return { event, dayS, ...filtered };
}

/** Returns the stretches of time from the oldest moment on that the tape does not show whole. */
async function unseenAfter(
  { tape, gapsOf }: FollowUpDeps,
  boards: readonly FollowedBoard[],
  knownS: number,
): Promise<readonly Span[]> {
  const span = { fromS: oldestOf(boards), toS: knownS - 1 };
  const { firstFillS, lastFillS } = await tape.status();
  if (firstFillS === null || lastFillS === null) return [{ from: span.fromS, to: span.toS }];
  const gaps = (await gapsOf(span)).map(({ fromS, toS }) => ({ from: fromS, to: toS }));
  return [...gaps, { from: span.fromS, to: firstFillS - 1 }, { from: lastFillS + 1, to: span.toS }];
}

/** Returns how many seconds of the followed entries are among those that were not seen. */
function unseenSecondsOf(board: FollowedBoard, unseen: readonly Span[], knownS: number): number {
  const toS = followedToS(board, knownS) - 1;
  const own = unseen.map(({ from, to }) => ({ from: Math.max(from, board.asOfS), to: Math.min(to, toS) }));
  return mergeSpans(own).reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

function oldestOf(boards: readonly FollowedBoard[]): number {
  return Math.min(...boards.map(({ asOfS }) => asOfS));
}
