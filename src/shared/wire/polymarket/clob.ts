import { z } from 'zod';
import type { BookSnapshot } from '#domain/book/book';
import type { ConditionId } from '#domain/ids';
import { FEE_FREE, type FeeSchedule } from '#domain/market';
import { parseBookSnapshot } from './book-snapshot.js';
import { ConditionSchema } from './condition.js';
import { toFeeSchedule } from './fee-schedule.js';
import { FlagSchema, NumberSchema, orJsonText } from './venue-values.js';

/** What `/clob-markets/{conditionId}` adds to Gamma's words about a market. */
export interface ClobMarket {
  readonly conditionId: ConditionId;
  readonly fee: FeeSchedule;
  /** In shares; null if the CLOB does not give it. */
  readonly minOrderShares: number | null;
  /** null if the CLOB does not say so. */
  readonly acceptingOrders: boolean | null;
}

/**
 * Keys as short as on the wire: c condition, mos minimum order size, ao accepting orders, fd fee {r
 * rate, e exponent}.
 */
const ClobMarketSchema = z.object({
  c: ConditionSchema,
  mos: NumberSchema.refine((value) => (value ?? 0) >= 0).nullish(),
  ao: FlagSchema.nullish(),
  fd: orJsonText(z.object({ r: z.unknown().optional(), e: z.unknown().optional() })),
});

/** Returns the answer of `GET /book`, or null if it is not a book. */
export function parseClobBook(raw: unknown): BookSnapshot | null {
  return parseBookSnapshot(raw);
}

/**
 * Returns the answer of `GET /clob-markets/{conditionId}`, or null. The venue leaves `fd` out where
 * trading is free.
 */
export function parseClobMarket(raw: unknown): ClobMarket | null {
  const parsed = ClobMarketSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { c, mos, ao, fd } = parsed.data;
  return {
    conditionId: c,
    fee: fd === undefined || fd === null ? FEE_FREE : toFeeSchedule(fd.r, fd.e, 'clob fd'),
    minOrderShares: mos ?? null,
    acceptingOrders: ao ?? null,
  };
}
