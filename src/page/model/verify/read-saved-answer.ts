import { PRICES, type Tool, toPriceText } from '#api/prices';
import { shown } from '#client/text';
import { asObject, type JsonObject, parseJson, repeatedName } from '#domain/json';

/** Larger than any answer with evidence, in bytes. */
export const SAVED_BYTES_MAX = 8 << 20;

/** What was given to be checked. */
export type SavedAnswer = { readonly kind: 'answer'; readonly answer: JsonObject } | Unusable;

/** It cannot be checked: what is the matter with it, and what to do. */
export interface Unusable {
  readonly kind: 'unusable';
  readonly problem: string;
  readonly next: string;
}

const SAVE_IT = 'Save the whole answer of preflight_trade or preflight_copy as it came, byte for byte.';
const WITH_EVIDENCE = 'Ask with evidence=1, which costs nothing more, and save that answer.';
const paid = (tool: Tool) => `${tool} (${toPriceText(PRICES[tool].amountMicros)} USDC)`;
/** An example with evidence=1 carries none either: what is signed is paid for. */
const WITHOUT_SANDBOX =
  `Ask ${paid('preflight_trade')} or ${paid('preflight_copy')} without sandbox and with evidence=1, ` +
  'and save that answer.';
const ONE_OF_THEM =
  'Ask preflight_copy about one of its wallets with evidence=1, and save that answer: its basis_hash is the ' +
  'evidence_hash of that wallet in the list.';
const ONCE_RATED = 'Once it is rated, ask with evidence=1 and save that answer.';

/** Returns what is said of a file or text that is too long to be read; null if it is not. */
export function tooLong(bytes: number): Unusable | null {
  if (bytes <= SAVED_BYTES_MAX) return null;
  const problem = `This is ${Math.ceil(bytes / (1 << 20))} MB long, and no answer is longer than 8 MB.`;
  return unusable(problem, 'Choose the file of one single answer.');
}

/** Reads the text of a saved answer. Never throws. */
export function readSavedAnswer(given: string): SavedAnswer {
  const text = given.replace(/^\uFEFF/, '').trim();
  if (text === '') return unusable('There is nothing in it.', SAVE_IT);
  // Characters are at most as many as bytes.
  const long = tooLong(text.length);
  if (long !== null) return long;
  const found = parseJson(text);
  if (found === undefined) return unusable(notJson(text), SAVE_IT);
  const twice = repeatedName(text);
  if (twice !== null) return unusable(`It has the name ${shown(twice)} twice in one object: no answer has.`, SAVE_IT);
  const answer = asObject(found);
  if (answer === null) return unusable('This is JSON, but no answer: an answer is one object in braces.', SAVE_IT);
  return withoutEvidence(answer) ?? { kind: 'answer', answer };
}

function withoutEvidence(answer: JsonObject): Unusable | null {
  if (asObject(asObject(answer.evidence)?.payload) !== null) return null;
  if (asObject(answer.payload) !== null && 'jws' in answer) {
    return unusable('This is the evidence alone, without the answer that it belongs to.', SAVE_IT);
  }
  if (answer.sandbox === true) return unusable('This is a free example; examples are not signed.', WITHOUT_SANDBOX);
  if (typeof answer.error === 'string') return unusable('This is an error, which carries no evidence.', WITH_EVIDENCE);
  if ('x402Version' in answer) return unusable('These are payment terms, not an answer.', WITH_EVIDENCE);
  if (Array.isArray(answer.wallets)) {
    return unusable(
      'This is a list of wallets, and lists are not signed: only answers about one wallet are.',
      ONE_OF_THEM,
    );
  }
  if (typeof answer.wallet === 'string' && UNRATED.includes(answer.verdict)) {
    return unusable('This wallet has no rating, so there is nothing to check.', ONCE_RATED);
  }
  return unusable('This answer carries no evidence.', WITH_EVIDENCE);
}

const UNRATED: readonly unknown[] = ['QUEUED', 'NO_COVERAGE'];

function notJson(text: string): string {
  if (text.startsWith('<')) return 'This is a page of HTML, not JSON: something between you and the service answered.';
  if (/^HTTP\/\d/.test(text)) return 'This begins with the headers of the answer: only its body is JSON.';
  if (text.startsWith('{')) return 'This begins like an answer, but it is not whole, or it was changed: it is no JSON.';
  return 'This is not JSON.';
}

function unusable(problem: string, next: string): Unusable {
  return { kind: 'unusable', problem, next };
}
