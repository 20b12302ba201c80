import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolFlag } from '#api/tool-flags';
import type { WalletAddress } from '#domain/ids';
import type { CallPayment, GateCall } from '#services/gate/call';
import { readPayment } from '#wire/x402/x402-payment';
import { exchangeOf } from './exchange.js';

/** Where a client puts an x402 payment, and where it finds the receipt (x402 transport "MCP", version 2). */
export const PAYMENT_META = 'x402/payment';
export const RECEIPT_META = 'x402/payment-response';

/** Raw arguments of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What the tools need to know of the HTTP request around a call. */
export type CallRequest = Pick<GateCall, 'requestId' | 'caller' | 'bearer' | 'idempotencyKey'>;

const BEARER = /^bearer +(\S+)$/i;

/** Returns what the HTTP request says: who calls, who pays from credits, and whether it is a repeat. */
export function readRequest({ http }: ServerContext): CallRequest {
  const headers = http?.req?.headers ?? new Headers();
  const { requestId, caller } = exchangeOf(http?.req);
  const credentials = headers.get('authorization');
  return {
    requestId,
    caller,
    // An empty text: credentials of another form, which are never valid.
    bearer: credentials === null ? null : (BEARER.exec(credentials)?.[1] ?? ''),
    idempotencyKey: headers.get('idempotency-key'),
  };
}

/** Returns one call of a paid tool for the gate. `usdc` is what a v1 payment is made in, since it does not name its token. */
export function toGateCall(given: ToolArguments, context: ServerContext, usdc: WalletAddress): GateCall {
  const { sandbox, ...args } = given;
  return {
    ...readRequest(context),
    sandbox: readSandbox(sandbox),
    x402Probe: 'absent',
    payment: readMetaPayment(context.mcpReq._meta?.[PAYMENT_META], usdc),
    args,
  };
}

/** `true`, or what it is called at the REST door. */
export function readSandbox(raw: unknown): ToolFlag {
  if (raw === undefined || raw === false) return 'absent';
  return raw === true || raw === 1 || raw === '1' ? 'set' : 'malformed';
}

/** A payment comes as an object here. In the form of a header it passes the one reader of payments, and its limits. */
function readMetaPayment(raw: unknown, usdc: WalletAddress): CallPayment {
  if (raw === undefined) return { kind: 'none' };
  const header = Buffer.from(JSON.stringify(raw)).toString('base64');
  const isV1 = (raw as { x402Version?: unknown } | null)?.x402Version === 1;
  const reading = readPayment(
    { paymentSignature: isV1 ? undefined : header, xPayment: isV1 ? header : undefined },
    usdc,
  );
  if (reading.kind !== 'malformed') return reading;
  // The reader names the header that it thinks it read.
  return { kind: 'malformed', reason: reading.reason.replace(/^[A-Z-]+:/, `_meta["${PAYMENT_META}"]:`) };
}
