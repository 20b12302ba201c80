import { timingSafeEqual } from 'node:crypto';
import type { StoreKey } from '#ports/store-key';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';

/** A secret is when it was issued (seconds), random bytes, and what proves both to be ours. */
const TIME_BYTES = 4;
const RANDOM_BYTES = 12;
const PROOF_BYTES = 16;
const SIGNED_BYTES = TIME_BYTES + RANDOM_BYTES;
/** 32 bytes of base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * The secrets that our terms carry and that clients send back with their payment. Nothing is kept
 * of them until a payment comes: they prove by themselves that they were issued here, and when.
 */
export interface PurchaseSecrets {
  issue(): string;
  /** Returns when a secret was issued; null if it is not one of ours. */
  issuedAtMs(secret: string): number | null;
}

/** Returns the secrets of one store; processes that share its key know each other's. */
export function createPurchaseSecrets(
  key: StoreKey,
  { clock, random }: { readonly clock: Pick<Clock, 'nowMs'>; readonly random: Pick<Random, 'bytes'> },
): PurchaseSecrets {
  const proofOf = (signed: Buffer) =>
    Buffer.from(key.mac('purchase secret', signed.toString('hex')).subarray(0, PROOF_BYTES));
  return {
    issue() {
      const signed = Buffer.alloc(SIGNED_BYTES);
      signed.writeUInt32BE(Math.floor(clock.nowMs() / 1e3));
      signed.set(random.bytes(RANDOM_BYTES), TIME_BYTES);
      return Buffer.concat([signed, proofOf(signed)]).toString('base64url');
    },
    issuedAtMs(secret) {
      if (!FORM.test(secret)) return null;
      const bytes = Buffer.from(secret, 'base64url');
      const signed = bytes.subarray(0, SIGNED_BYTES);
      if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), proofOf(signed))) return null;
      return signed.readUInt32BE() * 1e3;
    },
  };
}
