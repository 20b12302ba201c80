/** What the HTTP door knows of a request beside its headers, and what it is told back of its answer. */
export interface Exchange {
  readonly requestId: string;
  /** Network address of the caller. */
  readonly caller: string;
  /** Whether the answer was paid for on the chain. */
  paid: boolean;
}

const exchanges = new WeakMap<Request, Exchange>();

/** Remembers an exchange for as long as its request lives. The library carries the request to the tool, and nothing else of ours. */
export function beginExchange(request: Request, facts: Pick<Exchange, 'requestId' | 'caller'>): Exchange {
  const exchange = { ...facts, paid: false };
  exchanges.set(request, exchange);
  return exchange;
}

/** Returns the exchange of a request; one of nobody where the request did not come through the HTTP door. */
export function exchangeOf(request: Request | undefined): Exchange {
  const exchange = request === undefined ? undefined : exchanges.get(request);
  return exchange ?? { requestId: '', caller: '', paid: false };
}
