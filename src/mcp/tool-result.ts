import type { CallToolResult } from '@modelcontextprotocol/server';
import { toErrorBody } from '#api/errors';
import type { Problem } from '#domain/errors';
import { creditsLack, pendingProblem, receiptOf, SAME_PAYMENT } from '#doors/payment-outcome';
import type { GateResult } from '#services/gate/call';
import { type PaymentOffer, type Receipt, toPaymentRequired } from '#wire/x402/x402';
import type { ToolError } from './output-schema.js';
import { RECEIPT_META } from './tool-call.js';

/** Returns the result for JSON text that is an answer: the same object as text and as structure. */
export function answerResult(body: string): CallToolResult {
  return { content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body) };
}

/** Returns the result of a problem. */
export function problemResult(problem: Problem, more: Pick<ToolError, 'retry'> = {}): CallToolResult {
  const { retryAfterS } = problem;
  const wait = retryAfterS === undefined ? {} : { retry_after_seconds: retryAfterS };
  return errorResult({ ...toErrorBody(problem), ...more, ...wait } satisfies ToolError);
}

function errorResult(structuredContent: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** Returns the translation of the gate's result into a tool result, for one offer. */
export function createToResult(offer: PaymentOffer): (result: GateResult) => CallToolResult {
  return (result) => {
    switch (result.kind) {
      case 'example':
      case 'answered':
      case 'free':
        return answerResult(result.body);
      case 'paid':
        return withReceipt(answerResult(result.body), receiptOf(result));
      case 'payment_required':
        return demand(offer, result);
      case 'payment_refused': {
        const terms = demand(offer, { ...result, code: 'payment_refused' });
        return withReceipt(terms, receiptOf(result));
      }
      case 'payment_unknown':
        return withReceipt(problemResult(pendingProblem(result, 'call'), SAME_PAYMENT), receiptOf(result));
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
function demand(offer: PaymentOffer, given: Demand): CallToolResult {
  const { code, reason } = given;
  return errorResult({ ...toPaymentRequired(offer, reason), code, ...creditsLack(given) });
}

function withReceipt(result: CallToolResult, receipt: Receipt): CallToolResult {
  return { ...result, _meta: { ...result._meta, [RECEIPT_META]: receipt } };
}
