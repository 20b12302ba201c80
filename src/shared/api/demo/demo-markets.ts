import { z } from 'zod';
import { finite, OrderThresholdsSchema } from '../order-numbers.js';
import { DemoBookSchema, DemoMarketStatusSchema } from './demo-events.js';

const text = z.string();

/** What a page has to know of a market to judge an order on its book as the service would. */
const DemoMarketSchema = z.strictObject({
  slug: text,
  question: text.describe('Written by strangers: text, never markup.'),
  condition_id: text,
  outcomes: z.array(
    z.strictObject({
      label: text,
      token_id: text,
      events: text.describe('Where its book is streamed, relative to the address of the service.'),
    }),
  ),
  fee: z
    .strictObject({ rate: finite, exponent: finite, category: text, known: z.boolean() })
    .describe("The market's own taker fee per share: rate * (p(1-p))^exponent."),
  min_order_shares: finite,
  matching_delay_s: finite,
  game_due_at: z.iso
    .datetime({ precision: 3 })
    .nullable()
    .describe('When its game was to be over at the latest; null if it is none.'),
  status: DemoMarketStatusSchema,
  thresholds: OrderThresholdsSchema.describe('What an order is judged by unless its caller says otherwise.'),
});

export type DemoMarket = z.infer<typeof DemoMarketSchema>;

/** The answer of GET /demo/markets (docs/page.md, "Demo lane"). */
export const DemoMarketsSchema = z.strictObject({
  example: z.boolean().describe('true: there is no live market to try; example_market takes its place.'),
  max_book_age_s: finite.describe('An older book causes the event stale.'),
  markets: z.array(DemoMarketSchema).describe('At most five, in the order in which the operator named them.'),
  example_market: z
    .strictObject({ market: DemoMarketSchema, book: DemoBookSchema })
    .optional()
    .describe('The invented book of the free example of preflight_trade; present if example is true.'),
});

export type DemoMarkets = z.infer<typeof DemoMarketsSchema>;
