import { IDEMPOTENCY_META } from '#api/mcp-facts';
import { readSandbox } from '#api/mcp-params';
import type { WalletAddress } from '#domain/ids';
import type { CallPayment, GateCall } from '#services/gate/call';
import { PAYMENT_META, readPaymentMeta } from '#wire/x402/x402-payment';
import type { CallRequest } from './exchange.js';

/** Raw arguments of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What comes with a call beside its arguments. */
export interface ToolCallParts {
  readonly request: CallRequest;
  /** `_meta` of the message. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns one call of a paid tool for the gate. `usdc` is what a v1 payment is made in, since it
 * does not name its token.
 */
export function toGateCall(given: ToolArguments, { request, meta }: ToolCallParts, usdc: WalletAddress): GateCall {
  const { sandbox, ...args } = given;
  return {
    ...request,
    idempotencyKey: readKey(meta?.[IDEMPOTENCY_META]) ?? request.idempotencyKey,
    sandbox: readSandbox(sandbox),
    x402Probe: 'absent',
    payment: readCallPayment(meta, request.hasPaymentHeader, usdc),
    args,
  };
}

/**
 * A header stands for a whole connection, and a payment for one call: whoever sends it there alone
 * is told where it goes.
 */
function readCallPayment(meta: ToolCallParts['meta'], hasPaymentHeader: boolean, usdc: WalletAddress): CallPayment {
  const payment = readPaymentMeta(meta, usdc);
  if (payment.kind !== 'none' || !hasPaymentHeader) return payment;
  return { kind: 'malformed', reason: `by MCP it goes into _meta["${PAYMENT_META}"] of the call, not into a header` };
}

/**
 * The key of this call as the header would have it, without blanks around it. What is no text is
 * an empty one, which is never a key: the gate says so, but not to who asks for an example.
 */
function readKey(raw: unknown): string | null {
  if (raw === undefined || raw === null) return null;
  return typeof raw === 'string' ? raw.trim() : '';
}
