import type { CallToolResult } from '@modelcontextprotocol/server';
import { toErrorBody } from '#api/errors';
import { Problem } from '#domain/errors';
import type { SignedPayment } from '#domain/payment/payment';
import type { GateResult } from '#services/gate/call';
import { type PaymentOffer, receiptFor, toPaymentRequired } from '#wire/x402/x402';
import type { ToolError } from './output-schema.js';
import { RECEIPT_META } from './tool-call.js';

const PENDING = 'settlement_pending';
const UNKNOWN_TEXT =
  'the outcome of this payment is not known yet: repeat the call with the same payment (never a new one); ' +
  'it gets the answer if the payment went through';

/** Returns the result for JSON text that is an answer: the same object as text and as structure. */
export function answerResult(body: string): CallToolResult {
  return { content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body) };
}

/** Returns the result that tells a problem. */
export function problemResult(problem: Problem, more: Pick<ToolError, 'retry'> = {}): CallToolResult {
  const { retryAfterS } = problem;
  const wait = retryAfterS === undefined ? {} : { retry_after_seconds: retryAfterS };
  return errorResult({ ...toErrorBody(problem), ...more, ...wait } satisfies ToolError);
}

function errorResult(structuredContent: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** Returns the translation of what the gate says into a tool result, for one offer. */
export function createToResult(offer: PaymentOffer): (result: GateResult) => CallToolResult {
  return (result) => {
    switch (result.kind) {
      case 'example':
      case 'answered':
      case 'free':
        return answerResult(result.body);
      case 'paid':
        return withReceipt(answerResult(result.body), result.payment, { transaction: result.transaction });
      case 'payment_required':
        return demand(offer, result);
      case 'payment_refused': {
        const terms = demand(offer, { ...result, code: 'payment_refused' });
        return withReceipt(terms, result.payment, { errorReason: result.reason });
      }
      case 'payment_unknown': {
        // No terms here: whoever reads terms signs and pays again.
        const problem = new Problem(PENDING, UNKNOWN_TEXT, { retryAfterS: result.retryAfterS });
        const facts = { errorReason: PENDING, transaction: result.transaction ?? '' };
        return withReceipt(problemResult(problem, { retry: 'same_payment' }), result.payment, facts);
      }
      case 'bad_request':
      case 'failed':
        return problemResult(result.problem);
    }
  };
}

type Demand = Pick<Extract<GateResult, { kind: 'payment_required' }>, 'code' | 'reason' | 'credits'>;

/**
 * The terms of the REST endpoint (docs/interface.md, "MCP"): a payment that is signed for one door
 * is good at the other.
 */
function demand(offer: PaymentOffer, { code, reason, credits }: Demand): CallToolResult {
  const lack = credits === undefined ? {} : { balance: credits.balance, credits_required: credits.required };
  return errorResult({ ...toPaymentRequired(offer, reason), code, ...lack });
}

/** The receipt as an object, in the form of the x402 version that the payment came in. */
function withReceipt(
  result: CallToolResult,
  payment: SignedPayment,
  facts: { readonly transaction?: string; readonly errorReason?: string },
): CallToolResult {
  const receipt = JSON.parse(Buffer.from(receiptFor(payment, facts), 'base64').toString('utf8'));
  return { ...result, _meta: { ...result._meta, [RECEIPT_META]: receipt } };
}
