/** A BUY that is checked; `shares` is about what `usd` buys, for those who are asked in shares. */
export interface PeerOrder {
  readonly conditionId: string;
  readonly tokenId: string;
  readonly usd: number;
  readonly shares: number;
}

/** What somebody says of an order. Left out: it says nothing of it. */
export interface Quote {
  /** The worst price that it would pay, which is named in the order unless there is another for that. */
  readonly limit?: number | undefined;
  readonly toSend?: number | undefined;
  /** What a share costs on average, of an order by USD and of one by shares. */
  readonly average?: number | undefined;
  readonly averageOfShares?: number | undefined;
  /** null: a fee is not spoken of. */
  readonly feeUsd: number | null;
  readonly isBelowMinimum?: boolean | undefined;
  readonly verdict?: string | undefined;
}

/** Where everything is, and what will be asked about. */
export interface WayOptions {
  readonly url: { readonly gamma: string; readonly clob: string; readonly data: string; readonly ws: string };
  readonly service: { readonly url: string; readonly token: string } | null;
  readonly orders: readonly PeerOrder[];
}

/** Checks an order; at once where the book is at hand. */
export type Check = (order: PeerOrder) => Quote | Promise<Quote>;

/** What a module that can be measured exports: it opens whatever it keeps open. */
export interface WayModule {
  open(options: WayOptions): Promise<Check>;
}
