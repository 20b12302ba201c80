import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { Level } from '#domain/book/book';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import { parseTokenId, type TokenId } from '#domain/ids';
import type { Side } from '#domain/market';
import { type BookFrame, type PriceChangeFrame, wireLevel } from '../frames/frames.js';
import { bestAskText, bestBidText } from '../market/book-view.js';
import { conditionIdOf, tokenIdOf } from '../market/deterministic-ids.js';
import { Ladder } from '../market/ladder.js';
import {
  parseRecordedMs,
  RECORDED_FRAMES_MAX,
  type RecordedFrame,
  type RecordedMarket,
  type Recording,
} from './form.js';

/** One level of one frame, from one row. */
interface LevelRow {
  readonly slug: string;
  readonly tokenId: TokenId;
  readonly outcome: string;
  readonly eventType: 'book' | 'price_change';
  readonly side: Side;
  readonly level: Level;
  readonly hash: string;
  readonly timestampMs: number;
}

/** June files say bid and ask, July files BUY and SELL. */
const SIDES: Readonly<Record<string, Side>> = { bid: 'BUY', ask: 'SELL', BUY: 'BUY', SELL: 'SELL' };

/**
 * Reads a recording flattened to one row per price level. A frame is a run of rows with equal event
 * type, token, timestamp and hash. A torn row (a recorder that restarted in mid-line) has no known
 * side and is left out.
 */
export async function readCsvRecording(name: string, bytes: Readable): Promise<Recording> {
  const builder = new FrameBuilder(name);
  const rows = bytes.pipe(parse({ bom: true, columns: true, relax_column_count: true }));
  bytes.on('error', (error) => rows.destroy(error));
  for await (const row of rows) builder.add(row as Readonly<Record<string, string>>);
  return builder.finish();
}

class FrameBuilder {
  readonly #name: string;
  readonly #frames: RecordedFrame[] = [];
  readonly #books = new Map<TokenId, Ladder>();
  readonly #markets = new Map<string, Map<TokenId, string>>();
  readonly #counts = { book: 0, price_change: 0, skipped: 0 };
  #run: LevelRow[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(fields: Readonly<Record<string, string>>): void {
    const row = levelRow(fields);
    if (row === null) {
      this.#counts.skipped++;
      return;
    }
    const first = this.#run[0];
    if (first !== undefined && !isSameFrame(first, row)) this.#endRun();
    this.#run.push(row);
  }

  finish(): Recording {
    this.#endRun();
    const { book, price_change, skipped } = this.#counts;
    const markets = [...this.#markets].map(([slug, outcomes]) => recordedMarket(slug, [...outcomes]));
    return {
      name: this.#name,
      markets,
      frames: this.#frames,
      bookFrames: book,
      priceChangeFrames: price_change,
      skipped,
    };
  }

  #endRun(): void {
    const first = this.#run[0];
    if (first === undefined) return;
    const frame = this.#apply(first, this.#run);
    const atMs = Math.max(first.timestampMs, this.#frames.at(-1)?.atMs ?? 0);
    if (this.#frames.length >= RECORDED_FRAMES_MAX)
      throw new Error(`${this.#name} has over ${RECORDED_FRAMES_MAX} frames`);
    this.#frames.push({ atMs, text: JSON.stringify(frame) });
    this.#counts[first.eventType]++;
    this.#run = [];
  }

  #apply(first: LevelRow, run: readonly LevelRow[]): BookFrame | PriceChangeFrame {
    const ladder = this.#books.get(first.tokenId) ?? new Ladder();
    this.#books.set(first.tokenId, ladder);
    const outcomes = this.#markets.get(first.slug) ?? new Map<TokenId, string>();
    this.#markets.set(first.slug, outcomes.set(first.tokenId, first.outcome || (outcomes.get(first.tokenId) ?? '')));
    return first.eventType === 'book' ? bookOf(first, run, ladder) : priceChangeOf(first, run, ladder);
  }
}

function levelRow(fields: Readonly<Record<string, string>>): LevelRow | null {
  const { event_type: eventType, market_slug: slug, hash, timestamp } = fields;
  const side = SIDES[fields.side ?? ''];
  const tokenId = parseTokenId(fields.asset_id ?? '');
  const priceTicks = parsePriceTicks(fields.price ?? '');
  const sizeMicros = parseSizeMicros(fields.size ?? '');
  const timestampMs = parseRecordedMs(timestamp);
  if (side === undefined || tokenId === null || priceTicks === null || sizeMicros === null) return null;
  if (eventType !== 'book' && eventType !== 'price_change') return null;
  if (timestampMs === null || slug === undefined || hash === undefined) return null;
  const level = { priceTicks, sizeMicros };
  return { slug, tokenId, outcome: fields.outcome_name ?? '', eventType, side, level, hash, timestampMs };
}

function isSameFrame(a: LevelRow, b: LevelRow): boolean {
  return a.eventType === b.eventType && a.tokenId === b.tokenId && a.timestampMs === b.timestampMs && a.hash === b.hash;
}

function bookOf(first: LevelRow, run: readonly LevelRow[], ladder: Ladder): BookFrame {
  const levels = (side: Side) => run.filter((row) => row.side === side).map((row) => row.level);
  ladder.replace(levels('BUY'), levels('SELL'));
  return {
    market: conditionIdOf(first.slug),
    asset_id: first.tokenId,
    timestamp: String(first.timestampMs),
    hash: first.hash,
    bids: ladder.bids.map(wireLevel),
    asks: ladder.asks.map(wireLevel),
    event_type: 'book',
  };
}

/**
 * The recordings are of the older form without tops; best_bid and best_ask are those of the book as
 * replayed.
 */
function priceChangeOf(first: LevelRow, run: readonly LevelRow[], ladder: Ladder): PriceChangeFrame {
  const entries = run.map(({ side, level, hash, tokenId }) => {
    ladder.set(side, level.priceTicks, level.sizeMicros);
    const tops = { bidsAscending: ladder.bids, asksDescending: ladder.asks };
    const best = { best_bid: bestBidText(tops), best_ask: bestAskText(tops) };
    return { asset_id: tokenId, ...wireLevel(level), side, hash, ...best };
  });
  return {
    market: conditionIdOf(first.slug),
    price_changes: entries,
    timestamp: String(first.timestampMs),
    event_type: 'price_change',
  };
}

function recordedMarket(slug: string, outcomes: readonly (readonly [TokenId, string])[]): RecordedMarket {
  const [first, second] = outcomes;
  const tokenIds = [first?.[0] ?? tokenIdOf(slug, 0), second?.[0] ?? tokenIdOf(slug, 1)] as const;
  const labels = [first?.[1] || 'Side A', second?.[1] || 'Side B'] as const;
  return { slug, ids: { conditionId: conditionIdOf(slug), tokenIds }, outcomes: labels };
}
