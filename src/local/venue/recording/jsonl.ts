import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseTokenId, type TokenId, toConditionId } from '#domain/ids';
import { tokenIdOf } from '../market/deterministic-ids.js';
import { RECORDED_FRAMES_MAX, type RecordedFrame, type RecordedMarket, type Recording } from './form.js';
import { type PlayableFrame, playableFrames } from './recorded-frames.js';

/**
 * Reads a recording of raw frames, one JSON text per line. Lines that are no JSON, or nothing to
 * replay, are left out.
 */
export async function readJsonlRecording(name: string, bytes: Readable): Promise<Recording> {
  const frames: RecordedFrame[] = [];
  const markets = new Map<string, Map<TokenId, boolean>>();
  const counts = { book: 0, price_change: 0, skipped: 0 };
  for await (const read of createInterface({ input: bytes, crlfDelay: Number.POSITIVE_INFINITY })) {
    // Without the byte order mark of the file, too: to trim it counts as a blank.
    const line = read.trim();
    if (line === '') continue;
    const played = playableFrames(line);
    if (played === null || played.length === 0) {
      counts.skipped++;
      continue;
    }
    for (const frame of played) {
      noteTokens(markets, frame);
      if (frame.event_type === 'book' || frame.event_type === 'price_change') counts[frame.event_type]++;
    }
    const recordedMs = Math.max(...played.map((frame) => Number(frame.timestamp)));
    if (frames.length >= RECORDED_FRAMES_MAX) throw new Error(`${name} has over ${RECORDED_FRAMES_MAX} frames`);
    frames.push({ atMs: Math.max(recordedMs, frames.at(-1)?.atMs ?? 0), text: line });
  }
  const stem = name
    .replace(/\.jsonl$/, '')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase();
  const recorded = [...markets].map(([condition, tokens], index) =>
    marketOf(`${stem}-${index + 1}`, condition, tokens),
  );
  const { book: bookFrames, price_change: priceChangeFrames, skipped } = counts;
  return { name, markets: recorded, frames, bookFrames, priceChangeFrames, skipped };
}

/** Remembers each market's tokens; the one that has a book of its own comes first. */
function noteTokens(markets: Map<string, Map<TokenId, boolean>>, frame: PlayableFrame): void {
  const tokens = markets.get(frame.market) ?? new Map<TokenId, boolean>();
  markets.set(frame.market, tokens);
  const named =
    frame.event_type === 'price_change' ? frame.price_changes.map((entry) => entry.asset_id) : [frame.asset_id];
  for (const text of named) {
    const token = parseTokenId(text);
    if (token !== null) tokens.set(token, tokens.get(token) === true || frame.event_type === 'book');
  }
}

function marketOf(slug: string, condition: string, tokens: ReadonlyMap<TokenId, boolean>): RecordedMarket {
  const ordered = [...tokens].sort(([, a], [, b]) => Number(b) - Number(a)).map(([token]) => token);
  const tokenIds = [ordered[0] ?? tokenIdOf(slug, 0), ordered[1] ?? tokenIdOf(slug, 1)] as const;
  return { slug, ids: { conditionId: toConditionId(condition), tokenIds }, outcomes: ['Side A', 'Side B'] };
}
