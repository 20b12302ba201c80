import type { Ladder } from '#domain/book/ladder';
import { formatScaled } from '#domain/decimal';
import type { Side } from '#domain/market';
import { divideRounded, NOTIONAL_PER_CENT } from '#domain/money';
import type { LiveBook } from '../book/live-book.js';
import { grouped } from './grouped.js';
import type { Judged, Taken } from './judge.js';

export type Mark = 'best' | 'VWAP' | 'worst' | 'safe size' | 'exit';

/** One level as it is drawn. */
export interface LadderRow {
  readonly price: string;
  /** In shares. */
  readonly size: string;
  /** What stands from the best price to here, in USD. */
  readonly cumulativeUsd: string;
  /** 0 to 1 of the largest that is drawn. */
  readonly sizePart: number;
  /** Part of the level that the order, or the way out of it, takes: 0 to 1. */
  readonly taken: number;
  readonly marks: readonly Mark[];
}

/** What lies behind the levels that are drawn; null: nothing does. */
export interface LadderRest {
  readonly levels: number;
  readonly toPrice: string;
  readonly cumulativeUsd: string;
  /** How many of these levels the order takes, the last one maybe in part. */
  readonly takenLevels: number;
  readonly marks: readonly Mark[];
}

/** One side, best first: as many rows as it has levels, up to `LADDER_ROWS`. */
export interface LadderSide {
  readonly rows: readonly LadderRow[];
  readonly rest: LadderRest | null;
}

export interface LadderView {
  readonly asks: LadderSide;
  readonly bids: LadderSide;
  /** In cents; null if a side is empty. */
  readonly spreadCents: string | null;
}

/** Levels of a side that are drawn one by one. */
export const LADDER_ROWS = 10;

const NOTHING: Taken = { fullLevels: 0, lastPart: 0, worstTicks: null };

/**
 * Returns the book as it is drawn, with what the order takes of one side, and what selling or
 * buying back at once would take of the other. `judged` null: the order cannot be judged.
 */
export function ladderView({ bids, asks }: LiveBook['sides'], side: Side, judged: Judged | null): LadderView {
  const decimals = Math.max(decimalsOf(bids), decimalsOf(asks));
  const scale = { largest: Math.max(largestOf(bids), largestOf(asks)), decimals };
  const [bid, ask] = [bids.bestTicks, asks.bestTicks];
  const walked = (ladder: Ladder, walks: Side) =>
    sideView(ladder, scale, side === walks ? entryOf(ladder, judged) : exitOf(judged));
  return {
    asks: walked(asks, 'BUY'),
    bids: walked(bids, 'SELL'),
    spreadCents: bid === null || ask === null ? null : spreadText(ask - bid),
  };
}

interface Scale {
  readonly largest: number;
  readonly decimals: number;
}

/** What is taken of a side, and what is marked at its levels. */
interface Walked {
  readonly taken: Taken;
  readonly marks: ReadonlyMap<number, readonly Mark[]>;
}

function entryOf(ladder: Ladder, judged: Judged | null): Walked {
  return { taken: judged?.taken ?? NOTHING, marks: marksOf(ladder, judged) };
}

function exitOf(judged: Judged | null): Walked {
  const taken = judged?.exit?.taken;
  return taken === undefined
    ? { taken: NOTHING, marks: new Map() }
    : { taken, marks: new Map([[lastDepth(taken), ['exit']]]) };
}

function sideView(ladder: Ladder, { largest, decimals }: Scale, { taken, marks }: Walked): LadderSide {
  const sums = cumulative(ladder);
  const rows = Array.from({ length: Math.min(ladder.length, LADDER_ROWS) }, (_, depth) => ({
    price: priceText(ladder.ticksAt(depth), decimals),
    size: grouped(formatScaled(ladder.sizeAt(depth), 6)),
    cumulativeUsd: usdText(sums[depth]!),
    sizePart: ladder.sizeAt(depth) / largest,
    taken: takenAt(taken, depth),
    marks: marks.get(depth) ?? [],
  }));
  return { rows, rest: restOf(ladder, taken, marks, sums, decimals) };
}

