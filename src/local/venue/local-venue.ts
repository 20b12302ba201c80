import type { TokenId } from '#domain/ids';
import type { Clock } from '#system/clock';
import type { VenueFaults } from './faults/faults.js';
import type { ExampleWallet } from './history/example-wallets.js';
import type { BookView } from './market/book-view.js';
import type { ReplayOptions } from './recording/replay.js';

export interface LocalVenueOptions {
  readonly clock: Clock;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** The same seed gives the same books and, step by step, the same changes. */
  readonly seed?: number;
  /**
   * Average time between two changes of one market, in ms; 250 by default. 0: nothing changes but
   * by `step()`.
   */
  readonly tickMs?: number;
  /** A recording to serve beside the simulated markets. */
  readonly recording?: ReplayOptions;
  /**
   * Also lists markets, and has wallets trade, whose names are not only words
   * (listings/hostile-names.ts).
   */
  readonly hostileNames?: boolean;
  /** Also lists so many ordinary markets, for load; 0 by default. */
  readonly bulkMarkets?: number;
  /**
   * The share of REST requests that an edge answers in the venue's place, and of messages and
   * answers that have null for what may be left out; 0 by default.
   */
  readonly mishaps?: number;
  /** A socket that sends nothing for so long is closed; 20 s by default. */
  readonly heartbeatMs?: number;
}

/** A market of the local venue, for people and for tests. */
export interface LocalMarket {
  readonly slug: string;
  readonly eventSlug: string;
  readonly question: string;
  /** Its short name inside a multi-market event; "" elsewhere. */
  readonly groupItemTitle: string;
  /** What it is good for: "thin book: a few hundred dollars and a wide spread". */
  readonly description: string;
  readonly conditionId: string;
  readonly outcomes: readonly { readonly label: string; readonly tokenId: TokenId }[];
  readonly hasBook: boolean;
}

/**
 * A running local venue. The URLs take the place of the venue's own; paths behind them are the
 * venue's.
 */
export interface LocalVenue {
  readonly gammaUrl: string;
  readonly clobUrl: string;
  readonly dataUrl: string;
  readonly wsUrl: string;
  /** The live feed of trades (RTDS). */
  readonly rtdsUrl: string;
  /** Where faults and steps can be sent as JSON. */
  readonly controlUrl: string;
  /**
   * Wallets of the planned past by what they show: one that is skilled, one that nobody has seen,
   * ...
   */
  readonly exampleWallets: readonly ExampleWallet[];
  /** Every market of today; the past is found by asking for it. */
  readonly markets: readonly LocalMarket[];
  readonly faults: VenueFaults;
  /** Open market-channel sockets. */
  readonly socketCount: number;
  /**
   * Lets so many changes (1) happen: in the simulated market with this slug, or in every one of
   * them, and then as many frames of the recording are played too.
   */
  step(count?: number, slug?: string): void;
  /** The true book of a token at this moment, whatever its doors are made to show; null: none. */
  bookOf(tokenId: string): BookView | null;
  close(): Promise<void>;
}
