import { z } from 'zod';
import { type Backoff, backoffMs } from '#domain/backoff';
import { mergeSpans, missingSpans, type Span } from '#domain/time-spans';
import { type TradeWalk, TradeWalkSchema } from './trade-walk.js';

const SpanSchema = z.object({ from: z.number(), to: z.number() }) satisfies z.ZodType<Span>;

/** Seconds of which rows could not be read, and when they are walked again. */
const LostSchema = z.object({ from: z.number(), to: z.number(), tries: z.number(), againAtS: z.number() });
type Lost = z.infer<typeof LostSchema>;

/**
 * What of a source's trades the tape holds, and what is being fetched. Kept in the tape as a job's
 * progress. JSON.
 */
const TradeCoverageSchema = z.object({
  /** Seconds whose trades are all in the tape. */
  held: z.array(SpanSchema),
  /** Walks under way, newest first; each holds one span. */
  open: z.array(TradeWalkSchema),
  /**
   * The source has nothing older than this second: asking for it is of no use. null: its end was
   * not seen yet. Where it once had older trades one short answer proves no end (`noteWalk`).
   */
  endsS: z.number().nullable(),
  nextWalkId: z.number(),
  /** Seconds that were walked and could not be read as a whole, or that the source did not come to. */
  lost: z.array(LostSchema).default([]),
});
export type TradeCoverage = z.infer<typeof TradeCoverageSchema>;

/**
 * The feed is about 22 s late (docs/venue.md, "Trades"); what is newer than this is asked for again
 * the next time.
 */
export const FEED_LAG_S = 60;
/**
 * A span that ends in the future was claimed by a clock that was ahead, at a time that nobody knows:
 * so long before now it is not believed either.
 */
const DOUBT_S = 3_600;
/** Walks at one time; beyond, the two oldest become one, which costs pages and loses nothing. */
export const OPEN_WALKS_MAX = 16;
const HELD_SPANS_MAX = 256;
/** Beyond, the oldest are kept as one, so that none is asked for again at once. */
const LOST_SPANS_MAX = 256;
/**
 * A walk to seconds that are long past goes through all pages since: it is tried less and less
 * often.
 */
const LOST_AGAIN: Backoff = { minMs: 600_000, maxMs: 86_400_000 };
/**
 * So often, over most of a day, a feed has to end where older trades were before that is its end.
 * One that ends where nobody saw older trades is believed at once.
 */
const ENDS_MIN = 8;

/**
 * Returns the coverage as it was kept, as far as it can be true now, or an empty one where nothing
 * was, or nothing that can be read: then all is fetched again.
 */
export function readCoverage(stored: unknown, nowS: number): TradeCoverage {
  const empty = { held: [], open: [], endsS: null, nextWalkId: nowS, lost: [] };
  const kept = TradeCoverageSchema.safeParse(stored).data;
  return kept === undefined ? empty : withoutFuture(kept, nowS);
}

/**
 * Nobody holds trades that are still to come: what a clock that was ahead claimed of them is fetched
 * when they are made, and its walks, which cannot tell what the feed had when they began, begin anew.
 */
function withoutFuture(coverage: TradeCoverage, nowS: number): TradeCoverage {
  const settledS = nowS - FEED_LAG_S;
  const latestAgainS = nowS + LOST_AGAIN.maxMs / 1e3;
  const untilNow = <Part extends Span>(span: Part): Part[] => {
    const to = span.to > nowS ? settledS - DOUBT_S : Math.min(span.to, settledS);
    return span.from <= to ? [{ ...span, to }] : [];
  };
  return {
    ...coverage,
    held: coverage.held.flatMap(untilNow),
    open: coverage.open.filter((walk) => walk.settledS <= settledS),
    lost: coverage.lost.flatMap(untilNow).map((lost) => ({ ...lost, againAtS: Math.min(lost.againAtS, latestAgainS) })),
  };
}

/**
 * Returns the coverage with walks for everything in `wanted` that is neither held nor under way,
 * nor was lost a short while ago.
 */
export function wantSpan(coverage: TradeCoverage, wanted: Span, nowS: number): TradeCoverage {
  // A feed that goes on ending there costs all of its pages each time that it is asked for more.
  const from = Math.max(wanted.from, coverage.endsS ?? wanted.from);
  const inFlight = coverage.open.map(({ fromS, toS }) => ({ from: fromS, to: toS }));
  const missing = missingSpans({ from, to: wanted.to }, [
    ...coverage.held,
    ...inFlight,
    ...coverage.lost.filter(({ againAtS }) => againAtS > nowS),
  ]);
  let { nextWalkId } = coverage;
  const begin = (span: Span): TradeWalk => newTradeWalk(nextWalkId++, span, nowS);
  const open = [...coverage.open, ...missing.map(begin)].toSorted((a, b) => b.toS - a.toS);
  while (open.length > OPEN_WALKS_MAX) {
    const [newer, older] = open.splice(-2) as [TradeWalk, TradeWalk];
    const joined = begin({ from: Math.min(newer.fromS, older.fromS), to: newer.toS });
    open.push({ ...joined, lost: [...newer.lost, ...older.lost], settledS: Math.min(joined.settledS, newer.settledS) });
  }
  return { ...coverage, open, nextWalkId };
}

