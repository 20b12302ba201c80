import type { LevelChange, MarketEvent } from '#domain/book/book';
import { parsePriceTicks, parseSizeMicros } from '#domain/decimal';
import type { TokenId } from '#domain/ids';
import { optionalTimestampMs, PRICE_TICKS_LIMIT, textOrNull } from './book-snapshot.js';
import {
  FlatPriceChangeSchema,
  LegacyPriceChangesSchema,
  PriceChangeSchema,
  type WirePriceChange,
} from './market-channel-schemas.js';

/**
 * Returns a `price_change` event in any of its three forms, or null if it cannot be read. One bad
 * change spoils the event. What is as usual does not come here: scan-price-change.ts reads it.
 */
export function parsePriceChange(raw: object): MarketEvent | null {
  const parsed = PriceChangeSchema.safeParse(raw);
  const wire = parsed.success ? parsed.data : 'price_changes' in raw ? null : fromLegacyPriceChange(raw);
  if (wire === null) return null;
  const timestampMs = optionalTimestampMs(wire.timestamp);
  if (timestampMs === 'bad') return null;
  const changes: LevelChange[] = [];
  for (const { asset_id, price, size, side, hash } of wire.price_changes) {
    const priceTicks = parsePriceTicks(price);
    const sizeMicros = parseSizeMicros(size);
    if (priceTicks === null || sizeMicros === null) return null;
    if (priceTicks <= 0 || priceTicks >= PRICE_TICKS_LIMIT) return null;
    // The form of the id is not checked here: half of them are tokens nobody asked for, and readers
    // look ids up in a map.
    changes.push({ tokenId: asset_id as TokenId, side, priceTicks, sizeMicros, hash: textOrNull(hash) });
  }
  return { kind: 'price_change', timestampMs, changes };
}

/** Returns either form from before 2025-09-15 in today's form, or null. */
function fromLegacyPriceChange(raw: object): WirePriceChange | null {
  const list = LegacyPriceChangesSchema.safeParse(raw);
  if (list.success) {
    const { market, timestamp, asset_id, hash, changes } = list.data;
    return { market, timestamp, price_changes: changes.map((change) => ({ ...change, asset_id, hash })) };
  }
  const flat = FlatPriceChangeSchema.safeParse(raw);
  if (!flat.success) return null;
  const { market, timestamp, ...change } = flat.data;
  return { market, timestamp, price_changes: [change] };
}
