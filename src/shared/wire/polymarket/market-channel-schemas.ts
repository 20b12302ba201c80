import { z } from 'zod';
import { TimestampSchema } from './book-snapshot.js';

/**
 * The events of the market channel as they come (docs/venue.md, "Market channel"). Every number is
 * a decimal string; an absent one is "". Hashes, times and best prices may be null or absent, which
 * says nothing against the rest. Unknown keys are dropped. `book` is in book-snapshot.ts,
 * because REST shares its form.
 */

const OptionalTimestampSchema = TimestampSchema.nullish();
const SideSchema = z.enum(['BUY', 'SELL']);

/** Since 2025-09-15: one frame names the changes of both tokens of a market. */
export const PriceChangeSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  price_changes: z.array(
    z.object({
      asset_id: z.string(),
      price: z.string(),
      size: z.string(),
      side: SideSchema,
      hash: z.string().nullish(),
    }),
  ),
});

/** Before: one token per frame, with a list of changes. */
export const LegacyPriceChangesSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: z.string(),
  hash: z.string().nullish(),
  changes: z.array(z.object({ price: z.string(), size: z.string(), side: SideSchema })),
});

/** Older still: one change, all of it at the top. */
export const FlatPriceChangeSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: z.string(),
  hash: z.string().nullish(),
  price: z.string(),
  size: z.string(),
  side: SideSchema,
});

export const LastTradeSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: z.string(),
  price: z.string(),
  // By these two one announcement is told from another; whatever they are.
  size: z.unknown().optional(),
  transaction_hash: z.unknown().optional(),
});

export const TickSizeSchema = z.object({
  asset_id: z.string(),
  new_tick_size: z.string(),
});

export const BestBidAskSchema = z.object({
  timestamp: OptionalTimestampSchema,
  asset_id: z.string(),
  best_bid: z.string().nullish(),
  best_ask: z.string().nullish(),
});

export const ResolvedSchema = z.object({
  market: z.string(),
  assets_ids: z.array(z.string()).nullish(),
});

export type WirePriceChange = z.infer<typeof PriceChangeSchema>;