function restOf(
  ladder: Ladder,
  { fullLevels, lastPart }: Taken,
  marks: ReadonlyMap<number, readonly Mark[]>,
  sums: readonly bigint[],
  decimals: number,
): LadderRest | null {
  if (ladder.length <= LADDER_ROWS) return null;
  const found = [...marks].filter(([depth]) => depth >= LADDER_ROWS).flatMap(([, names]) => names);
  return {
    levels: ladder.length - LADDER_ROWS,
    toPrice: priceText(ladder.ticksAt(ladder.length - 1), decimals),
    cumulativeUsd: usdText(sums.at(-1)!),
    takenLevels: Math.max(0, fullLevels + (lastPart > 0 ? 1 : 0) - LADDER_ROWS),
    marks: found,
  };
}

function takenAt({ fullLevels, lastPart }: Taken, depth: number): number {
  if (depth < fullLevels) return 1;
  return depth === fullLevels ? lastPart : 0;
}

/**
 * By level: what is marked there. VWAP lies between levels: it is marked at the first that is not
 * better.
 */
function marksOf(ladder: Ladder, judged: Judged | null): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, Mark[]>();
  const mark = (depth: number, name: Mark) => marks.set(depth, [...(marks.get(depth) ?? []), name]);
  if (ladder.length === 0 || judged === null) return marks;
  mark(0, 'best');
  const { taken, safeTaken, body } = judged;
  if (taken.worstTicks !== null) {
    mark(vwapDepth(ladder, body.numbers.expected_vwap, lastDepth(taken)), 'VWAP');
    mark(lastDepth(taken), 'worst');
  }
  if (safeTaken !== null) mark(lastDepth(safeTaken), 'safe size');
  return marks;
}

function vwapDepth(ladder: Ladder, vwap: number, last: number): number {
  const beyond = (ticks: number) => (ladder.kind === 'asks' ? ticks >= vwap * 1e4 : ticks <= vwap * 1e4);
  let depth = 0;
  while (depth < last && !beyond(ladder.ticksAt(depth))) depth++;
  return depth;
}

function lastDepth({ fullLevels, lastPart }: Taken): number {
  return Math.max(0, lastPart > 0 ? fullLevels : fullLevels - 1);
}

/** Notional from the best price to each level. */
function cumulative(ladder: Ladder): readonly bigint[] {
  let sum = 0n;
  return Array.from({ length: ladder.length }, (_, depth) => {
    sum += BigInt(ladder.ticksAt(depth)) * BigInt(ladder.sizeAt(depth));
    return sum;
  });
}

function largestOf(ladder: Ladder): number {
  let largest = 1;
  for (let depth = 0; depth < Math.min(ladder.length, LADDER_ROWS); depth++) {
    largest = Math.max(largest, ladder.sizeAt(depth));
  }
  return largest;
}

/** As many places as the finest price near the best needs, at least two. */
function decimalsOf(ladder: Ladder): number {
  let decimals = 2;
  for (let depth = 0; depth < Math.min(ladder.length, LADDER_ROWS); depth++) {
    const ticks = ladder.ticksAt(depth);
    if (ticks % 10 !== 0) return 4;
    if (ticks % 100 !== 0) decimals = 3;
  }
  return decimals;
}

function priceText(ticks: number, decimals: number): string {
  const [whole, part = ''] = formatScaled(ticks, 4).split('.');
  return `${whole}.${part.padEnd(decimals, '0')}`;
}

/** One tick is a hundredth of a cent. */
function spreadText(ticks: number): string {
  return ticks < 0 ? `-${formatScaled(-ticks, 2)}` : formatScaled(ticks, 2);
}

function usdText(notional: bigint): string {
  const cents = divideRounded(notional, BigInt(NOTIONAL_PER_CENT)).toString().padStart(3, '0');
  return `${grouped(cents.slice(0, -2))}.${cents.slice(-2)}`;
}
