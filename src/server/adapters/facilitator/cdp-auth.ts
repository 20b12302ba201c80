import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';

/** The only host that gets our token. */
export const CDP_HOST = 'api.cdp.coinbase.com';
const TOKEN_LIFE_S = 120;
const ISSUER = 'cdp';

export interface CdpKey {
  readonly id: string;
  /**
   * An Ed25519 key (base64 of 64 bytes: seed and public key) or an EC P-256 key (PEM, line breaks
   * as such or as "\n").
   */
  readonly secret: string;
}

export interface CdpAuthDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Headers for one request; none for another host than CDP's, so that the key may stand beside
 * several facilitators.
 */
export type CdpAuth = (method: 'GET' | 'POST', url: string) => Readonly<Record<string, string>>;

/**
 * Returns the maker of CDP's Authorization headers: a JWT for each request, good for two minutes
 * and that one URL. Throws if the key cannot be one; the text never repeats it.
 */
export function createCdpAuth({ id, secret }: CdpKey, { clock, random }: CdpAuthDeps): CdpAuth {
  const { alg, key } = readKey(secret);
  return (method, url) => {
    const { host, pathname } = new URL(url);
    if (host !== CDP_HOST) return {};
    const nowS = Math.floor(clock.nowMs() / 1_000);
    const header = { alg, kid: id, typ: 'JWT', nonce: Buffer.from(random.bytes(16)).toString('hex') };
    const times = { iat: nowS, nbf: nowS, exp: nowS + TOKEN_LIFE_S };
    const claims = { sub: id, iss: ISSUER, uris: [`${method} ${host}${pathname}`], ...times };
    return { authorization: `Bearer ${toJwt(header, claims, key)}` };
  };
}

interface SigningKey {
  readonly alg: 'EdDSA' | 'ES256';
  readonly key: KeyObject;
}

function readKey(secret: string): SigningKey {
  const key = secret.includes('-----BEGIN') ? readPem(secret) : readEd25519(secret);
  if (key !== null) return key;
  throw new Error('CDP_API_KEY_SECRET is neither an Ed25519 key (base64 of 64 bytes) nor an EC P-256 key in PEM');
}

function readPem(secret: string): SigningKey | null {
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
function readEd25519(secret: string): SigningKey | null {
  const bytes = Buffer.from(secret.trim(), 'base64');
  if (bytes.length !== 64) return null;
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ];
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return createPublicKey(key).export({ format: 'jwk' }).x === x ? { alg: 'EdDSA', key } : null;
}

function toJwt(header: object, claims: object, key: KeyObject): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const digest = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  // JWTs hold r and s side by side; OpenSSL would write them as DER.
  const signature = sign(digest, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
