import { z } from 'zod';
import { OutsideError } from '#domain/errors';
import { continueNumbers, endOf } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import { reachedOf } from '#domain/rating/page-reach';
import { mergeSpans, type Span } from '#domain/time-spans';
import type { Tape } from '#ports/tape';
import type { TradePage } from '#ports/trade-source';

/**
 * A walk from the newest trades of a source back in time, page by page, into the tape. It is kept
 * in the tape after every page, so that it goes on where it stood, whatever happened in between.
 * JSON.
 */
export const TradeWalkSchema = z.object({
  /**
   * Its number among the walks of its job; with the page it names the segments, so that a repeated
   * page replaces itself.
   */
  id: z.number(),
  /** Trades of these seconds are wanted, both inclusive. */
  fromS: z.number(),
  toS: z.number(),
  /**
   * Trades up to here were all in the feed when the walk began: a trade appears some time after it
   * was made.
   */
  settledS: z.number(),
  cursor: z.string().nullable(),
  pages: z.number(),
  /**
   * How far back its last page with trades goes: the second oldest of its rows, because one may have
   * a wrong time. null: no page had any.
   */
  reachedS: z.number().nullable(),
  fills: z.number(),
  skipped: z.number(),
  /** Seconds, both inclusive, of pages with rows that may be trades and could not be read. */
  lost: z.array(z.object({ from: z.number(), to: z.number() })).default([]),
  /** Where its last page ended; null: before the first. */
  end: z
    .object({ of: z.string(), counts: z.array(z.tuple([z.number(), z.number()])) })
    .nullable()
    .default(null),
  /** Where such pages began, of which no second could be read since; null: nowhere. */
  lostFromAboveS: z.number().nullable().default(null),
  /**
   * Where its last page began if that has rows of before `fromS`; null: it has none. If the next
   * one is not older as a whole, these have wrong times.
   */
  strayedFromS: z.number().nullable().default(null),
  /**
   * OPEN: there is more. REACHED: everything back to `fromS`. ENDED: the source has nothing older.
   */
  state: z.enum(['OPEN', 'REACHED', 'ENDED']),
});
export type TradeWalk = z.infer<typeof TradeWalkSchema>;

export interface TradeWalkDeps {
  readonly tape: Pick<Tape, 'addFills' | 'addRows'>;
  readonly fetchPage: (cursor: string | null) => Promise<TradePage>;
  /** Keeps the walk after each page. */
  readonly save: (walk: TradeWalk) => Promise<void>;
  /** Fills that need not be added once more. */
  readonly isStored?: ((fill: Fill) => boolean) | undefined;
  /** After they were added and the walk was kept. */
  readonly onAdded?: ((fills: readonly Fill[]) => void) | undefined;
}

