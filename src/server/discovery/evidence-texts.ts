import type { DiscoveryConfig } from './discovery-file.js';
import { JWKS_PATH } from './jwks.js';

/** Returns how a verdict is made evidence of. */
export function evidenceBasics(): string {
  return [
    '- `evidence=1` on `preflight_trade` and `preflight_copy` adds `evidence`: what the answer follows from, signed.',
    '- `evidence.jws` is a detached compact JWS (EdDSA) over the RFC 8785 form of `evidence.payload`.',
  ].join('\n');
}

/** The same, with where its keys are. */
export function evidenceList({ baseUrl, evidenceKeys }: DiscoveryConfig): string {
  return [
    evidenceBasics(),
    `- Key \`${evidenceKeys.current().kid}\`, in \`${baseUrl}${JWKS_PATH}\`; former keys stay valid, \`revoked_keys\` do not.`,
  ].join('\n');
}
