import { parseObject } from '#domain/json';

/** What of the activity topic the local venue can send. */
const FEED_TYPES = ['trades', 'orders_matched'] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/** What a client asked of the live feed. */
export interface FeedMessage {
  readonly action: 'subscribe' | 'unsubscribe';
  readonly types: readonly FeedType[];
}

/**
 * Returns what is asked of the `activity` topic, or null for anything else: without `action` the
 * venue is silent, and it answers nothing that it does not understand. A subscription with
 * `filters` gets nothing, as on the venue (real-time-data-client#34).
 */
export function parseFeedMessage(text: string): FeedMessage | null {
  const message = parseObject(text);
  const action = message?.action;
  if ((action !== 'subscribe' && action !== 'unsubscribe') || !Array.isArray(message?.subscriptions)) return null;
  return { action, types: message.subscriptions.flatMap(typesOf) };
}

function typesOf(subscription: unknown): readonly FeedType[] {
  const { topic, type, filters } = (subscription ?? {}) as Record<string, unknown>;
  if (topic !== 'activity' || (filters !== undefined && filters !== '')) return [];
  if (type === '*') return FEED_TYPES;
  return FEED_TYPES.filter((existing) => existing === type);
}
