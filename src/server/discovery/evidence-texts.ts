import type { DiscoveryConfig } from './discovery-file.js';
import { JWKS_PATH } from './jwks.js';

const SIGNED = '- `evidence.jws`: a detached compact JWS (EdDSA) over the RFC 8785 form of `evidence.payload`.';

/** Returns how a verdict is made evidence of. */
export function evidenceBasics(): string {
  return [
    '- `evidence=1` on `preflight_trade` and `preflight_copy` adds `evidence`: what the answer follows from, signed.',
    SIGNED,
  ].join('\n');
}

/** Returns how it is signed and where its keys are, for readers of the tables of parameters. */
export function evidenceList({ baseUrl, evidenceKeys }: DiscoveryConfig): string {
  return [
    SIGNED,
    `- Key \`${evidenceKeys.current().kid}\`, in \`${baseUrl}${JWKS_PATH}\`; former keys stay valid, \`revoked_keys\` do not.`,
  ].join('\n');
}
