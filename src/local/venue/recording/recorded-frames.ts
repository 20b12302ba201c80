import type { ChannelFrame } from '../frames/frames.js';
import { parseRecordedMs } from './form.js';

/** The messages that change a book or what is known beside it; a replay plays these. */
export type PlayableFrame = Extract<
  ChannelFrame,
  { event_type: 'book' | 'price_change' | 'last_trade_price' | 'tick_size_change' }
>;

/**
 * Returns the playable messages in one frame of text (an object or an array of them), or null if
 * the text is no JSON. Messages of other kinds, and those without the fields that a replay reads,
 * are left out.
 */
export function playableFrames(text: string): PlayableFrame[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).filter(isPlayable);
  } catch {
    return null;
  }
}

function isPlayable(value: unknown): value is PlayableFrame {
  if (typeof value !== 'object' || value === null) return false;
  const frame = value as Record<string, unknown>;
  if (typeof frame.market !== 'string' || typeof frame.timestamp !== 'string') return false;
  if (parseRecordedMs(frame.timestamp) === null) return false;
  switch (frame.event_type) {
    case 'book':
      return typeof frame.asset_id === 'string' && isLevels(frame.bids) && isLevels(frame.asks);
    case 'price_change':
      return isLevels(frame.price_changes);
    case 'last_trade_price':
      return typeof frame.asset_id === 'string' && typeof frame.price === 'string';
    case 'tick_size_change':
      return typeof frame.asset_id === 'string' && typeof frame.new_tick_size === 'string';
    default:
      return false;
  }
}

function isLevels(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((each: { price?: unknown; size?: unknown } | null) => {
      return typeof each?.price === 'string' && typeof each.size === 'string';
    })
  );
}
