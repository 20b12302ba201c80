import type { DemoBook, DemoEventData, DemoMarketStatus } from '#api/demo/demo-events';
import type { DemoMarket } from '#api/demo/demo-markets';

/** What the demo lane tells (docs/page.md, "Demo lane"), by the names that it has here. */
export type ReceivedBook = DemoBook;
export type ReceivedMarket = DemoMarket;
export type ReceivedOutcome = DemoMarket['outcomes'][number];
export type ReceivedStatus = DemoMarketStatus;

/** What comes with every event: numbers that only grow, and the token that it is about. */
export type ReceivedHeading = Pick<DemoEventData<'book'>, 'sequence' | 'server_time_ms' | 'token_id'>;

/** A market with a book that does not move. */
export interface ReceivedExample {
  readonly market: ReceivedMarket;
  readonly book: ReceivedBook;
}
