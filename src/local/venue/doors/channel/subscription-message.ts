import { parseObject } from '#domain/json';
/** What a client asked of the market channel. */
export interface SubscriptionMessage {
  /** `begin` is the first message of a connection ("type": "market"). */
  readonly kind: 'begin' | 'subscribe' | 'unsubscribe';
  readonly tokenIds: readonly string[];
  /** null: the message does not say. */
  readonly initialDump: boolean | null;
  /** null: the message does not say. */
  readonly customFeatures: boolean | null;
}

/**
 * Returns the subscription, or null for anything else: the venue does not answer what it does not
 * understand.
 */
export function parseSubscriptionMessage(text: string): SubscriptionMessage | null {
  const message = parseObject(text);
  if (message === null) return null;
  const kind = kindOf(message);
  const tokenIds = message.assets_ids ?? [];
  if (kind === null || !Array.isArray(tokenIds)) return null;
  return {
    kind,
    tokenIds: tokenIds.filter((token): token is string => typeof token === 'string'),
    initialDump: typeof message.initial_dump === 'boolean' ? message.initial_dump : null,
    customFeatures: typeof message.custom_feature_enabled === 'boolean' ? message.custom_feature_enabled : null,
  };
}

function kindOf(message: Record<string, unknown>): SubscriptionMessage['kind'] | null {
  if (message.operation === 'subscribe' || message.operation === 'unsubscribe') return message.operation;
  return typeof message.type === 'string' && message.type.toLowerCase() === 'market' ? 'begin' : null;
}
