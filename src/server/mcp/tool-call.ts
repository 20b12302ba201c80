import type { ToolFlag } from '#api/arguments';
import { IDEMPOTENCY_META } from '#api/mcp-facts';
import { Problem } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { GateCall } from '#services/gate/call';
import { readPaymentObject } from '#wire/x402/x402-payment';
import type { CallRequest } from './exchange.js';

/**
 * Where a client puts an x402 payment, and where it finds the receipt (x402 transport "MCP",
 * version 2).
 */
export const PAYMENT_META = 'x402/payment';
export const RECEIPT_META = 'x402/payment-response';

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
    payment: readPaymentObject(meta?.[PAYMENT_META], `_meta["${PAYMENT_META}"]`, usdc),
    args,
  };
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
  if (raw === undefined || raw === false) return 'absent';
  return raw === true || raw === 1 || raw === '1' ? 'set' : 'malformed';
}
