import { CACHE_S, type DiscoveryConfig, type DiscoveryFile, MARKDOWN } from './discovery-file.js';
import { creditSteps, guardrailList, lostTokenText, payeeList, perCallSteps, promoText } from './payment-texts.js';

/**
 * /auth.md: payment is the authentication, and the wallet is the identity
 * (docs/interface-paying.md, "Authentication").
 */
export function authMd(config: DiscoveryConfig): DiscoveryFile {
  const parts = [
    '# Authentication',
    'Payment is the authentication and the wallet is the identity. There are no accounts, no API keys to apply for and no OAuth; no answer ' +
      'carries a WWW-Authenticate challenge. Three lanes lead to the same answers.',
    '## Lane 1: pay per call (x402)',
    perCallSteps(),
    payeeList(config),
    '## Lane 2: prepaid credits (bearer token)',
    creditSteps(),
    '## Lane 3: promotional credits',
    promoText(),
    '## Without any of them',
    '`sandbox=1` returns a free example of each tool, `x402_probe=1` its payment terms. A live call without payment or token is answered with 402.',
    '## Rules for your own code',
    guardrailList(config),
    '## A lost token',
    lostTokenText(config),
    '## If a token has leaked',
    'Ask for five new tokens as above: they end all older ones that were bought. Or write to ' +
      `${config.supportEmail} with a message signed by the wallet: its tokens are then revoked.`,
  ];
  return { path: '/auth.md', contentType: MARKDOWN, body: `${parts.join('\n\n')}\n`, cacheSeconds: CACHE_S };
}
