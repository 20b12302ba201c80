import { isLongToken } from '#domain/ids';
import type { Side } from '#domain/market';
import { parseMarketReference } from '#domain/order/venue-url';

/** What an order on any market is judged with. */
interface OutsideOrder {
  readonly usd: string;
  readonly maxSlippageC: string;
  readonly vetoSlippageC: string;
  readonly maxBookAgeS: string;
}

/** What was chosen in the form for any market of the venue. */
export interface OutsideChoice {
  /** Address, slug or token id, as it was typed. */
  readonly market: string;
  readonly side: Side;
  /** null: not chosen yet. `named` takes the outcome by its name alone, such as that of a team. */
  readonly outcome: 'Yes' | 'No' | 'named' | null;
  /** Candidate of an event, or outcome that is neither Yes nor No. */
  readonly name: string;
}

export const OUTSIDE_START: OutsideChoice = { market: '', side: 'BUY', outcome: null, name: '' };

/** `invalid` says of which field, and what it takes; a token id is an outcome already. */
export type OutsideRequest =
  | { readonly kind: 'request'; readonly path: string; readonly args: Readonly<Record<string, string>> }
  | { readonly kind: 'incomplete'; readonly missing: 'market' | 'outcome' | 'name' }
  | { readonly kind: 'invalid'; readonly why: string };

/** Whether a market is named by a token id, which stands for one outcome. */
export function isToken(market: string): boolean {
  return isLongToken(market.trim());
}

/**
 * Returns the exact request for an order on the market and outcome that a person chose. Nothing is
 * fetched.
 */
export function outsideRequest(choice: OutsideChoice, order: OutsideOrder): OutsideRequest {
  const market = choice.market.trim();
  if (market === '') return { kind: 'incomplete', missing: 'market' };
  const target = isToken(market) ? { token_id: market } : targetBySlug(market, choice);
  if ('kind' in target) return target;
  const args = {
    ...target,
    side: choice.side,
    usd: order.usd,
    max_slippage_c: order.maxSlippageC,
    veto_slippage_c: order.vetoSlippageC,
    max_book_age_s: order.maxBookAgeS,
  };
  return { kind: 'request', path: `/api/preflight_trade?${new URLSearchParams(args)}`, args };
}

function targetBySlug(
  slug: string,
  { outcome, name }: OutsideChoice,
): { readonly slug: string; readonly outcome: string } | Exclude<OutsideRequest, { kind: 'request' }> {
  const reference = parseMarketReference(slug);
  if (reference.kind === 'invalid') return reference;
  if (outcome === null) return { kind: 'incomplete', missing: 'outcome' };
  const named = name.trim();
  if (outcome !== 'named') return { slug, outcome: named === '' ? outcome : `${named}: ${outcome}` };
  return named === '' ? { kind: 'incomplete', missing: 'name' } : { slug, outcome: named };
}

/**
 * Returns the request as a line for a shell, with a token. The query has no sign that a shell would
 * take for its own.
 */
export function curlLine(baseUrl: string, path: string): string {
  return `curl -H "Authorization: Bearer $PREFLIGHT_TOKEN" '${baseUrl}${path}'`;
}
