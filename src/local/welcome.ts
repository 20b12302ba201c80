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
  /** What is not real, in one sentence; null if the environment names a facilitator. */
  readonly notReal: string | null;
  /** Absolute path of the data directory; null if it is the usual one. */
  readonly dataDir: string | null;
  /** Why no chain runs here, in one sentence; null where one does. */
  readonly noChain: string | null;
  /** Of a cluster; absent where one process is the service. */
  readonly replicas?: readonly { readonly id: string; readonly url: string; readonly pid: number }[];
}

/** Who is behind the address, and how to see that it does not matter which. */
function replicasText(replicas: WelcomeFacts['replicas']): string {
  if (replicas === undefined) return '';
  const rows = replicas.map(({ id, url, pid }) => `  ${id}  ${url}  pid ${pid}\n`);
  return `
Replicas behind it, on one PostgreSQL; X-Served-By says which one answered. End one with kill -9: the others finish what
it had begun, and it is started again. kill -USR2 ${process.pid} restarts one after the other.

${rows.join('')}`;
}

/** The data directory is named, so that the command pays this instance and no other. */
function payText(dataDir: string | null): string {
  return `Or pay 0.02 USDC for one call, with the official x402 client and the demo wallet's 100 USDC on the local chain:

  ${dataDir === null ? '' : `DATA_DIR=${quoted(dataDir)} `}npm run --silent pay`;
}

/** The text as one word of a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns what a person sees when the local profile is up: where it is, what to paste, what there
 * is to ask about.
 */
export function welcome(facts: WelcomeFacts): string {
  const { url, promoCode, walletAddress, example, wallets, markets, logFile, notReal, dataDir, noChain, replicas } =
    facts;
  const json = `node -pe 'JSON.parse(require("fs").readFileSync(0))`;
  return `
Open ${url}/ in a browser: the verdict drawn on books that move, lists, status and documentation.
Preflight is up there, beside a simulated venue.
${notReal === null ? '' : `${notReal}\n`}Promo code: ${promoCode}
${replicasText(replicas)}
Paste these three to get a live verdict:

  TOKEN=$(curl -s ${url}/api/redeem -H 'Content-Type: application/json' -d '{"code":"${promoCode}","wallet":"${walletAddress}"}' | ${json}.token')
  curl -s ${url}/api/credits -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/preflight_trade?slug=${example.slug}${outcomeOf(example)}&usd=250" -H "Authorization: Bearer $TOKEN" | ${json}'

${noChain === null ? payText(dataDir) : `Without a chain there are no payments per call here: ${noChain}`}

Then ask about wallets; the second is computed while you wait (202, then the profile):

  curl -s "${url}/api/preflight_copy?wallet=${wallets.skilled}" -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/preflight_copy?wallet=${wallets.unseen}" -H "Authorization: Bearer $TOKEN"
  curl -s "${url}/api/leaderboard" -H "Authorization: Bearer $TOKEN"

Markets to ask about (slug or event slug + outcome, BUY or SELL):

${marketTable(markets)}

Free, without a token: ${url}/api/preflight_trade?sandbox=1  ${url}/status.json
Log: ${logFile}   Stop: Ctrl-C
`;
}

/** What a market between two names needs beside its slug. */
function outcomeOf({ outcomes }: LocalMarket): string {
  const label = outcomes[0]!.label;
  return label === 'Yes' ? '' : `&outcome=${encodeURIComponent(label)}`;
}

/** The first market of each event that has several. */
function firstOfEvents(markets: readonly LocalMarket[]): readonly LocalMarket[] {
  const named = markets.filter(({ hasBook, groupItemTitle }) => hasBook && groupItemTitle !== '');
  return named.filter(({ eventSlug }, at) => named.findIndex((other) => other.eventSlug === eventSlug) === at);
}

/**
 * Slugs in one column, and behind each what there is to it; for each event of several markets, how
 * to ask by the event.
 */
function marketTable(markets: readonly LocalMarket[]): string {
  const rows = [
    ...markets.map(({ slug, description }) => [slug, description] as const),
    ...firstOfEvents(markets).map(({ eventSlug, groupItemTitle }) => {
      const outcome = encodeURIComponent(groupItemTitle);
      return [eventSlug, `an event with several markets: add its outcome, as in &outcome=${outcome}`] as const;
    }),
  ];
  const width = Math.max(...rows.map(([slug]) => slug.length));
  return rows.map(([slug, what]) => `  ${slug.padEnd(width)}  ${what}`).join('\n');
}
