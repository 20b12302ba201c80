import type { LocalMarket } from './venue/start-local-venue.js';

export interface WelcomeFacts {
  readonly url: string;
  readonly promoCode: string;
  /** Any address that has not redeemed the code yet. */
  readonly walletAddress: string;
  readonly example: LocalMarket;
  readonly markets: readonly LocalMarket[];
  readonly logFile: string;
}

/** Returns what a person sees when the local profile is up: where it is, what to paste, what there is to ask about. */
export function welcome({ url, promoCode, walletAddress, example, markets, logFile }: WelcomeFacts): string {
  const json = `node -pe 'JSON.parse(require("fs").readFileSync(0))`;
  return `
Preflight is up at ${url}, beside a simulated venue whose books move.
Promo code: ${promoCode}

Paste these three to get a live verdict:

  TOKEN=$(curl -s ${url}/api/redeem -H 'Content-Type: application/json' -d '{"code":"${promoCode}","wallet":"${walletAddress}"}' | ${json}.token')
  curl -s ${url}/api/credits -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/preflight_trade?slug=${example.slug}&usd=250" -H "Authorization: Bearer $TOKEN" | ${json}'

Markets to ask about (slug or event slug + outcome, BUY or SELL):

${markets.map(describeMarket).join('\n')}

Free, without a token: ${url}/api/preflight_trade?sandbox=1  ${url}/status.json
Log: ${logFile}   Stop: Ctrl-C
`;
}

function describeMarket({ slug, description }: LocalMarket): string {
  return `  ${slug.padEnd(48)} ${description}`;
}
