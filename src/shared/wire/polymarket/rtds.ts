import { parseJson } from '#domain/json';
import type { Fill } from '#domain/rating/fill';
import { toRawTradeV1 } from './data-api-v1.js';
import { fieldsOf, parseTrade } from './trade-row.js';

/**
 * The live data socket (RTDS): text PING and PONG, one subscription, one JSON message per trade
 * (docs/venue.md, "Live feed").
 */
export const RTDS_PING = 'PING';
const RTDS_PONG = 'PONG';

/**
 * Without `action` the venue sends nothing; `filters` by slug deliver nothing, so the global feed
 * is taken.
 */
export const RTDS_SUBSCRIBE = JSON.stringify({
  action: 'subscribe',
  subscriptions: [{ topic: 'activity', type: 'trades' }],
});

/**
 * A message of the live feed: a trade, anything else that is well-formed, or something that cannot
 * be read.
 */
export type RtdsMessage =
  | { readonly kind: 'trade'; readonly fill: Fill }
  | { readonly kind: 'other' }
  | { readonly kind: 'unreadable' };

/** The venue sends an empty text after a subscription, and answers of other topics. */
const OTHER: RtdsMessage = { kind: 'other' };
const UNREADABLE: RtdsMessage = { kind: 'unreadable' };

/** Returns one frame of the live feed. Never throws. */
export function parseRtdsFrame(text: string): RtdsMessage {
  if (text === RTDS_PONG || text.trim() === '') return OTHER;
  const received = parseJson(text);
  if (received === undefined) return UNREADABLE;
  const message = fieldsOf(received);
  if (message.topic !== 'activity' || message.type !== 'trades') return OTHER;
  const { payload } = message;
  const trade = parseTrade(toRawTradeV1(typeof payload === 'string' ? parseJson(payload) : payload));
  return trade.kind === 'trade' ? { kind: 'trade', fill: trade.fill } : { kind: trade.kind };
}
