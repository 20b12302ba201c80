import { asObject, type JsonObject } from '#domain/json';
import { reportedText as text } from './reported-text.js';

/** What an answer about an order says, before anybody has checked it: texts of strangers, one line each. */
export interface ReceivedOrder {
  readonly kind: 'order';
  readonly verdict: string;
  readonly question: string;
  readonly outcome: string;
  readonly order: string;
  readonly requestedAt: string;
  readonly issuer: string;
}

/**
 * Returns what is told in an answer about an order that has evidence. Nothing of it is trusted:
 * whatever is missing is a question mark.
 */
export function reportedOrder(answer: JsonObject): ReceivedOrder {
  const payload = asObject(asObject(answer.evidence)?.payload) ?? {};
  const [market, order] = [asObject(answer.market) ?? {}, asObject(answer.order) ?? {}];
  return {
    kind: 'order',
    verdict: text(answer.verdict),
    question: text(market.question ?? market.slug),
    outcome: text(market.outcome),
    order: `${text(order.side)} for ${text(order.usd)} USD`,
    requestedAt: text(payload.asked_at),
    issuer: text(payload.issuer),
  };
}
