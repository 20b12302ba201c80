import { z } from 'zod';
import { ConditionSchema } from './condition.js';
import { fieldsOf, type ParsedTrades, parseTradeRows, type RawTrade } from './trade-row.js';
import { parseVenueTimeS } from './venue-time.js';
import { FlagSchema, NumberSchema, orJsonText, TextSchema } from './venue-values.js';

export type TradesPageV2 = ParsedTrades & {
  /** Opaque; null: this was the last page. */
  readonly nextCursor: string | null;
};

/** What the venue reports of how a market ended. */
export type ResolutionV2 =
  | {
      readonly kind: 'final';
      /** In micros of a dollar per share, outcome by outcome. */
      readonly payoutMicros: readonly number[];
      /** In seconds; null if it is not given. */
      readonly resolvedAtS: number | null;
    }
  /** Its oracle has not spoken the last word. */
  | { readonly kind: 'open' }
  | { readonly kind: 'unreadable' };

/** The resolutions of some markets, by condition. */
export interface ResolutionsV2 {
  readonly found: ReadonlyMap<string, ResolutionV2>;
  /** Whether there is a row of which not even the market can be told. */
  readonly isTorn: boolean;
}

/** A cursor goes back to the venue in an address. */
const CURSOR_LENGTH_MAX = 4_096;

const PageSchema = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({
    has_more: FlagSchema.pipe(z.boolean()),
    next_cursor: TextSchema.pipe(z.string().max(CURSOR_LENGTH_MAX)).nullish(),
  }),
});

/**
 * Returns the answer of `GET /v2/trades`, or null if it is no page, or says that there is more and
 * not where.
 */
export function parseTradesV2(raw: unknown): TradesPageV2 | null {
  const parsed = PageSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { has_more: hasMore, next_cursor: cursor } = parsed.data.pagination;
  if (hasMore && !cursor) return null;
  return { ...parseTradeRows(parsed.data.data.map(toRawTradeV2)), nextCursor: hasMore ? (cursor ?? null) : null };
}

/**
 * The second version has the fields of the first in snake_case; what is absent is "" or 999 there.
 */
function toRawTradeV2(raw: unknown): RawTrade {
  const row = fieldsOf(raw);
  return {
    wallet: row.proxy_wallet,
    side: row.side,
    token: row.token_id,
    condition: row.condition_id,
    size: row.size,
    price: row.price,
    time: row.timestamp,
    event: row.event_slug,
    outcomeIndex: row.outcome_index,
    name: row.name,
    pseudonym: row.pseudonym,
    tx: row.transaction_hash,
    isCombo: row.is_combo,
    type: row.type,
  };
}

const DOLLAR_MICROS = 1_000_000;

/** `payouts` are in millionths of a dollar: [500000, 500000] is 50/50. */
const ResolutionSchema = z.object({
  status: z.string().min(1),
  payouts: orJsonText(z.array(NumberSchema.pipe(z.number().int().min(0).max(DOLLAR_MICROS)))),
  resolved_at: z
    .string()
    .refine((one) => one === '' || parseVenueTimeS(one) !== null)
    .nullish(),
});

/** Returns the answer of `GET /v2/resolutions`, or null if it is no list. */
export function parseResolutionsV2(raw: unknown): ResolutionsV2 | null {
  const { data } = fieldsOf(raw);
  if (!Array.isArray(data)) return null;
  const found = new Map<string, ResolutionV2>();
  let isTorn = false;
  for (const one of data) {
    const condition = ConditionSchema.safeParse(fieldsOf(one).condition_id);
    if (condition.success) found.set(condition.data, parseResolution(one));
    else isTorn = true;
  }
  return { found, isTorn };
}

/** A market that is resolved pays exactly one dollar, whoever gets how much of it. */
function parseResolution(raw: unknown): ResolutionV2 {
  const parsed = ResolutionSchema.safeParse(raw);
  if (!parsed.success) return { kind: 'unreadable' };
  const { status, payouts, resolved_at: resolvedAt } = parsed.data;
  if (status.toLowerCase() !== 'resolved') return { kind: 'open' };
  if (payouts?.reduce((sum, payout) => sum + payout, 0) !== DOLLAR_MICROS) return { kind: 'unreadable' };
  return { kind: 'final', payoutMicros: payouts, resolvedAtS: parseVenueTimeS(resolvedAt) };
}
