import { type DiscoveryConfig, type DiscoveryFile, jsonFile, type PublishedKey } from './discovery-file.js';

/** Where the public keys are. */
export const JWKS_PATH = '/.well-known/jwks.json';

/**
 * /.well-known/jwks.json (RFC 7517): the keys whose evidence holds, the current one first. Revoked
 * keys stand apart, so that any JOSE library refuses them, and whoever looks can tell why.
 */
export function jwks({ evidenceKeys }: DiscoveryConfig): DiscoveryFile {
  const keys = evidenceKeys.list();
  const document = {
    keys: keys.filter(({ state }) => state !== 'revoked').map(toJwk),
    revoked_keys: keys
      .filter(({ state }) => state === 'revoked')
      .map((key) => ({ ...toJwk(key), revoked_at: new Date(key.revokedAtMs ?? 0).toISOString() })),
  };
  return jsonFile(JWKS_PATH, document, 'application/jwk-set+json');
}

function toJwk({ kid, x }: PublishedKey) {
  return { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x };
}