/**
 * Returns the coverage after one of its walks went on. The end of everybody's feed is remembered
 * (`isFeed`); that of a market or a wallet is the end of the range asked for, or of all there is. A
 * feed that ends though older trades came of it may be short just now: what it lacks is lost, and
 * asked for again.
 */
export function noteWalk(coverage: TradeCoverage, walk: TradeWalk, isFeed: boolean, nowS: number): TradeCoverage {
  const others = coverage.open.filter(({ id }) => id !== walk.id);
  if (walk.state === 'OPEN') return { ...coverage, open: [...others, walk].toSorted((a, b) => b.toS - a.toS) };
  const ended = isFeed && walk.state === 'ENDED';
  // An empty feed proves nothing: it may be a venue that is starting. It is asked again.
  if (ended && walk.reachedS === null) return { ...coverage, open: others };
  const from = ended ? Math.max(walk.fromS, walk.reachedS ?? walk.fromS) : walk.fromS;
  const read = missingSpans({ from, to: walk.settledS }, walk.lost);
  const held = mergeSpans([...coverage.held, ...read]).slice(0, HELD_SPANS_MAX);
  const isEarly = coverage.held.some((span) => span.from < from);
  const beyond = { from: walk.fromS, to: Math.min(from - 1, walk.settledS) };
  const unread = [
    ...mergeSpans(walk.lost).map((span) => ({ ...span, triesMin: 1 })),
    ...missingSpans(beyond, walk.lost).map((span) => ({ ...span, triesMin: isEarly ? 1 : ENDS_MIN })),
  ];
  const lost = noteLost(coverage.lost, unread, held, nowS);
  const isEnd = from > walk.fromS && lost.some(({ to, tries }) => to === beyond.to && tries >= ENDS_MIN);
  const isBehindEnd = coverage.endsS !== null && from < coverage.endsS;
  return {
    ...coverage,
    held: [...held],
    open: others,
    lost,
    endsS: isEnd ? beyond.to + 1 : isBehindEnd ? from : coverage.endsS,
  };
}

/**
 * What was lost before and is held now is lost no more; what was lost again waits twice as long.
 */
function noteLost(
  before: readonly Lost[],
  unread: readonly (Span & { readonly triesMin: number })[],
  held: readonly Span[],
  nowS: number,
): Lost[] {
  const isSame = (a: Span, b: Span) => a.from <= b.to && b.from <= a.to;
  const again = unread.map(({ triesMin, ...span }): Lost => {
    const earlier = before.filter((lost) => isSame(lost, span)).map((lost) => lost.tries);
    const tries = Math.max(triesMin, 1 + Math.max(0, ...earlier));
    return { ...span, tries, againAtS: nowS + backoffMs(LOST_AGAIN, tries - 1, 1) / 1e3 };
  });
  const still = before
    .filter((lost) => !again.some((span) => isSame(lost, span)))
    .flatMap((lost) => missingSpans(lost, held).map((span) => ({ ...lost, ...span })));
  return atMost([...again, ...still].toSorted((a, b) => b.to - a.to));
}

function atMost(lost: Lost[]): Lost[] {
  if (lost.length <= LOST_SPANS_MAX) return lost;
  const oldest = lost.splice(LOST_SPANS_MAX - 1);
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b));
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b));
  const joined: Lost = {
    from: least(oldest.map(({ from }) => from)),
    to: most(oldest.map(({ to }) => to)),
    tries: most(oldest.map(({ tries }) => tries)),
    againAtS: most(oldest.map(({ againAtS }) => againAtS)),
  };
  return [...lost, joined];
}

/** Returns what was lost of the seconds that the source has, as far as it is known to go back. */
export function lostWithinFeed({ lost, endsS }: TradeCoverage): readonly Span[] {
  return endsS === null ? lost : lost.filter(({ to }) => to >= endsS);
}

/**
 * Returns what of `wanted` the tape is known to lack, newest first: neither held nor read by a walk
 * that is under way. Where the source has nothing older, nothing is missing.
 */
export function missingTrades(coverage: TradeCoverage, wanted: Span): readonly Span[] {
  const { held, open, endsS } = coverage;
  const read = open.flatMap(({ strayedFromS, reachedS, settledS, lost }) =>
    reachedS === null ? [] : missingSpans({ from: (strayedFromS ?? reachedS) + 1, to: settledS }, lost),
  );
  // What was held before the source ended so soon shows what it has lost since.
  const oldestS = held.reduce((least, { from }) => Math.min(least, from), endsS ?? wanted.from);
  return missingSpans({ from: Math.max(wanted.from, oldestS), to: wanted.to }, [...held, ...read]);
}

function newTradeWalk(id: number, { from: fromS, to: toS }: Span, nowS: number): TradeWalk {
  const settledS = Math.min(toS, nowS - FEED_LAG_S);
  return { id, fromS, toS, settledS, cursor: null, pages: 0, reachedS: null, ...NOTHING_YET, lost: [] };
}

const NOTHING_YET = {
  fills: 0,
  skipped: 0,
  end: null,
  lostFromAboveS: null,
  strayedFromS: null,
  state: 'OPEN',
} as const;
