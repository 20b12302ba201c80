/** What the demo lane tells (docs/page.md): as much of its answers as the page reads. */
export type ToldLevel = readonly [price: string, size: string];

export interface ToldStatus {
  readonly active: boolean;
  readonly closed: boolean;
  readonly accepting_orders: boolean;
  readonly order_book_enabled: boolean;
  readonly uma_resolution_status: string;
}

export interface ToldBook {
  /** The venue's clock when the book last changed. */
  readonly timestamp_ms: number;
  readonly confirmed_age_ms: number;
  readonly listed: boolean;
  /** What speaks against the book until the venue has confirmed it; null: nothing. */
  readonly doubt: string | null;
  /** False: a verdict would ask the venue first. */
  readonly trusted: boolean;
  /** The best last. */
  readonly bids: readonly ToldLevel[];
  readonly asks: readonly ToldLevel[];
}

export interface ToldOutcome {
  readonly label: string;
  readonly token_id: string;
  /** Where its book is streamed. */
  readonly events: string;
}

export interface ToldMarket {
  readonly slug: string;
  readonly question: string;
  readonly outcomes: readonly ToldOutcome[];
  readonly fee: {
    readonly rate: number;
    readonly exponent: number;
    readonly category: string;
    readonly known: boolean;
  };
  readonly min_order_shares: number;
  readonly matching_delay_s: number;
  readonly status: ToldStatus;
}

/** A market with a book that does not move. */
export interface ToldExample {
  readonly market: ToldMarket;
  readonly book: ToldBook;
}

/** What comes with every event: numbers that only grow, and the token that it is about. */
export interface ToldHeading {
  readonly sequence: number;
  readonly server_time_ms: number;
  readonly token_id: string;
}
