import type { CallToolResult } from '@modelcontextprotocol/server';
import { docOf, toErrorBody } from '#api/errors';
import { toPriceText } from '#api/prices';
import type { ToolError } from '#api/tools/output-schema';
import { replayAgeS, verdictTimesOf } from '#api/written-answer';
import type { Problem } from '#domain/errors';
import { demandText } from '#doors/demand-text';
import {
  creditsLack,
  type Demand,
  faultIn,
  pendingProblem,
  receiptOf,
  refusalCode,
  refusalOf,
  repeatAfter,
  SAME_PAYMENT,
} from '#doors/payment-outcome';
import type { GateResult } from '#services/gate/call';
import type { Clock } from '#system/clock';
import { type PaymentOffer, toPaymentRequired } from '#wire/x402/x402';
import { type DiscoverableTool, mcpBazaarOf } from '#wire/x402/x402-extensions';

/**
 * Where a client finds the receipt (x402 transport "MCP", version 2); and where x402-mcp, which
 * pays in `_meta["x402.payment"]`, looks for it.
 */
export const RECEIPT_META = 'x402/payment-response';
const DOTTED_RECEIPT_META = 'x402.payment-response';

/** The offer of a tool: the pack is not sold here. */
type ToolOffer = PaymentOffer & { readonly operation: DiscoverableTool };

type SoldResult = Extract<GateResult, { readonly kind: 'answered' | 'paid' }>;

/** Returns the result for JSON text that is an answer: the same object as text and as structure. */
export function answerResult(body: string): CallToolResult {
  return { content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body) };
}

/**
 * Returns the result for an answer that was paid for. What REST tells in headers is in `_meta`, and
 * the times of a verdict are there too, so that a host need not read the answer to see that it is
 * old.
 */
function soldResult(result: SoldResult, clock: Clock): CallToolResult {
  const answer = answerResult(result.body);
  const times = verdictTimesOf(answer.structuredContent as object);
  const ageS = replayAgeS(result, clock);
  const meta = {
    ...(times === null ? {} : { evaluated_at: times.evaluatedAt, valid_until: times.validUntil }),
    ...(ageS === null ? {} : { idempotent_replayed: true, age_seconds: ageS }),
  };
  return Object.keys(meta).length === 0 ? answer : { ...answer, _meta: meta };
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

/**
 * Returns the translation of what the gate says into a tool result, for one offer. `speaksPayment`:
 * the client takes a demand for payment as a kind of result.
 */
export function createToResult(
  offer: ToolOffer,
  clock: Clock,
  newSecret: () => string,
): (result: GateResult, speaksPayment: boolean) => CallToolResult {
  return (result, speaksPayment) => {
    switch (result.kind) {
      case 'example':
      case 'free':
        return answerResult(result.body);
      case 'answered':
        return soldResult(result, clock);
      case 'paid':
        return withReceipt(soldResult(result, clock), result);
      case 'payment_required':
        return kinded(demand(offer, result, newSecret()), speaksPayment);
      case 'payment_refused':
        return withReceipt(kinded(demand(offer, refusalOf(result), newSecret()), speaksPayment), result);
      case 'payment_unknown':
        return withReceipt(problemResult(pendingProblem(result, 'call'), SAME_PAYMENT), result);
      case 'bad_request':
        return problemResult(result.problem);
      case 'failed':
        return problemResult(result.problem, repeatAfter(result));
    }
  };
}

/**
 * The terms of the REST endpoint (docs/interface.md, "MCP"): a payment that is signed for one door
 * is good at the other. The catalog entry is that of the tool.
 */
function demand(offer: ToolOffer, given: Demand, purchaseSecret: string): CallToolResult {
  const { code } = given;
  const asked = { operation: offer.operation, usdc: toPriceText(offer.amountMicros), door: 'mcp' } as const;
  const terms = toPaymentRequired(offer, demandText(given, asked), purchaseSecret);
  const bazaar = mcpBazaarOf(offer.operation);
  return errorResult({
    ...terms,
    extensions: { ...terms.extensions, bazaar },
    code,
    doc: docOf(code),
    ...refusalCode(given),
    ...creditsLack(given),
    ...faultIn(given),
  });
}

/**
 * A demand for payment by the extension binding of x402: the terms once more, and a kind of result
 * that says what they are. The tool's result stays beside it, for hosts behind such a client.
 */
function kinded(terms: CallToolResult, speaksPayment: boolean): CallToolResult {
  if (!speaksPayment) return terms;
  return { ...terms, resultType: 'payment_required', paymentRequired: terms.structuredContent };
}

function withReceipt(result: CallToolResult, paid: Parameters<typeof receiptOf>[0]): CallToolResult {
  const receipt = receiptOf(paid);
  const dotted = paid.payment.otherPlaces?.includes('x402.payment') ? { [DOTTED_RECEIPT_META]: receipt } : {};
  return { ...result, _meta: { ...result._meta, [RECEIPT_META]: receipt, ...dotted } };
}
