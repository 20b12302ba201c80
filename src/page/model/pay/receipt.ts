import type { Answer } from '#client/answers';
import { shown } from '#client/text';
import { asObject } from '#domain/json';

/** How an answer was paid, in words. */
export interface ReceiptText {
  readonly text: string;
  /** Transaction of the settlement; null if credits paid, or nothing did. */
  readonly transaction: string | null;
  /** Its page in an explorer; null if the answer names none that can be opened. */
  readonly link: string | null;
}

/** Returns what the answer says about its payment. */
export function receiptOf({ body, cached }: Answer<unknown>): ReceiptText {
  const nothing = { transaction: null, link: null };
  if (cached) return { text: 'From an earlier call: still valid, at no cost.', ...nothing };
  const paid = asObject(asObject(body)?.paid);
  if (paid === null) return { text: 'Nothing was charged.', ...nothing };
  if ('credits_used' in paid) {
    const text = `Paid with ${shown(paid.credits_used)} of your credits; ${shown(paid.credits_remaining)} are left.`;
    return { text, ...nothing };
  }
  const { price_paid_usdc: price, transaction, receipt } = paid;
  return {
    text: `Paid ${shown(price)} USDC.`,
    transaction: typeof transaction === 'string' ? shown(transaction) : null,
    link: typeof receipt === 'string' && /^https?:\/\//.test(receipt) ? receipt : null,
  };
}

/** Until when an answer stands; null if it does not say. */
export function standsUntilMs({ body }: Answer<unknown>): number | null {
  const received = asObject(body)?.next_refresh_at;
  const ms = typeof received === 'string' ? Date.parse(received) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}
