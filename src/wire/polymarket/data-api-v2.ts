import { z } from 'zod';
import { fieldsOf, type ParsedTrades, parseTradeRows, type RawTrade } from './trade-row.js';
import { parseVenueTimeS } from './venue-time.js';

export type TradesPageV2 = ParsedTrades & {
  /** Opaque; null: this was the last page. */
  readonly nextCursor: string | null;
};

/** What the venue reports of how a market ended. */
export interface ResolutionV2 {
  /** Whether its oracle has spoken the last word. */
  readonly isFinal: boolean;
  /** In micros of a dollar per share, outcome by outcome; null if it is not final, or not given. */
  readonly payoutMicros: readonly number[] | null;
  /** In seconds; null if it is not given. */
  readonly resolvedAtS: number | null;
}

/** A cursor goes back to the venue in an address. */
const CURSOR_LENGTH_MAX = 4_096;

const PageSchema = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({
    has_more: z.boolean(),
    next_cursor: z.string().max(CURSOR_LENGTH_MAX).nullish(),
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
    type: row.type,
  };
}

const DOLLAR_MICROS = 1_000_000;

/** `payouts` are in millionths of a dollar: [500000, 500000] is 50/50. */
const ResolutionSchema = z.object({
  condition_id: z.string().min(1),
  status: z.string(),
  payouts: z.array(z.number().int().min(0).max(DOLLAR_MICROS)).nullish(),
  resolved_at: z.string().nullish(),
});

/**
 * Returns the answer of `GET /v2/resolutions` by condition, or null if it is no list. A payout
 * counts only if the state is `resolved` and the outcomes share out exactly one dollar; rows that
 * cannot be read are left out.
 */
export function parseResolutionsV2(raw: unknown): ReadonlyMap<string, ResolutionV2> | null {
  const { data } = fieldsOf(raw);
  if (!Array.isArray(data)) return null;
  const found = new Map<string, ResolutionV2>();
  for (const one of data) {
    const parsed = ResolutionSchema.safeParse(one);
    if (!parsed.success) continue;
    const { condition_id: condition, status, payouts, resolved_at: resolvedAt } = parsed.data;
    const isFinal = status === 'resolved';
    const isWhole = payouts?.reduce((sum, payout) => sum + payout, 0) === DOLLAR_MICROS;
    found.set(condition.toLowerCase(), {
      isFinal,
      payoutMicros: isFinal && isWhole ? (payouts ?? null) : null,
      resolvedAtS: parseVenueTimeS(resolvedAt),
    });
  }
  return found;
}
