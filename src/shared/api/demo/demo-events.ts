import { z } from 'zod';

/** What is told on a stream of GET /demo/books/{token_id}/events (docs/page.md, "Demo lane"). */

const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const level = z.tuple([decimal, decimal]).describe('Price in USD and size in shares.');
const ms = z.int().min(0);

/** In the form of evidence (docs/interface.md, "Evidence"). */
export const DemoMarketStatusSchema = z.strictObject({
  active: z.boolean(),
  closed: z.boolean(),
  accepting_orders: z.boolean(),
  order_book_enabled: z.boolean(),
  uma_resolution_status: z.string(),
});

/** A book, in the form of evidence. */
export const DemoBookSchema = z.strictObject({
  timestamp_ms: ms.describe("The venue's clock when the book last changed; 0 if it has none."),
  confirmed_age_ms: ms.describe('Time since the venue last confirmed this book: the age of a verdict.'),
  listed: z.boolean().describe('False if the venue has no book for this token.'),
  tick_size: z.string().nullable(),
  doubt: z
    .enum(['out_of_order', 'unreadable_frame', 'trade_without_book', 'tick_size', 'hash'])
    .nullable()
    .describe("What speaks against this book until the venue has confirmed it; hash: the venue's own hash differs."),
  trusted: z
    .boolean()
    .describe('False while it is in doubt, crossed or nothing but extremes: a verdict would ask the venue first.'),
  bids: z.array(level).describe('Every bid, the best last.'),
  asks: z.array(level).describe('Every ask, the best last.'),
});

const heading = {
  sequence: ms.describe('Grows with every event.'),
  server_time_ms: ms.describe('Wall time of the service; ages are as of now.'),
  token_id: z.string(),
};

/** The data of each event, by its name. */
export const DEMO_EVENTS = {
  book: z.strictObject({ ...heading, book: DemoBookSchema, market_status: DemoMarketStatusSchema }),
  stale: z.strictObject({
    ...heading,
    age_ms: ms.nullable().describe('null: the venue gives no book.'),
    limit_ms: ms,
  }),
  closed: z.strictObject({ ...heading, market_status: DemoMarketStatusSchema }),
} as const;

export type DemoBook = z.infer<typeof DemoBookSchema>;
export type DemoMarketStatus = z.infer<typeof DemoMarketStatusSchema>;
export type DemoEventName = keyof typeof DEMO_EVENTS;
export type DemoEventData<Name extends DemoEventName> = z.infer<(typeof DEMO_EVENTS)[Name]>;
