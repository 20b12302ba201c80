import { CHARGED_ANEW, CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS, toPriceText } from '#api/prices';
import { CACHE_S, type DiscoveryConfig, type DiscoveryFile, MARKDOWN } from './discovery-file.js';
import { BUT_WHILE_UNCLEAR, payeeList, repeatText } from './payment-texts.js';
import { priceTable } from './tables.js';

/** What is never charged, as a list in Markdown. */
export const NEVER_CHARGED = [
  '- `sandbox=1` and `x402_probe=1`',
  '- QUEUED (202) and NO_COVERAGE: an attached payment is not settled, no credit is debited',
  `- every error, 4xx or 5xx, ${BUT_WHILE_UNCLEAR}`,
  '- a repeat with the same payment authorization, or with the same Idempotency-Key: within 24 hours from credits, within 7 days by x402 ' +
    `(a new authorization of ${CHARGED_ANEW} is charged)`,
  '- `GET /api/credits`, `POST /api/credits/token`, `POST /api/redeem`, `/status.json` and all documents',
].join('\n');

/** /pricing.md: what is charged, and what never is. */
export function pricingMd(config: DiscoveryConfig): DiscoveryFile {
  const parts = [
    '# Pricing',
    priceTable(),
    `A credit pack costs ${toPriceText(CREDIT_PACK_AMOUNT_MICROS)} USDC, has ${CREDIT_PACK.credits} credits and is valid for ${CREDIT_PACK.valid_days} days. ` +
      'Buying again with the same wallet adds credits.',
    '## Never charged',
    NEVER_CHARGED,
    '## Repeats',
    repeatText(),
    '## Save money',
    'Leaderboard, red list and wallet profiles are computed nightly: do not buy one again before its `next_refresh_at`.',
    '## Who is paid',
    payeeList(config),
  ];
  return { path: '/pricing.md', contentType: MARKDOWN, body: `${parts.join('\n\n')}\n`, cacheSeconds: CACHE_S };
}
