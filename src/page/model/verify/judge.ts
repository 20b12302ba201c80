import type { Check } from '#client/evidence/check';
import type { Verification } from '#client/evidence/verify';
import type { ReceivedOrder } from './reported-order.js';

/** What a check is about, in the order in which a reader asks. */
export type CheckGroup = 'who' | 'what' | 'from';

export const GROUP_TITLES: Readonly<Record<CheckGroup, string>> = {
  who: 'Who says so',
  what: 'What it says, computed again here',
  from: 'What it was computed from',
};

interface CheckText {
  readonly group: CheckGroup;
  readonly title: string;
  readonly meaning: string;
}

const TEXTS: Readonly<Record<string, CheckText>> = {
  signature: {
    group: 'who',
    title: 'Signature',
    meaning: 'Not a byte of the evidence was changed since it was signed.',
  },
  issuer: { group: 'who', title: 'Issuer', meaning: 'The key that signed is one that this service publishes.' },
  engine: {
    group: 'who',
    title: 'Engine',
    meaning: 'The program that judged. Another build is no fault: what counts is that it computes the same.',
  },
  form: { group: 'who', title: 'Form', meaning: 'The evidence has what is needed to compute the answer again.' },
  verdict: { group: 'what', title: 'Verdict', meaning: 'The book and the limits lead to this verdict.' },
  reasons: { group: 'what', title: 'Reasons', meaning: 'They are the ones that these numbers give.' },
  numbers: { group: 'what', title: 'Numbers', meaning: 'All numbers together, and none beside them.' },
  answer: {
    group: 'what',
    title: 'Rest of the answer',
    meaning: 'Market, order, times and limits are those of the evidence.',
  },
  payload: { group: 'from', title: 'Evidence', meaning: 'Its result follows from its book.' },
  venue_hash: {
    group: 'from',
    title: 'Hash of the book',
    meaning:
      "The levels match the hash that came with them. Anyone can compute that hash, so that the venue had this book is the service's " +
      'word. A book that someone else recorded proves more: preflight verify --book.',
  },
  response_hash: {
    group: 'from',
    title: 'Response hash',
    meaning: 'One hash over request, result, method and time of the data, for who wants to compare receipts.',
  },
};

/** A check as it is shown. */
export interface ShownCheck extends CheckText {
  readonly name: string;
  readonly holds: boolean | null;
  /** What was found. It repeats what a stranger wrote. */
  readonly says: string;
}

/** Returns a check with its words. `numberTexts`: what each number of a verdict means. */
export function showCheck(
  { name, holds, says }: Check,
  numberTexts: Readonly<Record<string, string>> = {},
): ShownCheck {
  const number = numberTexts[name];
  const about: CheckText =
    number === undefined
      ? (TEXTS[name] ?? { group: 'what', title: name, meaning: '' })
      : { group: 'what', title: name, meaning: number };
  return { name, holds, says, ...about };
}

/** What came of checking an answer. */
export type Judgement = {
  readonly kind: 'holds' | 'fails' | 'other_service' | 'unknown_key';
  readonly title: string;
  readonly text: string;
};

/** Says in words what came of a check by the keys of the service `issuer`. */
export function judge({ holds, checks }: Verification, received: ReceivedOrder, issuer: string): Judgement {
  if (holds) return { kind: 'holds', title: 'Verified.', text: HOLDS };
  if (received.issuer !== issuer) {
    const text =
      `It names ${received.issuer} as its issuer, and this page has the keys of ${issuer} alone. ` +
      'Check it on the page of the service that you had it from.';
    return { kind: 'other_service', title: 'This is an answer of another service.', text };
  }
  const failing = checks.filter((check) => check.holds === false);
  const isKeyOnly = failing.every(({ name }) => name === 'signature' || name === 'issuer');
  if (isKeyOnly && failing.some(({ says }) => says.startsWith('it cannot be checked without its key'))) {
    const text =
      'Everything follows from its evidence, but the key that signed it is not among those that this service publishes, ' +
      'so anyone may have made it. Do not rely on it.';
    return { kind: 'unknown_key', title: 'The signer is unknown.', text };
  }
  // Signed well, by a key of this service, and yet not to be believed: only a revoked key is that.
  if (failing.every(({ name }) => name === 'issuer')) {
    const text = 'The key that signed it has been revoked since, so anyone may have made it. Ask the service again.';
    return { kind: 'unknown_key', title: 'Its key is not trusted any more.', text };
  }
  const names = failing.map(({ name }) => showCheck({ name, holds: false, says: '' }).title);
  const text = `What does not hold: ${names.join(', ')}. It was changed, or it never was an answer of this service.`;
  return { kind: 'fails', title: 'It does not hold: do not rely on this answer.', text };
}

const HOLDS =
  'The service signed this evidence, and every number, reason and the verdict follow from the order book in it. ' +
  'It was computed again in this tab. That the venue had this book is what the service says.';
