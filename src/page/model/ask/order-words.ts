import type { OrderVerdict } from '#api/order-verdict';
import { foldName } from '#domain/order/same-name';
import { parseMarketReference } from '#domain/order/venue-url';
import { shownName } from '../market/shown-name.js';

/**
 * Returns in words what a request for a verdict is about, such as "Buy “No” for 100 USD
 * in will-it-rain". It is read from the parameters that are sent, so that nothing else can be shown.
 */
export function orderWords(args: Readonly<Record<string, string>>): string {
  const { side, usd, outcome, slug, token_id: tokenId } = args;
  const act = side === 'SELL' ? 'Sell' : 'Buy';
  if (tokenId !== undefined) return `${act} the outcome of token ${shortToken(tokenId)} for ${usd} USD`;
  return `${act} “${shownName(outcome ?? 'Yes')}” for ${usd} USD in ${shownName(slugOf(slug ?? ''))}`;
}

function slugOf(text: string): string {
  const reference = parseMarketReference(text);
  switch (reference.kind) {
    case 'event':
      return reference.market ?? reference.event;
    case 'invalid':
      return text;
    default:
      return reference.slug;
  }
}

/**
 * Whether an answer is about another order than the one that was asked for: what it is about is not
 * left to its word. The slug of an event says nothing of the market within it.
 */
export function isAnotherOrder(
  args: Readonly<Record<string, string>>,
  { market, order }: Pick<OrderVerdict, 'market' | 'order'>,
): boolean {
  const pairs = [
    [args.token_id, market.token_id],
    [marketNamed(args.slug ?? ''), String(market.slug).toLowerCase()],
    [args.side, order.side],
    [args.usd, String(order.usd)],
  ];
  return isAnotherOutcome(args, market.outcome) || pairs.some(([asked, of]) => asked !== undefined && asked !== of);
}

/** The market that an address names; undefined: it may be an event that is named. */
function marketNamed(text: string): string | undefined {
  const reference = parseMarketReference(text);
  const name = reference.kind === 'market' ? reference.slug : reference.kind === 'event' ? reference.market : null;
  return name?.toLowerCase();
}

/** The service takes Yes and No as whole names only. */
function isAnotherOutcome(args: Readonly<Record<string, string>>, answered: string | null): boolean {
  const label = foldName(args.outcome?.split(': ').at(-1) ?? '');
  return (label === 'yes' || label === 'no') && foldName(answered ?? '') !== label;
}

/** Both ends of a number of up to 78 digits. */
function shortToken(tokenId: string): string {
  return `${tokenId.slice(0, 6)}…${tokenId.slice(-6)}`;
}
