import type { Authorization } from '#domain/payment/payment';
import type { Demand } from '../terms/demand.js';

/** Stable: what a purchase is on disk. */

/** A request as it goes out, and goes out again. No credentials are in it. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: string | null;
  /** `mcp`: the body is a call of a tool. */
  readonly door?: 'mcp';
}

/** One purchase under way, from before its signature is made until its outcome is known. */
export interface Purchase {
  readonly version: 1;
  readonly id: string;
  /** Lower-case address of the payer; of a token, the wallet in it. */
  readonly payer: string;
  /** Names the request: the same request resumes the same purchase. */
  readonly requestId: string;
  readonly request: OutgoingRequest;
  readonly begunAtMs: number;
  /** True if all that tried to send it found nobody: taken away before the next sending. */
  readonly unsent?: boolean;
  readonly lane: X402Purchase | CreditsPurchase;
}

/**
 * Paid by an authorization. Its nonce is on disk before it is signed, so no second one can ever be
 * signed.
 */
export interface X402Purchase {
  readonly kind: 'x402';
  readonly demand: Demand;
  readonly authorization: Authorization;
  /** null until it is signed. */
  readonly signature: string | null;
}

/** Paid from credits: the service charges one Idempotency-Key once. */
export interface CreditsPurchase {
  readonly kind: 'credits';
  readonly idempotencyKey: string;
}
