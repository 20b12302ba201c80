import { GuardrailRefused, NotPaid, OutcomeUnknown, type PreflightError, ServiceProblem } from '#client/terms/errors';
import type { GuardrailRule } from '#client/terms/rules';
import { shown } from '#client/text';
import { asObject } from '#domain/json';
import { waitText } from '../texts.js';

/** What went wrong, in words, what became of the money, and what to do. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  /** The rule that refused, with what it expects and what was there. */
  readonly rule?: { readonly name: GuardrailRule; readonly expected: string; readonly found: string };
  /** What an answer would have accepted. */
  readonly candidates?: readonly string[];
  readonly charged: 'nothing' | 'unknown';
  readonly next: string;
}

/** What EIP-1193 says when the person declines. */
export const DECLINED = 4001;

/** Whether the person said no in their wallet. */
function isDeclined(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return code === DECLINED || (cause !== undefined && isDeclined(cause));
}

/** Whether the service refused the evidence of an answer, and not the answer. */
export function isEvidenceRefused(error: unknown): boolean {
  return error instanceof ServiceProblem && error.code === 'evidence_unavailable';
}

/** Returns an error of the client, or of a wallet, in words. */
export function failureOf(error: unknown): Failure {
  if (isDeclined(error)) return DECLINED_FAILURE;
  if (error instanceof GuardrailRefused) return refused(error);
  if (error instanceof ServiceProblem) return problem(error);
  if (error instanceof OutcomeUnknown)
    return { ...plain('The outcome is not known.', error.message), charged: 'unknown' };
  if (error instanceof NotPaid) {
    return { title: 'Not paid.', text: sentence(error), charged: toldCharge(error), next: `${error.next}.` };
  }
  return plain('The wallet could not be used.', shown(asObject(error)?.message ?? error));
}

const DECLINED_FAILURE: Failure = {
  title: 'You declined in the wallet.',
  text: 'Nothing was signed and nothing was sent.',
  charged: 'nothing',
  next: 'Ask again whenever you like.',
};

/** Nothing that fails is certainly paid. */
function toldCharge({ charged }: PreflightError): Failure['charged'] {
  return charged === 'nothing' ? 'nothing' : 'unknown';
}

function refused(error: GuardrailRefused): Failure {
  const { rule, expected, found, charged, next } = error;
  // A second demand is one that comes after a payment.
  const wasSent = charged === 'unknown' || rule === 'too_many_demands';
  return {
    title: 'A rule refused this payment.',
    text: wasSent ? 'A payment was sent before.' : 'Your wallet was not asked to sign.',
    rule: { name: rule, expected, found },
    charged: toldCharge(error),
    next: `${next}.`,
  };
}

function problem(error: ServiceProblem): Failure {
  const { status, code, charged, next, retryAfterS, candidates } = error;
  return {
    title: status === 0 ? 'The service did not answer.' : `The service said no (${status}, ${code}).`,
    text: sentence(error),
    ...(candidates === undefined ? {} : { candidates }),
    charged: toldCharge(error),
    next:
      retryAfterS === undefined || charged !== 'nothing' ? `${next}.` : `Try again in ${waitText(retryAfterS * 1e3)}.`,
  };
}

/** Returns the message of an error without what to do next, which stands on a line of its own. */
export function sentence({ message, next }: PreflightError): string {
  return message.endsWith(`. ${next}`) ? message.slice(0, -next.length - 1) : message;
}

function plain(title: string, text: string): Failure {
  return { title, text, charged: 'nothing', next: 'Try again, or use another wallet.' };
}

export const NO_TERMS: Failure = {
  title: 'The service asks for a payment in a form that cannot be read.',
  text: 'Nothing was signed.',
  charged: 'nothing',
  next: 'Something between you and the service may have answered in its place: try again from another network.',
};

/** A queued wallet that was not rated as long as its payment could be used. */
export const LAPSED: Failure = {
  title: 'The rating is not ready yet.',
  text: 'Your payment has lapsed unused while the service was at work.',
  charged: 'nothing',
  next: 'Ask again: your wallet will ask for another signature, and the rating is probably there by now.',
};

/** A payment whose outcome the service did not tell as long as it could be used. */
export function overFailure(nonce: string): Failure {
  return {
    title: 'The service did not report the outcome in time.',
    text:
      'The payment is over and cannot be used any more. Whether it was used before, the transfers of your wallet show: ' +
      `its nonce is ${nonce}.`,
    charged: 'unknown',
    next: 'If it was charged, write to the support address below with this nonce.',
  };
}
