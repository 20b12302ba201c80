import { shown } from '../text.js';
import type { Fault, GuardrailRule } from './rules.js';

/**
 * What a caller of the SDK has to expect. Stable: the names, `charged`, `next` and the facts of
 * each class. Texts of a server are shown in `message` and never acted upon.
 */

/**
 * What became of the money of a call that failed. `unknown`: it may still be charged, and at most
 * once.
 */
export type Charged = 'nothing' | 'unknown' | 'paid';

interface ErrorFacts {
  readonly charged: Charged;
  /** What to do now, in one sentence. */
  readonly next: string;
  readonly cause?: unknown;
}

/** What every error of the client has. Its message ends with what to do next. */
export class PreflightError extends Error {
  readonly charged: Charged;
  readonly next: string;

  constructor(message: string, { charged, next, cause }: ErrorFacts) {
    super(`${message}. ${next}`, cause === undefined ? undefined : { cause });
    this.charged = charged;
    this.next = next;
  }
}

/** A rule of the guardrails said no, before anything was signed for this demand. */
export class GuardrailRefused extends PreflightError {
  override readonly name = 'GuardrailRefused';
  readonly rule: GuardrailRule;
  readonly expected: string;
  readonly found: string;
  /** The purchase that the same call resumes, if its payment was sent before. */
  readonly purchaseId: string | undefined;

  constructor(
    { rule, expected, found }: Fault,
    { charged = 'nothing', next, cause, purchaseId }: Partial<ErrorFacts> & { readonly purchaseId?: string } = {},
  ) {
    super(`refused by ${rule}: expected ${shown(expected)}, found ${shown(found)}`, {
      charged,
      next: next ?? 'Nothing was signed; do not pay this by other means before you know why',
      cause,
    });
    this.rule = rule;
    this.expected = shown(expected);
    this.found = shown(found);
    this.purchaseId = purchaseId;
  }
}

/**
 * The call needs a payment that was not made, or one that the service refused. What it refused may
 * still be charged until it is over (`unknown`): its word is no proof.
 */
export class NotPaid extends PreflightError {
  override readonly name = 'NotPaid';
}

/**
 * A payment was sent and its outcome is not known. The same call again resumes it, and never pays
 * twice.
 */
export class OutcomeUnknown extends PreflightError {
  override readonly name = 'OutcomeUnknown';
  readonly purchaseId: string;

  constructor(purchaseId: string, message: string, cause?: unknown) {
    super(message, {
      charged: 'unknown',
      next: `Make the same call again: it resumes purchase ${purchaseId} with the same payment and is charged at most once`,
      cause,
    });
    this.purchaseId = purchaseId;
  }
}

/** The service said no, with its own code. */
export class ServiceProblem extends PreflightError {
  override readonly name = 'Problem';
  readonly code: string;
  readonly status: number;
  readonly candidates: readonly string[] | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    message: string,
    facts: ErrorFacts & {
      readonly code: string;
      readonly status: number;
      readonly candidates?: readonly string[] | undefined;
      readonly retryAfterS?: number | undefined;
    },
  ) {
    super(message, facts);
    this.code = facts.code;
    this.status = facts.status;
    this.candidates = facts.candidates;
    this.retryAfterS = facts.retryAfterS;
  }
}
