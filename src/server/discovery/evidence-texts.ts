import type { DiscoveryConfig } from './discovery-file.js';
import { JWKS_PATH } from './jwks.js';

/** Returns how a verdict is made evidence of. */
export function evidenceBasics(): string {
  return [
    '- `evidence=1` on `preflight_trade` adds `evidence`: the whole book, the market, the request and the result, signed. Same price.',
    '- `evidence.jws` is a detached compact JWS (EdDSA) over the RFC 8785 form of `evidence.payload`: any JOSE library checks it.',
  ].join('\n');
}

/** The same, and with which key anybody checks it now. */
export function evidenceList({ baseUrl, evidenceKeys }: DiscoveryConfig): string {
  return [
    evidenceBasics(),
    `- Key now: \`${evidenceKeys.current().kid}\`; all keys: \`${baseUrl}${JWKS_PATH}\`. What a former key signed still holds; ` +
      'what a key under `revoked_keys` signed does not.',
  ].join('\n');
}
