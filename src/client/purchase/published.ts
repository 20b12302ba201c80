import { exchange } from '../http/http.js';
import { orUnavailable } from '../state/or-unavailable.js';
import { GuardrailRefused, NotPaid } from '../terms/errors.js';
import { type PublishedTerms, readPublishedTerms } from '../terms/published-terms.js';
import { sameAddress } from '../terms/terms.js';
import type { ClientContext } from './context.js';

/** /llms.txt is read again after this long, as its own Cache-Control says. */
const TERMS_VALID_MS = 300_000;

/**
 * Returns the terms that a demand has to meet. Without a payer nothing is pinned. Rejects with
 * GuardrailRefused or NotPaid.
 */
export type PublishedTermsFor = (payer: string | null, signal: AbortSignal) => Promise<PublishedTerms>;

/**
 * Reads what a service publishes about payments, and holds it to the payee that was pinned at its
 * first use.
 */
export function publishedTerms({ baseUrl, limits, state, fetch, system }: ClientContext): PublishedTermsFor {
  let read: { readonly terms: PublishedTerms; readonly atMs: number } | null = null;

  async function current(signal: AbortSignal): Promise<PublishedTerms> {
    const nowMs = system.clock.elapsedMs();
    if (read !== null && nowMs - read.atMs < TERMS_VALID_MS) return read.terms;
    const url = `${baseUrl}/llms.txt`;
    const { status, text } = await exchange(fetch, { method: 'GET', url, body: null }, {}, signal);
    const terms = status === 200 ? readPublishedTerms(text) : `it answered ${status}`;
    if (typeof terms === 'string') {
      throw new NotPaid(`the payment terms cannot be checked: ${url} cannot be used, ${terms}`, {
        charged: 'nothing',
        next: 'Check the address of the service',
      });
    }
    read = { terms, atMs: nowMs };
    return terms;
  }

  return async (payer, signal) => {
    const terms = await current(signal);
    if (terms.baseUrl !== baseUrl) {
      throw new GuardrailRefused({ rule: 'origin_mismatch', expected: baseUrl, found: terms.baseUrl });
    }
    const pin = () => orUnavailable(state.pins.pin(payer!, new URL(baseUrl).origin, terms.payTo));
    const pinned = limits.payTo ?? (payer === null ? terms.payTo : await pin());
    if (sameAddress(pinned, terms.payTo)) return terms;
    read = null;
    throw new GuardrailRefused({ rule: 'payee_changed', expected: pinned, found: terms.payTo });
  };
}
