import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** What requests to CDP are signed with. */
export interface CdpSigningKey {
  readonly alg: 'EdDSA' | 'ES256';
  readonly key: KeyObject;
}

/**
 * Returns the key that a text is: Ed25519 (base64 of 64 bytes: seed and public key) or EC P-256
 * (PEM, line breaks as such or as "\n"). null: it is neither.
 */
export function readCdpKey(secret: string): CdpSigningKey | null {
  return secret.includes('-----BEGIN') ? readPem(secret) : readEd25519(secret);
}

function readPem(secret: string): CdpSigningKey | null {
  try {
    const key = createPrivateKey(secret.replaceAll('\\n', '\n'));
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? { alg: 'ES256', key } : null;
  } catch {
    return null;
  }
}

/**
 * Of the 64 bytes the second half is the public key; it has to belong to the first, or the text was
 * damaged.
 */
function readEd25519(secret: string): CdpSigningKey | null {
  const bytes = Buffer.from(secret.trim(), 'base64');
  if (bytes.length !== 64) return null;
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ];
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return createPublicKey(key).export({ format: 'jwk' }).x === x ? { alg: 'EdDSA', key } : null;
}
