import { type KeyObject, sign } from 'node:crypto';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';

/** The only host that gets our token. */
export const CDP_HOST = 'api.cdp.coinbase.com';
const TOKEN_LIFE_S = 120;
const ISSUER = 'cdp';

export interface CdpKey {
  readonly id: string;
  readonly alg: 'EdDSA' | 'ES256';
  readonly key: KeyObject;
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
 * and that one URL.
 */
export function createCdpAuth({ id, alg, key }: CdpKey, { clock, random }: CdpAuthDeps): CdpAuth {
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

function toJwt(header: object, claims: object, key: KeyObject): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const digest = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  // JWTs hold r and s side by side; OpenSSL would write them as DER.
  const signature = sign(digest, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
