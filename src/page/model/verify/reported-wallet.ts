import { asObject, type JsonObject } from '#domain/json';
import { reportedText as text } from './reported-text.js';

/** What an answer about a wallet says, before anybody has checked it: texts of strangers, one line each. */
export interface ReceivedWallet {
  readonly kind: 'wallet';
  readonly wallet: string;
  readonly verdict: string;
  readonly dataThrough: string;
  readonly issuer: string;
}

/**
 * Returns what is told in an answer about a wallet that has evidence. Nothing of it is trusted:
 * whatever is missing is a question mark.
 */
export function reportedWallet(answer: JsonObject): ReceivedWallet {
  const payload = asObject(asObject(answer.evidence)?.payload) ?? {};
  return {
    kind: 'wallet',
    wallet: text(answer.wallet),
    verdict: [answer.verdict, ...(answer.strength === undefined ? [] : [answer.strength])].map(text).join(', '),
    dataThrough: text(answer.data_through),
    issuer: text(payload.issuer),
  };
}
