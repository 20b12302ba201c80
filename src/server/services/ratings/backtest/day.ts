import { z } from 'zod';
import type { TapeWallet } from '#domain/ids';
import type { RatingVerdict } from '#domain/rating/rating';
import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { seenWindow } from '#domain/rating/seen-window';
import type { SecondsSpan } from '#domain/rating/unseen';
import { isoDay } from '#domain/time';
import type { OutcomeSums, Tape, TapeProgress } from '#ports/tape';
import { PLACEBO_SEED } from '../placebo-seed.js';
import { rateSeen, type View } from '../rate-seen.js';
import { GROUPS, type GroupBits, groupsOf, PLACEBO_BIT } from './groups.js';

/** What following one group from one date to the next brought. */
const GroupSchema = z.object({
  wallets: z.number(),
  /** Every first entry that a copier mirrors. */
  all: z.object({ entries: z.number(), scored: z.number(), returnFeeNano: z.number() }),
  /**
   * After the leaderboard filter: entries, and of each event its scored ones with the sum of their
   * returns, in nano.
   */
  entries: z.number(),
  events: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

/** One date of a backtest, as it is kept. */
export const DaySchema = z.object({
  /** Of the tape and the rules that it was made with. */
  fingerprint: z.string(),
  asOfS: z.number(),
  /** Entries before this one were followed. */
  toS: z.number(),
  /** To the next date. */
  everyS: z.number(),
  tapeStartS: z.number(),
  verdicts: z.object({ COPY: z.number(), WATCH: z.number(), VETO: z.number(), NO_COVERAGE: z.number() }),
  placeboCopies: z.number(),
  copies: z.array(z.string()),
  groups: z.array(GroupSchema),
});

export type BacktestDay = z.infer<typeof DaySchema>;
type GroupResult = z.infer<typeof GroupSchema>;

export interface DayDeps {
  readonly tape: Pick<Tape, 'rateAll' | 'outcomes'>;
  readonly config: RatingConfig;
}

export interface DaySpan {
  readonly asOfS: number;
  /** Until the next date entries are followed. */
  readonly everyS: number;
  /** Results after this one are not known yet. */
  readonly knownS: number;
  /** Of the oldest fill of the tape. */
  readonly firstFillS: number;
  readonly gaps: readonly SecondsSpan[];
}

/**
 * Rates the tape as it would have been rated at a date, then looks at what became of the entries
 * that followed. The two meet in nothing but the names of the wallets.
 */
export async function playDay(
  deps: DayDeps,
  span: DaySpan,
  progress: TapeProgress,
): Promise<Omit<BacktestDay, 'fingerprint'>> {
  const { config, tape } = deps;
  const windows = ratingWindows(span.asOfS, config);
  const view: View = { windows, seen: seenWindow(span.firstFillS, span.gaps, windows) };
  const verdicts: Record<RatingVerdict, number> = { COPY: 0, WATCH: 0, VETO: 0, NO_COVERAGE: 0 };
  const picks = new Map<TapeWallet, GroupBits>();
  const copies: TapeWallet[] = [];
  for await (const batch of tape.rateAll(span.asOfS, config, { progress })) {
    for (const sums of batch) {
      assertPast(sums.lastTradeS, span.asOfS);
      const { rating } = rateSeen(sums, view, config);
      verdicts[rating.verdict]++;
      if (rating.verdict === 'COPY') copies.push(sums.wallet);
      const groups = groupsOf(rating, sums);
      if (groups !== 0) picks.set(sums.wallet, groups);
    }
  }
  const placeboCopies = await addPlacebo(deps, view, picks, progress);
  const groups = await follow(deps, span, picks, progress);
  const { asOfS, everyS } = span;
  const facts = { asOfS, toS: endOf(span), everyS, tapeStartS: view.seen.startS };
  return { ...facts, verdicts, placeboCopies, copies, groups };
}

/** What is after the last known result cannot be followed. */
function endOf({ asOfS, everyS, knownS }: DaySpan): number {
  return Math.min(asOfS + everyS, knownS);
}

/**
 * A rating that has seen a trade of after its moment is none, and neither is a backtest that is
 * made of such.
 */
function assertPast(lastTradeS: number | null, asOfS: number): void {
  if (lastTradeS === null || lastTradeS < asOfS) return;
  throw new Error(
    `the rating of ${isoDay(asOfS)} has seen a trade of ${isoDay(lastTradeS)}: this backtest is worth nothing`,
  );
}

async function addPlacebo(
  { tape, config }: DayDeps,
  view: View,
  picks: Map<TapeWallet, GroupBits>,
  progress: TapeProgress,
): Promise<number> {
  let copies = 0;
  for await (const batch of tape.rateAll(view.windows.asOfS, config, { placeboSeed: PLACEBO_SEED, progress })) {
    for (const sums of batch) {
      if (rateSeen(sums, view, config).rating.verdict !== 'COPY') continue;
      copies++;
      picks.set(sums.wallet, (picks.get(sums.wallet) ?? 0) | PLACEBO_BIT);
    }
  }
  return copies;
}

async function follow(
  { tape, config }: DayDeps,
  span: DaySpan,
  picks: ReadonlyMap<TapeWallet, GroupBits>,
  progress: TapeProgress,
): Promise<GroupResult[]> {
  const followedSpan = { fromS: span.asOfS, toS: endOf(span), knownS: span.knownS };
  const followed = GROUPS.map(() => new FollowedGroup());
  for (const bits of picks.values()) forEachGroup(bits, (group) => followed[group]!.wallets++);
  for await (const batch of tape.outcomes(followedSpan, config, progress)) {
    for (const sums of batch) forEachGroup(picks.get(sums.wallet) ?? 0, (group) => followed[group]!.add(sums));
  }
  return followed.map((group) => group.result());
}

function forEachGroup(bits: GroupBits, work: (group: number) => void): void {
  for (let group = 0; group < GROUPS.length; group++) if ((bits >> group) & 1) work(group);
}

/** Sums of the entries of a group while they come in. */
class FollowedGroup {
  wallets = 0;
  readonly #all = { entries: 0, scored: 0, returnFeeNano: 0 };
  #entries = 0;
  readonly #events = new Map<string, [scored: number, returnFeeNano: number]>();

  add({ event, all, filtered }: OutcomeSums): void {
    this.#all.entries += all.entries;
    this.#all.scored += all.scored;
    this.#all.returnFeeNano += all.returnFeeNano;
    this.#entries += filtered.entries;
    if (filtered.scored === 0) return;
    const [scored, returnFeeNano] = this.#events.get(event) ?? [0, 0];
    this.#events.set(event, [scored + filtered.scored, returnFeeNano + filtered.returnFeeNano]);
  }

  result(): GroupResult {
    const events = [...this.#events].map(([event, sums]): [string, number, number] => [event, ...sums]);
    return { wallets: this.wallets, all: this.#all, entries: this.#entries, events };
  }
}
