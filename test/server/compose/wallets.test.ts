import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { openSigner } from '#compose/evidence';
import { composeWallets, type WalletModule } from '#compose/wallets';
import { readConfig } from '#config/config';
import { createLogger } from '#server/log';
import { trusted } from '#services/time/believed-clock';
import { walletNumber } from '#test/contract/store.contract';
import { type PostgresRatingsFixture, postgresRatingsFixtures } from '#test/contract/support/postgres-ratings-fixture';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { postgresServer } from '#test/support/postgres';
import { sampleBoard, storedRating } from '#test/support/sample-ratings';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const silent = createLogger('silent', { write: () => {} });

/** The settings of wallet services at this venue. */
function configOf(venue: LoopbackServer, dataDir: string, more: Record<string, string> = {}) {
  const { baseUrl } = venue;
  const names = ['VENUE_GAMMA_URL', 'VENUE_CLOB_URL', 'VENUE_DATA_URL'].map((name) => [name, baseUrl]);
  const sockets = ['VENUE_WS_URL', 'VENUE_RTDS_URL'].map((name) => [name, baseUrl.replace('http', 'ws')]);
  return readConfig({
    PREFLIGHT_PROFILE: 'local',
    DATA_DIR: dataDir,
    PAYEE_ADDRESS: `0x${'11'.repeat(20)}`,
    ...Object.fromEntries([...names, ...sockets]),
    ...more,
  });
}

describe('the wallet services, wired', () => {
  let venue: LoopbackServer;
  let dataDir: string;
  let wallets: WalletModule;
  /** Questions that the venue answers with nothing; the later ones hang. */
  let answers: number;

  beforeEach(async () => {
    venue = await startLoopbackServer();
    dataDir = await mkdtemp(join(tmpdir(), 'preflight-wallets-'));
    answers = Number.POSITIVE_INFINITY;
    venue.answer((_, response) => {
      if (venue.seen.length <= answers) sendJson(response, { data: [] });
    });
    const config = configOf(venue, dataDir);
    wallets = await composeWallets(config, {
      clock: trusted(systemClock),
      random: systemRandom,
      timers: systemTimers,
      log: silent,
      history: Promise.resolve(),
      signer: openSigner(config),
    });
  });

  afterEach(async () => {
    await venue.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stop soon though the venue hangs while trades are recorded', async function () {
    this.timeout(20_000);
    answers = 1;
    await wallets.start();
    while (venue.seen.length <= answers) await new Promise((resolve) => setTimeout(resolve, 5));
    await wallets.stop();
    const late = await wallets.ratings.board().catch((error: Error) => error);
    expect(late).to.be.instanceOf(Error);
  });
});

describe('the wallet services of two replicas, wired', () => {
  const makeFixture = postgresRatingsFixtures(postgresServer());
  let venue: LoopbackServer;
  let dataDir: string;
  let shared: PostgresRatingsFixture;
  let replicas: readonly WalletModule[];

  beforeEach(async function () {
    this.timeout(PROCESS_TEST_MS);
    venue = await startLoopbackServer();
    // The venue does not answer: what is queued stays in work.
    venue.answer(() => {});
    dataDir = await mkdtemp(join(tmpdir(), 'preflight-wallets-'));
    shared = await makeFixture();
    const open = (name: string) => {
      const config = configOf(venue, join(dataDir, name), { STORE_URL: shared.url, WALLET_JOBS: 'on' });
      return composeWallets(config, {
        clock: trusted(systemClock),
        random: systemRandom,
        timers: systemTimers,
        log: silent,
        history: Promise.resolve(),
        signer: openSigner(config),
      });
    };
    replicas = [await open('a'), await open('b')];
    for (const replica of replicas) await replica.start();
  });

  afterEach(async function () {
    this.timeout(PROCESS_TEST_MS);
    await Promise.all(replicas.map((replica) => replica.stop()));
    await venue.close();
    await shared.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('have one board, one queue and one sweeper, and leave nothing held behind when they stop', async function () {
    this.timeout(PROCESS_TEST_MS);
    const [one, other] = replicas as [WalletModule, WalletModule];
    const wallet = walletNumber(7);
    await one.ratings.putBoardRatings(1, [storedRating({ wallet })]);
    await one.ratings.publish(sampleBoard({ run: 1, leaderboard: [wallet] }));
    const lists = await Promise.all(replicas.map(({ lists }) => lists.leaderboard()));
    expect(lists.map((list) => list.kind === 'listed' && list.board.run)).to.deep.equal([1, 1]);

    const queued = await one.wallets.ask(walletNumber(8), '10.0.0.1');
    expect(queued.kind).to.equal('queued');
    expect((await other.wallets.ask(walletNumber(8), '10.0.0.2')).kind).to.equal('queued');
    expect(await shared.sql('SELECT wallet FROM wallet_row')).to.have.length(1);

    const turns = await Promise.all(replicas.map(({ isLeader }) => isLeader()));
    expect(turns.toSorted()).to.deep.equal([false, true]);
    expect(replicas.flatMap(({ jobsHeld }) => jobsHeld())).to.deep.equal(['sweeper']);
    await Promise.all(replicas.map((replica) => replica.stop()));
    const held = 'SELECT job AS held FROM job_lease WHERE until > clock_timestamp()';
    expect(await shared.sql(`${held} UNION SELECT wallet FROM wallet_row WHERE owner IS NOT NULL`)).to.deep.equal([]);
  });
});
