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
 * Whether an answer is about another side than the Yes or No that was asked for. The service takes
 * these as whole names only, and what an answer is about is not left to its word.
 */
export function isAnotherOutcome(args: Readonly<Record<string, string>>, answered: string | null): boolean {
  const label = foldName(args.outcome?.split(': ').at(-1) ?? '');
  return (label === 'yes' || label === 'no') && foldName(answered ?? '') !== label;
}

/** Both ends of a number of up to 78 digits. */
function shortToken(tokenId: string): string {
  return `${tokenId.slice(0, 6)}…${tokenId.slice(-6)}`;
}
