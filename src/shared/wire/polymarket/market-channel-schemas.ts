import { z } from 'zod';
import { TimestampSchema } from './book-snapshot.js';
import { TextListSchema, TextSchema } from './venue-values.js';

/**
 * The events of the market channel as they come (docs/venue.md, "Market channel"). Every number is
 * a decimal string, and read where it is a number; an absent one is "". Hashes, times and best prices may be null or absent, which
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
      asset_id: TextSchema,
      price: TextSchema,
      size: TextSchema,
      side: SideSchema,
      hash: z.string().nullish(),
    }),
  ),
});

/** Before: one token per frame, with a list of changes. */
export const LegacyPriceChangesSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: TextSchema,
  hash: z.string().nullish(),
  changes: z.array(z.object({ price: TextSchema, size: TextSchema, side: SideSchema })),
});

/** Older still: one change, all of it at the top. */
export const FlatPriceChangeSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: TextSchema,
  hash: z.string().nullish(),
  price: TextSchema,
  size: TextSchema,
  side: SideSchema,
});

export const LastTradeSchema = z.object({
  market: z.string(),
  timestamp: OptionalTimestampSchema,
  asset_id: TextSchema,
  price: TextSchema,
  // By these two one announcement is told from another; whatever they are.
  size: z.unknown().optional(),
  transaction_hash: z.unknown().optional(),
});

export const TickSizeSchema = z.object({
  asset_id: TextSchema,
  new_tick_size: TextSchema,
});

export const BestBidAskSchema = z.object({
  timestamp: OptionalTimestampSchema,
  asset_id: TextSchema,
  best_bid: TextSchema.nullish(),
  best_ask: TextSchema.nullish(),
});

/** Either names what is over. */
export const ResolvedSchema = z.object({
  market: z.string().nullish().catch(null),
  assets_ids: TextListSchema.nullish().catch(null),
});

export type WirePriceChange = z.infer<typeof PriceChangeSchema>;
