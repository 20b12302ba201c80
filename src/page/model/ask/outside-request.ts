import type { Side } from '#domain/market';
import { parseMarketReference } from '#domain/order/venue-url';

/** What an order on any market is asked with. */
export interface OutsideOrder {
  readonly side: Side;
  readonly usd: string;
  readonly maxSlippageC: string;
  readonly vetoSlippageC: string;
  readonly maxBookAgeS: string;
}

/** `invalid` says what a market is named by. */
export type OutsideRequest =
  | { readonly kind: 'request'; readonly path: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly why: string };

const TOKEN_ID = /^\d{20,78}$/;

/**
 * Returns the exact request for an order on the market that a person named: by address, slug or
 * token. Nothing is fetched.
 */
export function outsideRequest(named: string, order: OutsideOrder): OutsideRequest {
  const text = named.trim();
  if (text === '') return { kind: 'empty' };
  const isToken = TOKEN_ID.test(text);
  if (!isToken) {
    const reference = parseMarketReference(text);
    if (reference.kind === 'invalid') return reference;
  }
  const query = new URLSearchParams([
    [isToken ? 'token_id' : 'slug', text],
    ['side', order.side],
    ['usd', order.usd],
    ['max_slippage_c', order.maxSlippageC],
    ['veto_slippage_c', order.vetoSlippageC],
    ['max_book_age_s', order.maxBookAgeS],
  ]);
  return { kind: 'request', path: `/api/preflight_trade?${query}` };
}

/**
 * Returns the request as a line for a shell, with a token. The query has no sign that a shell would
 * take for its own.
 */
export function curlLine(baseUrl: string, path: string): string {
  return `curl -H "Authorization: Bearer $PREFLIGHT_TOKEN" '${baseUrl}${path}'`;
}
