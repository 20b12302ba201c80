import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { destination } from 'pino';
import { systemClock } from '#adapters/process/system-clock';
import { compose } from '#compose/compose';
import { tuneEngine } from '#compose/tune-engine';
import { readConfig } from '#config/config';
import { startLocalVenue } from '#local/venue/start-local-venue';
import { createLogger } from '#server/log';
import { listen } from '#test/support/listen';
import { SEED } from './support/book-walk.js';
import { childOptions, serveParent } from './support/children.js';
import { CPU_TAKEN } from './support/cpu-taken.js';
import { profiling } from './support/profiled.js';
import { serviceSettings, WALLET } from './support/service-settings.js';
import { timeVenue } from './venue-time.js';

/** What this process is to be. `body` is the answer that the two floors give to everything. */
export type ServerRole =
  | { readonly role: 'venue'; readonly bulkMarkets?: number }
  | {
      readonly role: 'service';
      readonly dataDir: string;
      readonly venue: VenueFacts;
      readonly timesVenue: boolean;
      readonly trustedProxies?: string;
      /** A database that it shares with others, and where they have their keys. */
      readonly shared?: { readonly storeUrl: string; readonly keysDir: string };
      readonly demoMarkets?: string;
    }
  | { readonly role: 'express' | 'node:http'; readonly body: string };

export interface VenueFacts {
  readonly gammaUrl: string;
  readonly clobUrl: string;
  readonly dataUrl: string;
  readonly wsUrl: string;
  /** Markets that can be judged, each with its two tokens. */
  readonly markets: readonly { readonly slug: string; readonly tokenIds: readonly string[] }[];
}

export interface ServiceFacts {
  readonly url: string;
  /** Null where the wallet had a token before. */
  readonly token: string | null;
}

const CREDITS = 1_000_000_000;
const PATH = '/api/preflight_trade';
/** What is in use once all that can be is swept, buffers included. */
const heldBytes = () => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** Of each of many markets: so many hundred changes a second in all. */
const BULK_TICK_MS = 5_000;

async function runVenue(bulkMarkets = 0): Promise<void> {
  const pace = bulkMarkets === 0 ? {} : { bulkMarkets, tickMs: BULK_TICK_MS };
  const venue = await startLocalVenue({ clock: systemClock, seed: SEED, ...pace });
  const { gammaUrl, clobUrl, dataUrl, wsUrl } = venue;
  // The "Other" of an event has a book and is never a target.
  const withBook = venue.markets.filter(({ hasBook, groupItemTitle }) => hasBook && groupItemTitle !== 'Other');
  const markets = withBook.map(({ slug, outcomes }) => ({ slug, tokenIds: outcomes.map((one) => one.tokenId) }));
  serveParent({ gammaUrl, clobUrl, dataUrl, wsUrl, markets } satisfies VenueFacts, {}, () => venue.close());
}

/**
 * The service as `npm start` composes it, with a wallet that has more credits than can be spent.
 */
async function runService(role: ServerRole & { role: 'service' }): Promise<void> {
  const { dataDir, venue, timesVenue, trustedProxies = '', demoMarkets = '', shared } = role;
  const venueMs = timesVenue ? timeVenue() : () => 0;
  tuneEngine();
  const config = readConfig({
    ...serviceSettings(dataDir, venue),
    TRUSTED_PROXIES: trustedProxies,
    DEMO_MARKETS: demoMarkets,
    ...(shared === undefined ? {} : { STORE_URL: shared.storeUrl, KEYS_DIR: shared.keysDir }),
  });
  const log = createLogger(config.logLevel, destination({ dest: join(dataDir, 'preflight.log'), sync: true }));
  const service = await compose(config, log);
  const { port } = await service.start();
  const { balance } = await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null });
  const token = balance > 0 ? null : (await service.credits.grant(WALLET, CREDITS, 30, 'benchmark')).token;
  const answers = {
    ...CPU_TAKEN,
    heldBytes,
    venueMs,
    ...profiling(),
    balance: async () => (await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null })).balance,
  };
  serveParent({ url: `http://127.0.0.1:${port}`, token } satisfies ServiceFacts, answers, () => service.stop());
}

/** Express as a newcomer writes it: default settings, one route, `res.json` of a constant. */
function expressServer(body: string): Server {
  const answer: unknown = JSON.parse(body);
  const app = express();
  app.get(PATH, (_req, res) => void res.json(answer));
  return createServer(app);
}

/** The least that an HTTP answer can be in Node: headers and bytes that are ready. */
function bareServer(body: string): Server {
  const bytes = Buffer.from(body);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };
  return createServer((_req, res) => void res.writeHead(200, headers).end(bytes));
}

async function runFloor(server: Server): Promise<void> {
  const url = `http://127.0.0.1:${await listen(server)}`;
  serveParent({ url, token: null } satisfies ServiceFacts, CPU_TAKEN, async () => server.closeAllConnections());
}

const options = childOptions<ServerRole>();
switch (options.role) {
  case 'venue':
    await runVenue(options.bulkMarkets);
    break;
  case 'service':
    await runService(options);
    break;
  case 'express':
    await runFloor(expressServer(options.body));
    break;
  case 'node:http':
    await runFloor(bareServer(options.body));
}
