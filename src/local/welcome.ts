import type { LocalMarket } from './venue/start-local-venue.js';

export interface WelcomeFacts {
  readonly url: string;
  readonly promoCode: string;
  /** Any address that has not redeemed the code yet. */
  readonly walletAddress: string;
  readonly example: LocalMarket;
  /** Addresses of wallets that show what preflight_copy answers. */
  readonly wallets: Readonly<Record<'skilled' | 'loser' | 'unseen' | 'neverTraded', string>>;
  readonly markets: readonly LocalMarket[];
  readonly logFile: string;
  /** Why no chain runs here, in one sentence; null if one does. */
  readonly noChain: string | null;
}

const PAY = `Or pay 0.02 USDC for one call, with the official x402 client and the demo wallet's 100 USDC on the local chain:

  npm run --silent pay`;

/**
 * Returns what a person sees when the local profile is up: where it is, what to paste, what there
 * is to ask about.
 */
export function welcome(facts: WelcomeFacts): string {
  const { url, promoCode, walletAddress, example, wallets, markets, logFile, noChain } = facts;
  const json = `node -pe 'JSON.parse(require("fs").readFileSync(0))`;
  return `
Preflight is up at ${url}, beside a simulated venue whose books move.
Promo code: ${promoCode}

Paste these three to get a live verdict:

  TOKEN=$(curl -s ${url}/api/redeem -H 'Content-Type: application/json' -d '{"code":"${promoCode}","wallet":"${walletAddress}"}' | ${json}.token')
  curl -s ${url}/api/credits -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/preflight_trade?slug=${example.slug}&usd=250" -H "Authorization: Bearer $TOKEN" | ${json}'

${noChain === null ? PAY : `Without a chain there are no payments per call here: ${noChain}`}

Then ask about wallets; the second is computed while you wait (202, then the profile):

  curl -s "${url}/api/preflight_copy?wallet=${wallets.skilled}" -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/preflight_copy?wallet=${wallets.unseen}" -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/leaderboard" -H "Authorization: Bearer $TOKEN"

Markets to ask about (slug or event slug + outcome, BUY or SELL):

${markets.map(describeMarket).join('\n')}

Free, without a token: ${url}/api/preflight_trade?sandbox=1  ${url}/status.json
Log: ${logFile}   Stop: Ctrl-C
`;
}

function describeMarket({ slug, description }: LocalMarket): string {
  return `  ${slug.padEnd(48)} ${description}`;
}
