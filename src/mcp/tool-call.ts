import type { ToolFlag } from '#api/tool-flags';
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
    sandbox: readSandbox(sandbox),
    x402Probe: 'absent',
    payment: readPaymentObject(meta?.[PAYMENT_META], `_meta["${PAYMENT_META}"]`, usdc),
    args,
  };
}

/** `true`, or what it is called at the REST door. */
export function readSandbox(raw: unknown): ToolFlag {
  if (raw === undefined || raw === false) return 'absent';
  return raw === true || raw === 1 || raw === '1' ? 'set' : 'malformed';
}
