import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { z } from 'zod';
import { BASE_NETWORK, type PaymentDemand, type SignedPayment } from '#domain/payment/payment';
import { BASE_NETWORK_V1, MEDIA_TYPE, toPaymentRequirements } from './x402.js';
import { extensionsOf, operationAt } from './x402-extensions.js';

/** The body of POST /verify and POST /settle. */
export interface FacilitatorRequest {
  readonly x402Version: 2;
  readonly paymentPayload: PaymentPayload;
  readonly paymentRequirements: PaymentRequirements;
}

/**
 * Returns what a facilitator is sent, always in v2 form, made of what was decoded and of our own
 * terms: nothing else of what a client sent goes out. The extensions are ours too, since a
 * facilitator that keeps a catalog lists what it finds here.
 */
export function toFacilitatorRequest(payment: SignedPayment, demand: PaymentDemand): FacilitatorRequest {
  const { signature, authorization } = payment;
  const { resourceUrl: url, description } = demand;
  const requirements = toPaymentRequirements(demand);
  const operation = operationAt(url);
  const paymentPayload: PaymentPayload = {
    x402Version: 2,
    resource: { url, description, mimeType: MEDIA_TYPE },
    accepted: requirements,
    payload: { signature, authorization: { ...authorization } },
    ...(operation === null ? {} : { extensions: extensionsOf(operation) }),
  };
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements };
}

/** Facilitators leave fields out, or write null or "" if they have nothing to report. */
const text = z
  .string()
  .nullish()
  .transform((value) => (value === '' ? null : (value ?? null)));

const VerifyAnswerSchema = z.object({ isValid: z.boolean(), invalidReason: text, payer: text });
const SettleAnswerSchema = z.object({
  success: z.boolean(),
  errorReason: text,
  transaction: text,
  payer: text,
  network: text,
});

export interface VerifyAnswer {
  readonly isValid: boolean;
  /** A short code, or null. */
  readonly reason: string | null;
  /** Lower case, or null. */
  readonly payer: string | null;
}

export interface SettleAnswer {
  readonly success: boolean;
  readonly reason: string | null;
  /** A transaction hash in lower case; null if there is none. */
  readonly transaction: string | null;
  /** Whether `transaction` held something, if only nonsense: then something may have been sent. */
  readonly namesTransaction: boolean;
  readonly payer: string | null;
  /** null if it is not given. */
  readonly isBase: boolean | null;
}

const KindSchema = z.object({ x402Version: z.unknown().optional(), scheme: z.string(), network: z.string() });
const SupportedSchema = z.object({ kinds: z.array(KindSchema) });

/**
 * Returns whether what /supported lists includes our terms, in the version that it is sent; null if
 * it lists nothing, or nothing that can be read.
 */
export function listsOurTerms(raw: unknown): boolean | null {
  const parsed = SupportedSchema.safeParse(raw);
  if (!parsed.success || parsed.data.kinds.length === 0) return null;
  const networks: readonly string[] = [BASE_NETWORK, BASE_NETWORK_V1];
  return parsed.data.kinds.some(
    ({ x402Version, scheme, network }) => x402Version !== 1 && scheme === 'exact' && networks.includes(network),
  );
}

/** Returns the answer of /verify, or null if it is not one. */
export function parseVerifyAnswer(raw: unknown): VerifyAnswer | null {
  const parsed = VerifyAnswerSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { isValid, invalidReason, payer } = parsed.data;
  return { isValid, reason: toReason(invalidReason), payer: payer?.toLowerCase() ?? null };
}

/** Returns the answer of /settle, or null if it is not one. */
export function parseSettleAnswer(raw: unknown): SettleAnswer | null {
  const parsed = SettleAnswerSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { success, errorReason, transaction, payer, network } = parsed.data;
  return {
    success,
    reason: toReason(errorReason),
    transaction: transaction !== null && HASH.test(transaction) ? transaction.toLowerCase() : null,
    namesTransaction: transaction !== null,
    payer: payer?.toLowerCase() ?? null,
    isBase: network === null ? null : network === BASE_NETWORK || network === BASE_NETWORK_V1,
  };
}

const HASH = /^0x[0-9a-f]{64}$/i;
/**
 * Reasons are passed on and logged, so only what looks like a code is believed: a signature or a
 * payload does not.
 */
/** A code, and never a nonce, hash or signature that a facilitator echoes. */
const REASON = /^(?!.*[0-9a-fA-F]{40})[A-Za-z0-9_.:-]{1,100}$/;

function toReason(reason: string | null): string | null {
  if (reason === null) return null;
  return REASON.test(reason) ? reason : 'a reason that is not a code';
}
