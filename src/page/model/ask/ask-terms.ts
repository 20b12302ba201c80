import { toPriceText } from '#api/prices';
import { asObject, parseJson } from '#domain/json';
import { statusText } from '../book/feed-words.js';

/** Terms of one payment, as the service asked for it. */
export interface Terms {
  readonly priceUsdc: string;
  readonly network: string;
  readonly payTo: string;
  readonly asset: string;
  readonly withinS: number;
}

/** What became of a request that nobody paid. */
export type TermsAnswer =
  | { readonly kind: 'terms'; readonly terms: Terms }
  | { readonly kind: 'notice'; readonly text: string };

/** An answer as it came. */
interface PlainAnswer {
  readonly status: number;
  readonly retryAfterS: number | null;
  readonly text: string;
}

/** Asks without paying. Rejects if there is no answer. */
export type AskPlainly = (path: string) => Promise<PlainAnswer>;

const MICROS = /^\d{1,15}$/;

/**
 * Returns what the service says to a request without payment: its terms, or what is wrong with the
 * request.
 */
export async function askTerms(path: string, ask: AskPlainly): Promise<TermsAnswer> {
  try {
    return read(await ask(path));
  } catch {
    return { kind: 'notice', text: 'The service cannot be reached. Nothing was charged.' };
  }
}

function read({ status, retryAfterS, text }: PlainAnswer): TermsAnswer {
  const body = parseJson(text) as { error?: unknown; accepts?: unknown; fault?: unknown } | undefined;
  const fault = status === 402 ? asObject(body?.fault)?.error : undefined;
  if (typeof fault === 'string') return { kind: 'notice', text: `Change the order: ${fault}` };
  const terms = status === 402 ? termsOf(body?.accepts) : null;
  if (terms !== null) return { kind: 'terms', terms };
  const said = typeof body?.error === 'string' ? ` It says: ${body.error}` : '';
  return { kind: 'notice', text: `${statusText(status, retryAfterS)}${said}` };
}

function termsOf(accepts: unknown): Terms | null {
  const demand = Array.isArray(accepts) ? (accepts[0] as Readonly<Record<string, unknown>> | undefined) : undefined;
  if (typeof demand !== 'object' || demand === null) return null;
  const { maxAmountRequired: micros, network, payTo, asset, maxTimeoutSeconds: withinS } = demand;
  if (typeof micros !== 'string' || !MICROS.test(micros) || typeof withinS !== 'number') return null;
  if (typeof network !== 'string' || typeof payTo !== 'string' || typeof asset !== 'string') return null;
  return { priceUsdc: toPriceText(BigInt(micros)), network: networkName(network), payTo, asset, withinS };
}

function networkName(network: string): string {
  return network === 'base' ? 'Base' : network;
}
