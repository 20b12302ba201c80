import type { Check } from '#client/evidence/check';
import type { Verification } from '#client/evidence/verify';
import { type CheckText, checkText } from './check-texts.js';
import type { Received } from './received.js';

/** A check as it is shown. */
export interface ShownCheck extends CheckText {
  readonly name: string;
  readonly holds: boolean | null;
  /** What was found. It repeats what a stranger wrote. */
  readonly says: string;
}

/**
 * Returns a check of an answer about an order or a wallet with its words. `numberTexts`: what each
 * number of a verdict means.
 */
export function showCheck(
  { name, holds, says }: Check,
  kind: Received['kind'],
  numberTexts: Readonly<Record<string, string>> = {},
): ShownCheck {
  const number = kind === 'order' ? numberTexts[name] : undefined;
  const about: CheckText =
    number === undefined
      ? (checkText(name, kind) ?? { group: 'what', title: name, meaning: '' })
      : { group: 'what', title: name, meaning: number };
  return { name, holds, says, ...about };
}

/** What came of checking an answer. `signed`: nothing of it could be computed again. */
export type Judgement = {
  readonly kind: 'holds' | 'signed' | 'fails' | 'other_service' | 'unknown_key';
  readonly title: string;
  readonly text: string;
};

/** Says in words what came of a check by the keys of the service `issuer`. */
export function judge({ holds, checks }: Verification, received: Received, issuer: string): Judgement {
  if (holds && checks.some(({ name, holds: held }) => name === 'entries' && held === null)) return SIGNED_ONLY;
  if (holds) return { kind: 'holds', title: 'Verified.', text: HOLDS[received.kind] };
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
  const names = failing.map(({ name }) => showCheck({ name, holds: false, says: '' }, received.kind).title);
  const text = `What does not hold: ${names.join(', ')}. It was changed, or it never was an answer of this service.`;
  return { kind: 'fails', title: 'It does not hold: do not rely on this answer.', text };
}

const HOLDS: Readonly<Record<Received['kind'], string>> = {
  order:
    'The service signed this evidence, and every number, reason and the verdict follow from the order book in it. ' +
    'It was computed again in this tab. That the venue had this book is what the service says.',
  wallet:
    'The service signed this evidence, and every figure, reason and the verdict follow from the entries in it. ' +
    'It was computed again in this tab. That the wallet made these trades is what the service says: ' +
    'preflight verify --against-venue looks a sample of them up.',
};

const SIGNED_ONLY: Judgement = {
  kind: 'signed',
  title: 'Signed, and not computed again.',
  text:
    'The service signed these figures. The wallet has too many entries for them to be listed, so nothing could be ' +
    'computed again here: the figures are what the service says.',
};
