import type { ToolFlag } from '#api/arguments';
import { IDEMPOTENCY_META } from '#api/mcp-facts';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { CallPayment, GateCall } from '#services/gate/call';
import { PAYMENT_META, readPaymentMeta } from '#wire/x402/x402-payment';
import type { CallRequest } from './exchange.js';

/** Printable characters, as in the header Idempotency-Key. */
const KEY = /^[ -~]{1,255}$/;

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
 * The key of this call, in the form that the header has at the REST door. Throws a Problem if it
 * has another.
 */
function readKey(raw: unknown): string | null {
  if (raw === undefined) return null;
  if (typeof raw === 'string' && KEY.test(raw)) return raw;
  throw new Problem(
    'invalid_parameter',
    `_meta["${IDEMPOTENCY_META}"] must be 1 to 255 printable characters, and nothing was charged`,
  );
}

/** `true`, or what it is called at the REST door. */
export function readSandbox(raw: unknown): ToolFlag {
  if (raw === undefined || raw === null || raw === false) return 'absent';
  return raw === true || raw === 1 || raw === '1' ? 'set' : 'malformed';
}
