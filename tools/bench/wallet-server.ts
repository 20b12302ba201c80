import { join } from 'node:path';
import { destination } from 'pino';
import { compose } from '#compose/compose';
import { tuneEngine } from '#compose/tune-engine';
import { readConfig } from '#config/config';
import { walletOf } from '#local/venue/market/deterministic-ids';
import { createLogger } from '#server/log';
import type { ServiceFacts } from './http-server.js';
import { childOptions, serveParent } from './support/children.js';
import { CPU_TAKEN } from './support/cpu-taken.js';

/** What this process is given: a data directory with a board in force. */
export interface WalletServerRole {
  readonly dataDir: string;
}

const WALLET = walletOf('benchmark');
const CREDITS = 1_000_000_000;
/** Nothing listens there: covered wallets are answered without asking anybody. */
const NOBODY = 'http://127.0.0.1:9';

/**
 * The service as `npm start` composes it, without recording and rating, and a wallet that has more
 * credits than can be spent.
 */
async function main({ dataDir }: WalletServerRole): Promise<void> {
  tuneEngine();
  const config = readConfig({
    PREFLIGHT_PROFILE: 'local',
    PORT: '0',
    BASE_URL: 'http://127.0.0.1',
    DATA_DIR: dataDir,
    VENUE_GAMMA_URL: NOBODY,
    VENUE_CLOB_URL: NOBODY,
    VENUE_DATA_URL: NOBODY,
    VENUE_WS_URL: 'ws://127.0.0.1:9',
    VENUE_RTDS_URL: 'ws://127.0.0.1:9',
    PAYEE_ADDRESS: WALLET,
    WALLET_JOBS: 'off',
  });
  const log = createLogger(config.logLevel, destination({ dest: join(dataDir, 'preflight.log'), sync: true }));
  const service = await compose(config, log);
  const { port } = await service.start();
  const { token } = await service.credits.grant(WALLET, CREDITS, 30, 'benchmark');
  const balance = async () =>
    (await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null })).balance;
  const facts: ServiceFacts = { url: `http://127.0.0.1:${port}`, token };
  serveParent(facts, { ...CPU_TAKEN, balance }, () => service.stop());
}

await main(childOptions<WalletServerRole>());
