import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { composeWallets, type WalletHome } from '#compose/wallets';
import { readConfig } from '#config/config';
import { createLogger } from '#src/log';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';

describe('the wallet services, wired', () => {
  let venue: LoopbackServer;
  let dataDir: string;
  let home: WalletHome;
  /** Questions that the venue answers with nothing; the later ones hang. */
  let answers: number;

  beforeEach(async () => {
    venue = await startLoopbackServer();
    dataDir = await mkdtemp(join(tmpdir(), 'preflight-wallets-'));
    answers = Number.POSITIVE_INFINITY;
    venue.answer((_, response) => {
      if (venue.seen.length <= answers) sendJson(response, { data: [] });
    });
    const { baseUrl } = venue;
    const names = ['VENUE_GAMMA_URL', 'VENUE_CLOB_URL', 'VENUE_DATA_URL'].map((name) => [name, baseUrl]);
    const sockets = ['VENUE_WS_URL', 'VENUE_RTDS_URL'].map((name) => [name, baseUrl.replace('http', 'ws')]);
    const config = readConfig({
      PREFLIGHT_PROFILE: 'local',
      DATA_DIR: dataDir,
      PAYEE_ADDRESS: `0x${'11'.repeat(20)}`,
      ...Object.fromEntries([...names, ...sockets]),
    });
    home = composeWallets(config, {
      clock: systemClock,
      random: systemRandom,
      log: createLogger('silent', { write: () => {} }),
      history: Promise.resolve(),
    });
  });

  afterEach(async () => {
    await venue.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stop soon though the venue hangs while trades are recorded', async function () {
    this.timeout(20_000);
    answers = 1;
    await home.start();
    while (venue.seen.length <= answers) await new Promise((resolve) => setTimeout(resolve, 5));
    await home.stop();
    const late = await home.ratings.board().catch((error: Error) => error);
    expect(late).to.be.instanceOf(Error);
  });
});
