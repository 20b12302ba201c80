import { isLongToken } from '#domain/ids';
import type { Side } from '#domain/market';
import { MARKET_CHARS_MAX, OUTCOME_CHARS_MAX } from '#domain/order/thresholds';
import { parseMarketReference } from '#domain/order/venue-url';
import { type OrderFields, readOrder } from '../order/order-input.js';

/** What an order on any market is judged with, as it was typed. */
type OutsideOrder = Omit<OrderFields, 'side'>;

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

/**
 * `invalid` says of which field, and what it takes; `order` are size and limits, whose own fields
 * say it too. A token id is an outcome already.
 */
export type OutsideRequest =
  | { readonly kind: 'request'; readonly path: string; readonly args: Readonly<Record<string, string>> }
  | { readonly kind: 'incomplete'; readonly missing: 'market' | 'outcome' | 'name' }
  | { readonly kind: 'invalid'; readonly field: 'market' | 'name' | 'order'; readonly why: string };

/** Whether a market is named by a token id, which stands for one outcome. */
export function isToken(market: string): boolean {
  return isLongToken(market.trim());
}

/**
 * Returns the exact request for an order on the market and outcome that a person chose. Nothing is
 * fetched, and what the service would refuse of its form is none: it says so only to a payment.
 */
export function outsideRequest(choice: OutsideChoice, order: OutsideOrder): OutsideRequest {
  const market = choice.market.trim();
  if (market === '') return { kind: 'incomplete', missing: 'market' };
  const target = isToken(market) ? { token_id: market } : targetBySlug(market, choice);
  if ('kind' in target) return target;
  const reading = readOrder({ ...order, side: choice.side });
  if (reading.kind === 'invalid') return invalid('order', reading.why);
  const { side, usd, thresholds } = reading.order;
  const args = {
    ...target,
    side,
    usd: String(usd),
    max_slippage_c: String(thresholds.slippageCautionCents),
    veto_slippage_c: String(thresholds.slippageVetoCents),
    max_book_age_s: String(thresholds.bookStaleVetoS),
  };
  return { kind: 'request', path: `/api/preflight_trade?${new URLSearchParams(args)}`, args };
}

function targetBySlug(
  slug: string,
  { outcome, name }: OutsideChoice,
): { readonly slug: string; readonly outcome: string } | Exclude<OutsideRequest, { kind: 'request' }> {
  if (slug.length > MARKET_CHARS_MAX) return invalid('market', `Give at most ${MARKET_CHARS_MAX} characters.`);
  const reference = parseMarketReference(slug);
  if (reference.kind === 'invalid') return invalid('market', reference.why);
  if (outcome === null) return { kind: 'incomplete', missing: 'outcome' };
  const named = name.trim();
  if (outcome === 'named' && named === '') return { kind: 'incomplete', missing: 'name' };
  const wanted = outcome === 'named' ? named : named === '' ? outcome : `${named}: ${outcome}`;
  if (wanted.length > OUTCOME_CHARS_MAX) return invalid('name', `Give at most ${OUTCOME_CHARS_MAX} characters.`);
  return { slug, outcome: wanted };
}

function invalid(field: 'market' | 'name' | 'order', why: string): OutsideRequest & { readonly kind: 'invalid' } {
  return { kind: 'invalid', field, why };
}

/**
 * Returns the request as a line for a shell, with a token. The query has no sign that a shell would
 * take for its own.
 */
export function curlLine(baseUrl: string, path: string): string {
  return `curl -H "Authorization: Bearer $PREFLIGHT_TOKEN" '${baseUrl}${path}'`;
}
