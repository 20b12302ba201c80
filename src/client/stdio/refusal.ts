import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type Charged,
  GuardrailRefused,
  NotPaid,
  OutcomeUnknown,
  PreflightError,
  ServiceProblem,
} from '../terms/errors.js';
import { shown } from '../text.js';

/**
 * A call that got no answer, as the result of a tool: by which rule or with which code, what it
 * cost, what to do now.
 */
export interface Refusal {
  readonly error: string;
  /**
   * `guardrail_refused`, `outcome_unknown`, `not_paid`, or the service's or this server's own code.
   */
  readonly code: string;
  readonly charged: Charged;
  readonly next: string;
  /** Which guardrail, with the fact that it expects and the fact that it found. */
  readonly rule?: string;
  readonly expected?: string;
  readonly found?: string;
  /** The same call again resumes this purchase. */
  readonly purchase_id?: string;
  readonly candidates?: readonly string[];
  readonly retry_after_seconds?: number;
}

const text = (description: string) => ({ type: 'string', description });

/** What a Refusal looks like, for clients that check results. */
export const REFUSAL_SCHEMA = {
  type: 'object',
  description: 'The call was not answered. Report it as it is; do not try to get round a rule.',
  properties: {
    error: text('What is wrong and what to do next.'),
    code: text('guardrail_refused, outcome_unknown, not_paid, or the code of the error.'),
    charged: { type: 'string', enum: ['nothing', 'unknown', 'paid'], description: 'What became of the money.' },
    next: text('What to do now.'),
    rule: text('The guardrail that refused.'),
    expected: text('The fact that the rule expects.'),
    found: text('The fact that it found, in the words of the service.'),
    purchase_id: text('The purchase that the same call resumes; it is charged at most once.'),
    candidates: { type: 'array', items: { type: 'string' }, description: 'What would have been accepted.' },
    retry_after_seconds: { type: 'integer', minimum: 0 },
  },
  required: ['error', 'code', 'charged', 'next'],
  additionalProperties: false,
} as const;

/** Returns a refusal as the result of a tool: the same object as text and as structure. */
export function refusalResult(refusal: Refusal): CallToolResult {
  const structuredContent = { ...refusal } as Record<string, unknown>;
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }], structuredContent };
}

/** Returns the refusal for an error of the client; null: it is none, but a fault of ours. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof PreflightError)) return null;
  const { charged, next } = error;
  const facts = { error: error.message, charged, next };
  if (error instanceof GuardrailRefused) {
    const { rule, expected, found, purchaseId } = error;
    const open = purchaseId === undefined ? {} : { purchase_id: purchaseId };
    return { ...facts, code: 'guardrail_refused', rule, expected, found, ...open };
  }
  if (error instanceof OutcomeUnknown) return { ...facts, code: 'outcome_unknown', purchase_id: error.purchaseId };
  if (error instanceof NotPaid) return { ...facts, code: 'not_paid' };
  return error instanceof ServiceProblem ? { ...facts, ...problemFacts(error) } : { ...facts, code: 'failed' };
}

function problemFacts({ code, candidates, retryAfterS }: ServiceProblem) {
  return {
    code: shown(code),
    ...(candidates === undefined ? {} : { candidates }),
    ...(retryAfterS === undefined ? {} : { retry_after_seconds: retryAfterS }),
  };
}