export interface TradeWalkLimits {
  /** Pages of this call; then the walk is still OPEN. */
  readonly pagesMax: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A source that brings nothing older for this many pages walks in a circle: no second has so many
 * trades.
 */
export const PAGES_WITHOUT_PROGRESS_MAX = 50;
/** Of one walk; beyond, the oldest are kept as one. */
const LOST_SPANS_MAX = 256;

/**
 * Goes on with a walk until it is through, has used up its pages or is stopped; returns how far it
 * came. Where the source does not take its cursor any more, the walk begins anew at the newest
 * trades; what is added twice counts once. Rejects with an OutsideError where the source fails or
 * makes no progress; the walk can then be gone on with later.
 */
export async function walkTrades(
  deps: TradeWalkDeps,
  segment: string,
  start: TradeWalk,
  { pagesMax, signal }: TradeWalkLimits,
): Promise<TradeWalk> {
  let walk = start;
  let furthestS = Number.POSITIVE_INFINITY;
  let idlePages = 0;
  for (let n = 0; n < pagesMax && walk.state === 'OPEN' && !signal?.aborted; n++) {
    const page = await fetchOrNull(deps, walk.cursor);
    if (page === null) {
      walk = { ...walk, cursor: null };
      continue;
    }
    // By its newest row: one with an ancient time would be further than any page after it.
    const pageS = page.fills.length === 0 ? Number.POSITIVE_INFINITY : newestOf(page.fills);
    idlePages = pageS < furthestS ? 0 : idlePages + 1;
    furthestS = Math.min(furthestS, pageS);
    walk = await keepPage(deps, segment, walk, page);
    if (walk.state === 'OPEN' && idlePages >= PAGES_WITHOUT_PROGRESS_MAX) throw circling(idlePages);
  }
  return walk;
}

/** null: the cursor is not taken (any more). */
async function fetchOrNull(deps: TradeWalkDeps, cursor: string | null): Promise<TradePage | null> {
  try {
    return await deps.fetchPage(cursor);
  } catch (error) {
    if (cursor !== null && error instanceof OutsideError && error.status === 400) return null;
    throw error;
  }
}

/**
 * First the fills, then the progress: a crash in between repeats the page under the same name, and
 * nothing is lost.
 */
async function keepPage(deps: TradeWalkDeps, segment: string, walk: TradeWalk, page: TradePage): Promise<TradeWalk> {
  const isWanted = (fill: Fill) => fill.timeS >= walk.fromS && fill.timeS <= walk.toS && deps.isStored?.(fill) !== true;
  const before = page.isSeamless === true ? walk.end : null;
  const listed = before === null ? page.fills : continueNumbers(page.fills, before);
  const end = endOf(listed, before);
  const fills = listed.filter(isWanted);
  if (fills.length > 0) {
    await deps.tape.addFills(`${segment}-${walk.id}-${walk.pages}`, fills);
  }
  if (page.names.length > 0) await deps.tape.addRows('names', page.names);
  const next: TradeWalk = {
    ...walk,
    ...lostAfter({ ...walk, lost: [...walk.lost, ...strayedBefore(walk, page)] }, page),
    strayedFromS: strayedFrom(walk, page),
    end: end === null ? null : { of: end.of, counts: end.counts.map(([print, count]) => [print, count]) },
    cursor: page.next,
    pages: walk.pages + 1,
    reachedS: reachedAfter(walk, page),
    fills: walk.fills + fills.length,
    skipped: walk.skipped + page.skipped,
    state: stateAfter(walk, page),
  };
  await deps.save(next);
  deps.onAdded?.(fills);
  return next;
}

/** A page of one row may be of a wrong time alone. */
function reachedAfter({ reachedS }: TradeWalk, { fills }: TradePage): number | null {
  return fills.length > 1 ? reachedOf(fills) : (reachedS ?? reachedOf(fills));
}

/**
 * The seconds that rows of the page before may be of, now that their times are known to be wrong:
 * what follows is newer, or nothing does and they are not older together.
 */
function strayedBefore(walk: TradeWalk, page: TradePage): readonly Span[] {
  const { fromS } = walk;
  const before = walk.strayedFromS;
  const newestS = newestOf(page.fills);
  const spans = before === null || newestS < fromS ? [] : [{ from: Math.min(newestS, before), to: before }];
  const last = strayedFrom(walk, page);
  const reachedS = reachedAfter(walk, page);
  const isUnproven = stateAfter(walk, page) === 'ENDED' && last !== null && reachedS !== null && reachedS >= fromS;
  return isUnproven ? [...spans, { from: Math.min(reachedS, last), to: last }] : spans;
}

function strayedFrom({ strayedFromS, fromS, toS }: TradeWalk, { fills }: TradePage): number | null {
  if (fills.length === 0) return strayedFromS;
  return oldestOf(fills) < fromS ? Math.min(toS, newestOf(fills)) : null;
}

/**
 * What a walk could not read: the seconds of rows of unknown kinds; and from the second that the
 * pages before had reached, down to the first that a page gives again, where other rows cannot be
 * read. What is held must not claim these seconds.
 */
function lostAfter(walk: TradeWalk, page: TradePage): Pick<TradeWalk, 'lost' | 'lostFromAboveS'> {
  const { lostFromAboveS, reachedS, toS, fromS } = walk;
  const { unknownS = [] } = page;
  const own = unknownS.filter((timeS) => timeS >= fromS && timeS <= toS).map((timeS) => ({ from: timeS, to: timeS }));
  const lost = own.length === 0 ? walk.lost : [...atMost(mergeSpans([...walk.lost, ...own]))];
  const unreadable = page.unreadable - unknownS.length;
  const aboveS = lostFromAboveS ?? (unreadable > 0 ? Math.max(reachedS ?? toS, newestOf(page.fills)) : null);
  if (aboveS === null) return { lost, lostFromAboveS };
  const isLast = stateAfter(walk, page) !== 'OPEN';
  if (page.fills.length === 0 && !isLast) return { lost, lostFromAboveS: aboveS };
  const isWhole = unreadable === 0 && page.fills.length > 0;
  const downToS = isWhole ? newestOf(page.fills) : isLast ? fromS : oldestOf(page.fills);
  const isStillLost = !isWhole && !isLast;
  const span = { from: Math.max(fromS, downToS), to: Math.min(toS, aboveS) };
  return { lost: [...atMost(mergeSpans([...lost, span]))], lostFromAboveS: isStillLost ? downToS : null };
}

/**
 * Pages are newest first, but a row may be out of order or have a wrong time: only a page that is
 * older as a whole proves that the rest is.
 */
function stateAfter({ fromS }: TradeWalk, { fills, next }: TradePage): TradeWalk['state'] {
  if (fills.length > 0 && newestOf(fills) < fromS) return 'REACHED';
  return next === null ? 'ENDED' : 'OPEN';
}

function oldestOf(fills: readonly Fill[]): number {
  return fills.reduce((least, { timeS }) => Math.min(least, timeS), Number.POSITIVE_INFINITY);
}

/** Never forgets a second: the oldest spans become one. */
function atMost(spans: readonly Span[]): readonly Span[] {
  if (spans.length <= LOST_SPANS_MAX) return spans;
  const oldest = spans.slice(LOST_SPANS_MAX - 1);
  return [...spans.slice(0, LOST_SPANS_MAX - 1), { from: oldest.at(-1)!.from, to: oldest[0]!.to }];
}

function newestOf(fills: readonly Fill[]): number {
  return fills.reduce((most, { timeS }) => Math.max(most, timeS), Number.NEGATIVE_INFINITY);
}

function circling(pages: number): OutsideError {
  const what = `brought nothing older in ${pages} pages; try again later, or another --source`;
  return new OutsideError('trades', what, { failure: 'retryable' });
}
