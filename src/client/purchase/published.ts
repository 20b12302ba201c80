import { exchange } from '../http/http.js';
import { orUnavailable } from '../state/or-unavailable.js';
import { GuardrailRefused, NotPaid } from '../terms/errors.js';
import { type PublishedTerms, readPublishedTerms } from '../terms/published-terms.js';
import { sameAddress } from '../terms/terms.js';
import type { ClientContext } from './context.js';

/** /llms.txt is read again after this long, as its own Cache-Control says. */
const TERMS_VALID_MS = 300_000;

/**
 * Reads what a service publishes about payments, and holds it to the payee that was pinned at its
 * first use.
 */
export class Published {
  readonly #context: ClientContext;
  #read: { readonly terms: PublishedTerms; readonly atMs: number } | null = null;

  constructor(context: ClientContext) {
    this.#context = context;
  }

  /**
   * Returns the terms that a demand has to meet. Without a payer nothing is pinned. Rejects with
   * GuardrailRefused or NotPaid.
   */
  async terms(payer: string | null, signal: AbortSignal): Promise<PublishedTerms> {
    const terms = await this.#current(signal);
    const { baseUrl, limits } = this.#context;
    if (terms.baseUrl !== baseUrl) {
      throw new GuardrailRefused({ rule: 'origin_mismatch', expected: baseUrl, found: terms.baseUrl });
    }
    const pinned = limits.payTo ?? (payer === null ? terms.payTo : await this.#pinned(payer, terms));
    if (sameAddress(pinned, terms.payTo)) return terms;
    this.#read = null;
    throw new GuardrailRefused({ rule: 'payee_changed', expected: pinned, found: terms.payTo });
  }

  #pinned(payer: string, { payTo }: PublishedTerms): Promise<string> {
    const { state, baseUrl } = this.#context;
    return orUnavailable(state.pins.pin(payer, new URL(baseUrl).origin, payTo));
  }

  async #current(signal: AbortSignal): Promise<PublishedTerms> {
    const { clock } = this.#context.system;
    const nowMs = clock.elapsedMs();
    if (this.#read !== null && nowMs - this.#read.atMs < TERMS_VALID_MS) return this.#read.terms;
    const { baseUrl, fetch } = this.#context;
    const { status, text } = await exchange(
      fetch,
      { method: 'GET', url: `${baseUrl}/llms.txt`, body: null },
      {},
      signal,
    );
    const terms = status === 200 ? readPublishedTerms(text) : `it answered ${status}`;
    if (typeof terms === 'string') {
      throw new NotPaid(`the payment terms cannot be checked: ${baseUrl}/llms.txt cannot be used, ${terms}`, {
        charged: 'nothing',
        next: 'Check the address of the service',
      });
    }
    this.#read = { terms, atMs: nowMs };
    return terms;
  }
}
