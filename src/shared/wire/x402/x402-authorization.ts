import { z } from 'zod';
import { parseWallet, type WalletAddress } from '#domain/ids';
import type { Authorization, SignedPayment } from '#domain/payment/payment';
import { unwrapErc6492 } from './erc6492.js';

/**
 * Room for the signature of a smart wallet, with how it would be deployed: that of a passkey takes
 * over 1 kB. One of a plain key has 65 bytes.
 */
const SIGNATURE_BYTES_MAX = 4_096;

const UINT256_MAX = 2n ** 256n - 1n;

const uint256 = z
  .string('must be a string of decimal digits')
  .regex(/^[0-9]{1,78}$/, { error: 'must be a string of 1 to 78 decimal digits', abort: true })
  .refine((digits) => BigInt(digits) <= UINT256_MAX, { error: 'must fit 256 bits' });

const wallet = z
  .string('must be an EVM address')
  .transform(parseWallet)
  .refine((address): address is WalletAddress => address !== null, { error: 'must be an EVM address' });

const AuthorizationSchema = z.strictObject({
  from: wallet,
  to: wallet,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: z
    .string('must be 0x and 64 hexadecimal digits')
    .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hexadecimal digits' })
    .toLowerCase(),
}) satisfies z.ZodType<Authorization>;

const ExactPayloadSchema = z.strictObject({
  signature: z
    .string('must be 0x and hexadecimal digits')
    .max(2 + 2 * SIGNATURE_BYTES_MAX, { error: `must be at most ${SIGNATURE_BYTES_MAX} bytes`, abort: true })
    .regex(/^0x([0-9a-fA-F]{2})+$/, { error: 'must be 0x and an even number of hexadecimal digits' })
    .toLowerCase(),
  authorization: AuthorizationSchema,
});

/** What the scheme "exact" puts into `payload`: a transfer authorization and its signature. */
export type ExactPayload = Pick<SignedPayment, 'signature' | 'authorization' | 'isWrapped'>;

/**
 * Returns the payload, or in words what is wrong with it. Fields that are not of the scheme are
 * refused.
 */
export function parseExactPayload(raw: Readonly<Record<string, unknown>>): ExactPayload | string {
  if (raw.authorization === undefined) {
    return 'payload.authorization is missing: only EIP-3009 transferWithAuthorization is accepted, other methods are unsupported';
  }
  const parsed = ExactPayloadSchema.safeParse(raw);
  if (parsed.success) return unwrapped(parsed.data);
  const issue = parsed.error.issues[0]!;
  const location = ['payload', ...issue.path].join('.');
  return issue.code === 'unrecognized_keys' ? `${location} has unknown fields` : `${location} ${issue.message}`;
}

/**
 * A wallet that is deployed is asked about the signature inside, and so is the token: what would
 * deploy it goes nowhere.
 */
function unwrapped({ signature, authorization }: ExactPayload): ExactPayload {
  const inner = unwrapErc6492(signature);
  return inner === null ? { signature, authorization } : { signature: inner, authorization, isWrapped: true };
}

/** What clients name a payment by, and what our terms carry for them to send back. */
const name = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/);

/** The extension `purchase-secret`: what our terms carry and the client echoes. */
export const PurchaseSecretSchema = z.looseObject({ info: z.looseObject({ value: name }).optional() });

/** The part of the extension `payment-identifier` that the client fills in. */
export const PaymentIdentifierSchema = z.looseObject({ info: z.looseObject({ id: name.optional() }).optional() });
