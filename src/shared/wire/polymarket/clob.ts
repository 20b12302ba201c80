import { z } from 'zod';
import type { BookSnapshot } from '#domain/book/book';
import type { ConditionId } from '#domain/ids';
import { FEE_FREE, type FeeSchedule } from '#domain/market';
import { BookSchema, toBookSnapshot } from './book-snapshot.js';
import { ConditionSchema } from './condition.js';
import { toFeeSchedule } from './fee-schedule.js';

/** What `/clob-markets/{conditionId}` adds to Gamma's words about a market. */
export interface ClobMarket {
  readonly conditionId: ConditionId;
  readonly fee: FeeSchedule;
  /** In shares; null if the CLOB does not give it. */
  readonly minOrderShares: number | null;
  readonly acceptingOrders: boolean;
}

/**
 * Keys as short as on the wire: c condition, mos minimum order size, ao accepting orders, fd fee {r
 * rate, e exponent}.
 */
const ClobMarketSchema = z.object({
  c: ConditionSchema,
  mos: z.number().min(0).nullish(),
  ao: z.boolean().nullish(),
  fd: z.object({ r: z.unknown().optional(), e: z.unknown().optional() }).nullish(),
});

/** Returns the answer of `GET /book`, or null if it is not a book. */
export function parseClobBook(raw: unknown): BookSnapshot | null {
  const parsed = BookSchema.safeParse(raw);
  return parsed.success ? toBookSnapshot(parsed.data) : null;
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
    acceptingOrders: ao ?? false,
  };
}
