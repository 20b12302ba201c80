import { z } from 'zod';
import { mergeSpans, missingSpans, type Span } from './time-spans.js';
import { type TradeWalk, TradeWalkSchema } from './trade-walk.js';

const SpanSchema = z.object({ from: z.number(), to: z.number() }) satisfies z.ZodType<Span>;

/** What of a source's trades the tape holds, and what is being fetched. Kept in the tape as a job's progress. JSON. */
const TradeCoverageSchema = z.object({
  /** Seconds whose trades are all in the tape. */
  held: z.array(SpanSchema),
  /** Walks under way, newest first; each holds one span. */
  open: z.array(TradeWalkSchema),
  /** The source has nothing older than this second: asking for it is of no use. null: its end was not seen yet. */
  endsS: z.number().nullable(),
  nextWalkId: z.number(),
});
export type TradeCoverage = z.infer<typeof TradeCoverageSchema>;

/**
 * The feed is about 22 s late (docs/venue.md, "Trades"); what is newer than this is asked for again
 * the next time.
 */
export const FEED_LAG_S = 60;
/** Walks at one time; beyond, the two oldest become one, which costs pages and loses nothing. */
export const OPEN_WALKS_MAX = 16;
const HELD_SPANS_MAX = 256;

/** Returns the coverage as it was kept, or an empty one where nothing was, or nothing that can be read: then all is fetched again. */
export function readCoverage(kept: unknown, nowS: number): TradeCoverage {
  const empty = { held: [], open: [], endsS: null, nextWalkId: nowS };
  return TradeCoverageSchema.safeParse(kept).data ?? empty;
}

/** Returns the coverage with walks for everything in `wanted` that is neither held nor under way. */
export function wantSpan(coverage: TradeCoverage, wanted: Span, nowS: number): TradeCoverage {
  const from = Math.max(wanted.from, coverage.endsS ?? wanted.from);
  const underWay = coverage.open.map(({ fromS, toS }) => ({ from: fromS, to: toS }));
  const missing = missingSpans({ from, to: wanted.to }, [...coverage.held, ...underWay]);
  let { nextWalkId } = coverage;
  const begin = (span: Span): TradeWalk => newTradeWalk(nextWalkId++, span, nowS);
  const open = [...coverage.open, ...missing.map(begin)].toSorted((a, b) => b.toS - a.toS);
  while (open.length > OPEN_WALKS_MAX) {
    const [newer, older] = open.splice(-2) as [TradeWalk, TradeWalk];
    const joined = begin({ from: Math.min(newer.fromS, older.fromS), to: newer.toS });
    open.push({ ...joined, settledS: Math.min(joined.settledS, newer.settledS) });
  }
  return { ...coverage, open, nextWalkId };
}

/**
 * Returns the coverage after one of its walks went on. The end of everybody's feed is remembered (`isFeed`); that of a market or a
 * wallet is the end of the range asked for, or of all there is.
 */
export function noteWalk(coverage: TradeCoverage, walk: TradeWalk, isFeed: boolean): TradeCoverage {
  const others = coverage.open.filter(({ id }) => id !== walk.id);
  if (walk.state === 'OPEN') return { ...coverage, open: [...others, walk].toSorted((a, b) => b.toS - a.toS) };
  const ended = isFeed && walk.state === 'ENDED';
  // An empty feed proves nothing: it may be a venue that is starting. It is asked again.
  if (ended && walk.reachedS === null) return { ...coverage, open: others };
  const from = ended ? Math.max(walk.fromS, walk.reachedS ?? walk.fromS) : walk.fromS;
  const held = mergeSpans([...coverage.held, { from, to: walk.settledS }]).slice(0, HELD_SPANS_MAX);
  return { ...coverage, held: [...held], open: others, endsS: ended ? walk.reachedS : coverage.endsS };
}

function newTradeWalk(id: number, { from: fromS, to: toS }: Span, nowS: number): TradeWalk {
  const settledS = Math.min(toS, nowS - FEED_LAG_S);
  return { id, fromS, toS, settledS, cursor: null, pages: 0, reachedS: null, fills: 0, skipped: 0, state: 'OPEN' };
}
