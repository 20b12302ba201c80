import { createHash } from 'node:crypto';
import {
  type BookFrame,
  bookFrame,
  type ChannelFrame,
  isCustomFeature,
  type PriceChangeEntry,
  type PriceChangeFrame,
  tokensOf,
} from '../frames/frames.js';
import { type BookView, distorted } from '../market/book-view.js';
import type { VenueFaults } from './faults.js';

/** A message on its way: its text, and who it is for. */
export interface OutboundFrame {
  readonly text: string;
  /** null: for everyone with custom features. */
  readonly tokens: readonly string[] | null;
  readonly custom: boolean;
}

/**
 * Returns what the faults in force make of a message: nothing, the message, or the message in
 * another form.
 */
export function outboundFrames(
  frame: ChannelFrame,
  faults: VenueFaults,
  viewOf: (tokenId: string) => BookView | null,
): OutboundFrame[] {
  const remaining = withoutHidden(frame, faults, viewOf);
  if (remaining === null) return [];
  const hashed = faults.wrongHashes ? withWrongHashes(remaining) : remaining;
  if (faults.legacyFrames && hashed.event_type === 'price_change') return legacyFrames(hashed);
  return [{ text: wireText(hashed, faults), tokens: tokensOf(hashed), custom: isCustomFeature(hashed) }];
}

/** The announcement of a market that nobody asked for. */
export const UNASKED_MARKET = JSON.stringify({
  event_type: 'new_market',
  id: '1',
  market: `0x${'0e'.repeat(32)}`,
  assets_ids: ['1', '2'],
  outcomes: ['Yes', 'No'],
});

/**
 * Returns an announcement as it is made so much later, with the time of then; null for what is not
 * late.
 */
export function announcedLate(frame: ChannelFrame, faults: VenueFaults, lateMs: number): ChannelFrame | null {
  const isAnnouncement = frame.event_type === 'last_trade_price' || frame.event_type === 'tick_size_change';
  if (!isAnnouncement || !faults.lateAnnouncements) return null;
  return { ...frame, timestamp: String(Number(frame.timestamp) + lateMs) };
}

/** Returns a message, or several, as text, with nulls where a fault says so. */
export function wireText(message: ChannelFrame | readonly ChannelFrame[], faults: VenueFaults): string {
  if (!faults.nullsNow()) return JSON.stringify(message);
  return JSON.stringify(message, (key, value: unknown) => (isLeftOut(key, value) ? null : withoutTime(value)));
}

/** Best prices are left out where that side is empty. */
function isLeftOut(key: string, value: unknown): boolean {
  return key === 'hash' || (key === 'best_bid' && value === '0') || (key === 'best_ask' && value === '1');
}

/** Whole books and trades keep theirs: by them alone the others can be placed. */
function withoutTime(value: unknown): unknown {
  const type = (value as { event_type?: unknown } | null)?.event_type;
  return type === 'price_change' || type === 'best_bid_ask' ? { ...(value as object), timestamp: null } : value;
}

/**
 * Returns the book of a token as the channel shows it under the faults in force, or null if it
 * shows none.
 */
export function shownBook(view: BookView, faults: VenueFaults, dump: boolean): BookFrame | null {
  if (faults.isFrozen(view.tokenId)) return null;
  const lie = faults.lieAt(view.tokenId, 'ws');
  const frame = bookFrame(lie === null ? view : distorted(view, lie), dump);
  const shown = faults.omitLevels ? withoutLevel(frame) : frame;
  return faults.wrongHashes ? { ...shown, hash: wrong(shown.hash) } : shown;
}

function withoutHidden(
  frame: ChannelFrame,
  faults: VenueFaults,
  viewOf: (tokenId: string) => BookView | null,
): ChannelFrame | null {
  if (frame.event_type === 'price_change') return withoutHiddenEntries(frame, faults);
  if (frame.event_type === 'trade_changes') {
    return faults.tradesInChanges ? withoutHiddenEntries({ ...frame, event_type: 'price_change' }, faults) : null;
  }
  if (frame.event_type === 'new_market' || frame.event_type === 'market_resolved') return frame;
  if (faults.isFrozen(frame.asset_id)) return null;
  if (faults.lieAt(frame.asset_id, 'ws') === null) {
    return frame.event_type === 'book' && faults.omitLevels ? withoutLevel(frame) : frame;
  }
  const view = frame.event_type === 'book' ? viewOf(frame.asset_id) : null;
  return view === null ? null : shownBook(view, faults, false);
}

function withoutHiddenEntries(frame: PriceChangeFrame, faults: VenueFaults): PriceChangeFrame | null {
  const shown = (entry: PriceChangeEntry) =>
    !faults.isFrozen(entry.asset_id) && faults.lieAt(entry.asset_id, 'ws') === null;
  if (frame.price_changes.every(shown)) return frame;
  const entries = frame.price_changes.filter(shown);
  return entries.length === 0 ? null : { ...frame, price_changes: entries };
}

function withoutLevel(frame: BookFrame): BookFrame {
  return { ...frame, bids: frame.bids.toSpliced(-2, 1) };
}

function withWrongHashes(frame: ChannelFrame): ChannelFrame {
  if (frame.event_type === 'book') return { ...frame, hash: wrong(frame.hash) };
  if (frame.event_type !== 'price_change') return frame;
  return { ...frame, price_changes: frame.price_changes.map((entry) => ({ ...entry, hash: wrong(entry.hash) })) };
}

function wrong(hash: string): string {
  return createHash('sha1').update(`not ${hash}`).digest('hex');
}

/**
 * The form of before 15 September 2025: one frame per token, hash at the top, `changes[]` without a
 * top of book.
 */
function legacyFrames(frame: PriceChangeFrame): OutboundFrame[] {
  const tokens = [...new Set(frame.price_changes.map((entry) => entry.asset_id))];
  return tokens.map((token) => {
    const entries = frame.price_changes.filter((entry) => entry.asset_id === token);
    const text = JSON.stringify({
      asset_id: token,
      changes: entries.map(({ price, side, size }) => ({ price, side, size })),
      event_type: 'price_change',
      hash: entries.at(-1)?.hash,
      market: frame.market,
      timestamp: frame.timestamp,
    });
    return { text, tokens: [token], custom: false };
  });
}
