import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createBaseChain } from '#adapters/chain/base-chain';
import { createFacilitator } from '#adapters/facilitator/facilitator';
import { CATALOG_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { systemClock } from '#adapters/process/system-clock';
import { systemTimers } from '#adapters/process/system-timers';
import { backUp, restore } from '#compose/backup';
import { lastBackupMs, markBackup } from '#compose/backup-mark';
import { openCredits } from '#compose/credits';
import { OrderBook } from '#domain/book/order-book';
import { OutsideError, Problem } from '#domain/errors';
import type { ConditionId, TokenId } from '#domain/ids';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { watchEventLoop } from '#http/observe/event-loop-lag';
import { createCounters, createMetrics, type MetricsDeps } from '#http/observe/metrics';
import { createMetricsServer } from '#http/observe/metrics-server';
import { paymentMachineWith } from '#machines/payment.machine';
import type { Upstream } from '#ports/venue';
import { Books } from '#services/books/books';
import { Feed } from '#services/books/feed';
import { measuredTools } from '#services/gate/measured-tools';
import { createTools } from '#services/gate/tools';
import { Lease } from '#services/payments/lease';
import { measuredFacilitator } from '#services/payments/measured-facilitator';
import { REQUEST_BUDGET_MS } from '#services/payments/payment-run';
import { ChangeOutcomes } from '#services/status/change-outcomes';
import { DiskUse } from '#services/status/disk-use';
import { Status, type StatusDeps } from '#services/status/status';
import { watchStore } from '#services/status/store-watch';
import { createWalletEvidence } from '#services/wallets/wallet-evidence';
import type { Clock } from '#system/clock';
import { walletNumber } from '#test/contract/store.contract';
import { CONSTANT_ANSWER, openDoor } from '#test/server/http/support/door';
import { believedFrom } from '#test/server/services/support/believed';
import {
  newPayment,
  type PaymentsRig,
  paid,
  type RigOptions,
  rpcDown,
  startPaymentsRig,
  timedOut,
} from '#test/server/services/support/payments-rig';
import { quietStatus } from '#test/server/services/support/quiet-status';
import { WalletsRig } from '#test/server/services/support/wallets-rig';
import { FakeTextSockets } from '#test/streams/support/fake-text-sockets';
import { readFixtureLines } from '#test/support/fixtures';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { alertRules } from '#test/support/metrics/alerts';
import { Monitor } from '#test/support/metrics/monitor';
import { RecordedLog } from '#test/support/recorded-log';
import { AS_OF_S, sampleBoard } from '#test/support/sample-ratings';

const MINUTE_MS = 60_000;
const HOUR_S = 3_600;
const MARKET = '0xabc' as ConditionId;
const TOKEN = '1' as TokenId;
const chance = { next: () => 0.5, bytes: (count: number) => new Uint8Array(count) };

/** What a test opened, to be closed after it. */
const opened: (() => unknown)[] = [];
/** Alerts that have fired here and were silent before and after. */
const proven = new Set<string>();

/** A service of real parts as far as a test names them, and who watches it. */
function watched(clock: Clock, deps: Partial<StatusDeps> = {}, onDisk: Partial<MetricsDeps> = {}) {
  const status = new Status({ ...quietStatus(clock), ...deps });
  const facilitators = ['first'];
  const counters = createCounters({ build: { version: '0.1.0', store: 'embedded', schema: 2 }, facilitators });
  const { text, contentType } = createMetrics({
    registry: counters.registry,
    status: () => status.report(),
    streams: () => ({ open: 0, refused: 0 }),
    disk: () => ({ storeBytes: 1, tapeBytes: 1, backupAtMs: clock.nowMs() }),
    freeBytes: async () => 5e9,
    facilitators,
    ...onDisk,
  });
  const monitor = new Monitor(
    () => text(),
    () => clock.nowMs() / 1e3,
  );
  return { metrics: { ...counters, text, contentType }, monitor };
}

type Watched = ReturnType<typeof watched>;

/** Scrapes, and says whether the alert fires. */
async function fires(monitor: Monitor, alert: string): Promise<boolean> {
  await monitor.scrape();
  return monitor.firing().includes(alert);
}

/** Whether it is silent, fires when it is made so, and is silent again when it is healed. */
async function firesAndClears(
  alert: string,
  monitor: Monitor,
  { ill, heal }: { ill: () => unknown; heal: () => unknown },
): Promise<void> {
  expect(await fires(monitor, alert), `${alert} before`).to.equal(false);
  await ill();
  expect(await fires(monitor, alert), alert).to.equal(true);
  await heal();
  expect(await fires(monitor, alert), `${alert} after`).to.equal(false);
  proven.add(alert);
}

async function newServer(): Promise<LoopbackServer> {
  const server = await startLoopbackServer();
  opened.push(() => server.close());
  return server;
}

async function newPaymentsRig(options: RigOptions): Promise<PaymentsRig> {
  const rig = await startPaymentsRig(options);
  opened.push(() => rig.close());
  return rig;
}

async function newWalletsRig(): Promise<WalletsRig> {
  const rig = await WalletsRig.open();
  opened.push(() => rig.remove());
  return rig;
}

describe('alerts', () => {
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  describe('about money', () => {
    /** The meter is there before the service whose payments it counts. */
    function meterOf(): { meter: NonNullable<RigOptions['meter']>; to(metrics: Watched['metrics']): void } {
      let metrics: Watched['metrics'] | null = null;
      return {
        meter: {
          paymentSettled: (sale) => metrics?.paymentSettled(sale),
          contradicted: (kind) => metrics?.contradicted(kind),
        },
        to: (target) => {
          metrics = target;
        },
      };
    }

    it('fire when a settlement waits for its proof for more than ten minutes, until it is proven', async () => {
      const rig = await newPaymentsRig({ isStarted: false });
      const { monitor } = watched(rig.clock, { payments: rig.payments });
      await firesAndClears('PreflightSettlementUnproven', monitor, {
        async ill() {
          Object.assign(rig.chain, { receipt: { kind: 'missing' }, says: rpcDown });
          await rig.pay(newPayment(rig.clock));
          await rig.payments.start();
          rig.clock.advance(11 * MINUTE_MS);
          await rig.pass(2_000);
        },
        async heal() {
          rig.chain.receipt = 'paid';
          rig.clock.advance(MINUTE_MS);
          await rig.pass(2_500);
        },
      });
    });

    it('fire when a reported settlement is refuted, and for a day; the contradiction for an hour', async () => {
      const { meter, to } = meterOf();
      const rig = await newPaymentsRig({ isStarted: false, meter });
      const { monitor, metrics } = watched(rig.clock, { payments: rig.payments });
      to(metrics);
      const refute = async () => {
        await rig.pay(newPayment(rig.clock));
        Object.assign(rig.chain, { receipt: { kind: 'missing' }, says: { kind: 'expired' } });
        await rig.payments.start();
        await rig.until(() => rig.payments.report().proofs.lastRefutedAtMs !== null);
      };
      const waitUntilNext = async (ms: number) => {
        rig.clock.advance(ms);
        await monitor.scrape();
      };
      await firesAndClears('PreflightBooksContradictChain', monitor, {
        ill: refute,
        heal: () => waitUntilNext(61 * MINUTE_MS),
      });
      expect(await fires(monitor, 'PreflightSettlementRefuted')).to.equal(true);
      await waitUntilNext(23 * 60 * MINUTE_MS);
      expect(await fires(monitor, 'PreflightSettlementRefuted')).to.equal(false);
      proven.add('PreflightSettlementRefuted');
    });

    it('fire when eleven payments have no known outcome, until the chain shows them', async () => {
      const rig = await newPaymentsRig({});
      const { monitor } = watched(rig.clock, { payments: rig.payments });
      for (const facilitator of rig.facilitators) facilitator.settles = timedOut;
      await firesAndClears('PreflightPaymentsUnresolved', monitor, {
        async ill() {
          const payments = Array.from({ length: 11 }, () => rig.pay(newPayment(rig.clock)));
          let isOver = false;
          void Promise.all(payments).then(() => {
            isOver = true;
          });
          await rig.pass(1_000);
          rig.clock.advance(REQUEST_BUDGET_MS);
          await rig.until(() => isOver);
        },
        async heal() {
          rig.chain.says = paid;
          await rig.until(() => rig.payments.report().unresolved === 0);
        },
      });
    });

    it('fire when the machine of a payment breaks, for an hour', async () => {
      const rig = await newPaymentsRig({
        provide: (steps) =>
          paymentMachineWith({
            ...steps,
            resolve: () => {
              throw new Error('a fault of this program');
            },
          }),
      });
      rig.facilitators[0]!.settles = timedOut;
      const { monitor } = watched(rig.clock, { payments: rig.payments });
      await firesAndClears('PreflightPaymentBroken', monitor, {
        ill: () => rig.pay(newPayment(rig.clock)),
        async heal() {
          rig.clock.advance(61 * MINUTE_MS);
          await monitor.scrape();
        },
      });
    });

    it('fire when facilitators leave attempts to settle open, until most of them end well', async () => {
      let metrics: Watched['metrics'] | null = null;
      const meter = { facilitatorAnswered: (end: never) => metrics!.facilitatorAnswered(end) };
      const rig = await newPaymentsRig({
        facilitators: 1,
        around: (outside, clock) => ({
          ...outside,
          facilitators: outside.facilitators.map((one) => measuredFacilitator(one, meter, clock)),
        }),
      });
      const service = watched(rig.clock, { payments: rig.payments });
      metrics = service.metrics;
      const [facilitator] = rig.facilitators;
      await firesAndClears('PreflightSettlementsUnknown', service.monitor, {
        async ill() {
          facilitator!.settles = timedOut;
          rig.chain.says = paid;
          await rig.pay(newPayment(rig.clock));
          await rig.pass(1_000);
        },
        async heal() {
          rig.clock.advance(11 * MINUTE_MS);
          await service.monitor.scrape();
          facilitator!.settles = { kind: 'settled', transaction: `0x${'7b'.repeat(32)}` };
          await rig.pass(2_000);
          await rig.pay(newPayment(rig.clock));
          await rig.pass(1_000);
        },
      });
    });

    it('fire when most payments cannot be verified, until they are', async () => {
      const rig = await newPaymentsRig({ facilitators: 1 });
      const { monitor } = watched(rig.clock, { payments: rig.payments });
      const [facilitator] = rig.facilitators;
      const pay = async () => {
        for (let n = 0; n < 4; n++) {
          await rig.pay(newPayment(rig.clock));
          await rig.pass(MINUTE_MS);
          await monitor.scrape();
        }
      };
      await pay();
      await firesAndClears('PreflightPaymentsUnverified', monitor, {
        async ill() {
          facilitator!.verifies = { kind: 'unavailable', reason: 'answered 400 without a verdict' };
          for (let n = 0; n < 3; n++) await pay();
        },
        async heal() {
          facilitator!.verifies = { kind: 'valid' };
          for (let n = 0; n < 3; n++) await pay();
        },
      });
    });

    it('fire when the facilitator, or the chain, does not answer well', async () => {
      const server = await newServer();
      const facilitator = createFacilitator({ baseUrl: server.baseUrl, clock: systemClock, timers: systemTimers });
      const chain = createBaseChain({ rpcUrls: [server.baseUrl], clock: systemClock, timers: systemTimers });
      await expectDown('PreflightFacilitatorDown', facilitator, server, {});
      await expectDown('PreflightChainDown', chain, server, { jsonrpc: '2.0', id: 1, result: '0x2105' });
    });
  });

  /** Whether the alert follows what a source of the outside answers. */
  async function expectDown(alert: string, upstream: Upstream, server: LoopbackServer, answer: object): Promise<void> {
    const { monitor } = watched(systemClock, { upstreams: [upstream] });
    const well: Parameters<LoopbackServer['answer']>[0] = ({ body }, response) => {
      const id = body === '' ? {} : { id: JSON.parse(body).id };
      sendJson(response, { ...answer, ...id });
    };
    server.answer(well);
    await upstream.probe();
    await firesAndClears(alert, monitor, {
      async ill() {
        server.answer((_, response) => response.writeHead(500).end());
        await upstream.probe();
      },
      async heal() {
        server.answer(well);
        await upstream.probe();
      },
    });
  }

  describe('about the service', () => {
    it('fire when it does not answer, until it is started again', async () => {
      const { metrics } = watched(systemClock);
      let server = createMetricsServer(metrics, systemTimers);
      opened.push(() => server.stop());
      const { port } = await server.listen(0, '127.0.0.1');
      const monitor = new Monitor(
        async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
        () => Date.now() / 1e3,
      );
      await firesAndClears('PreflightDown', monitor, {
        ill: () => server.stop(),
        async heal() {
          server = createMetricsServer(metrics, systemTimers);
          await server.listen(port, '127.0.0.1');
        },
      });
    });

    it('fire when the store cannot be read and written', async () => {
      const rig = await newPaymentsRig({});
      let isAway = false;
      const ping = async () => {
        if (isAway) throw new OutsideError('store', 'the disk is full', { failure: 'retryable' });
        return rig.store.ping();
      };
      const { clock } = rig;
      const { health: storeHealth } = watchStore({
        store: { ping, transact: rig.store.transact },
        changes: new ChangeOutcomes(clock),
        ...{ clock, timers: new ManualTimers(clock), random: chance },
      });
      const turn = (away: boolean) => {
        isAway = away;
        clock.advance(5_000);
      };
      const { monitor } = watched(clock, { storeHealth });
      await firesAndClears('PreflightStoreDown', monitor, { ill: () => turn(true), heal: () => turn(false) });
    });

    it('fire when its lease cannot be renewed, until it is', async () => {
      const clock = new ManualClock();
      const timers = new ManualTimers(clock);
      let isAway = false;
      const leases = {
        hold: async () => {
          if (isAway) throw new OutsideError('store', 'the database is away', { failure: 'unknown' });
          return { kind: 'held' as const, others: [] };
        },
        end: async () => {},
      };
      const lease = new Lease({
        leases,
        othersMax: 1,
        stopwatch: clock,
        timers,
        random: chance,
        log: new RecordedLog(),
      });
      await lease.start();
      opened.push(() => lease.end());
      const live = async (ms: number) => {
        for (let passedMs = 0; passedMs < ms; passedMs += 250) {
          timers.advance(250);
          await new Promise(setImmediate);
        }
      };
      const { monitor } = watched(clock, { lease });
      await firesAndClears('PreflightLeaseLost', monitor, {
        ill: () => {
          isAway = true;
          return live(5_000);
        },
        heal: () => {
          isAway = false;
          return live(2_000);
        },
      });
    });

    it('fire when the clock of the machine is wrong, until it is set right or the others agree with it', async () => {
      const clock = new ManualClock();
      const { time } = believedFrom(clock);
      const { monitor } = watched(clock, { time: () => time.report() });
      for (const stepMs of [-90_000, 90_000]) {
        await firesAndClears('PreflightClockSkew', monitor, {
          ill: () => clock.step(stepMs),
          heal: () => clock.step(-stepMs),
        });
      }
      // Its next life, which hears nobody.
      const next = believedFrom(clock, { hears: false });
      let life = time;
      const restarted = watched(clock, { time: () => life.report() });
      await firesAndClears('PreflightClockUnconfirmed', restarted.monitor, {
        ill: () => {
          life = next.time;
        },
        heal: next.hear,
      });
    });

    it('fire when the disk is nearly full', async () => {
      let free = 5e9;
      const { monitor } = watched(systemClock, {}, { freeBytes: async () => free });
      const turn = (bytes: number) => {
        free = bytes;
      };
      await firesAndClears('PreflightDiskFull', monitor, { ill: () => turn(1e9), heal: () => turn(5e9) });
    });

    it('fire when no backup is known, and when backups have stopped, until one is made and checked', async () => {
      const dir = await mkdtemp(join(tmpdir(), 'preflight-alerts-'));
      opened.push(() => rm(dir, { recursive: true, force: true }));
      const clock = new ManualClock(Date.now());
      let dataDir = join(dir, 'data');
      const disk = new DiskUse({
        bytesOf: async () => 1,
        storePaths: ['credits.lmdb'],
        tapePath: 'tape',
        lastBackupMs: () => lastBackupMs(dataDir),
        timers: new ManualTimers(clock),
      });
      opened.push(() => disk.stop());
      const { monitor } = watched(clock, {}, { disk: () => disk.report() });
      const backUpTo = (name: string) =>
        backUp(join(dir, name), { dataDir, keysDir: dataDir, withTape: true, onStep: () => undefined });
      await openCredits(dataDir).store.close();
      await backUpTo('first');
      await disk.start();
      await firesAndClears('PreflightBackupNone', monitor, {
        async ill() {
          dataDir = join(dir, 'restored');
          await restore(join(dir, 'first'), dataDir, { onStep: () => undefined });
          await disk.start();
        },
        async heal() {
          await backUpTo('second');
          await disk.start();
        },
      });
      await firesAndClears('PreflightBackupLate', monitor, {
        ill: () => clock.advance(27 * HOUR_S * 1e3),
        async heal() {
          markBackup(dataDir, new Date(clock.nowMs()).toISOString());
          await disk.start();
        },
      });
    });

    it('fire when timers come too late in the mean', async () => {
      const clock = new ManualClock();
      const timers = new ManualTimers(clock);
      const { monitor, metrics } = watched(clock);
      opened.push(watchEventLoop({ stopwatch: clock, timers }, (lagMs) => metrics.eventLoopLagged(lagMs)));
      const live = async (lagMs: number) => {
        clock.advance(6 * MINUTE_MS);
        timers.advance(0);
        await new Promise(setImmediate);
        await monitor.scrape();
        for (let n = 0; n < 20; n++) {
          timers.advance(100 + lagMs);
          await new Promise(setImmediate);
        }
      };
      await live(0);
      await firesAndClears('PreflightEventLoopSlow', monitor, { ill: () => live(150), heal: () => live(1) });
    });

    it('fire when too many answers are a 5xx', async () => {
      const clock = new ManualClock();
      const { monitor, metrics } = watched(clock);
      let isIll = false;
      const door = await openDoor({
        deps: { metrics },
        handler: async () => {
          if (isIll) throw new Error('a fault of this program');
          return CONSTANT_ANSWER;
        },
      });
      opened.push(() => door.stop());
      const call = async (ill: boolean) => {
        isIll = ill;
        clock.advance(6 * MINUTE_MS);
        await door.order('token_id=1');
        await monitor.scrape();
        clock.advance(MINUTE_MS);
        await door.order('token_id=1');
      };
      await call(false);
      await firesAndClears('PreflightErrors', monitor, { ill: () => call(true), heal: () => call(false) });
    });
  });

  describe('about the venue', () => {
    it('fire when books are not confirmed for more than a minute, until they are', async () => {
      const clock = new ManualClock();
      let isFrozen = false;
      const away = new OutsideError('clob', 'no answer', { failure: 'retryable' });
      const snapshot = { conditionId: MARKET, bids: [], asks: [], timestampMs: clock.nowMs(), hash: null };
      const books = new Books({
        connect: new FakeTextSockets().connect,
        source: {
          fetchBook: async () => (isFrozen ? Promise.reject(away) : (snapshot as never)),
          fetchBooks: async (tokens) => {
            if (isFrozen) throw away;
            return new Map(tokens.map((token) => [token, { kind: 'book', snapshot: snapshot as never }]));
          },
        },
        clock,
        random: chance,
        log: new RecordedLog(),
      });
      opened.push(() => books.stop());
      const ask = async (ms: number) => {
        clock.advance(ms);
        await books.getBook(TOKEN, MARKET, 10_000);
      };
      await ask(0);
      const { monitor } = watched(clock, { books });
      await firesAndClears('PreflightVenueFrozen', monitor, {
        ill: () => {
          isFrozen = true;
          return ask(61_000);
        },
        heal: () => {
          isFrozen = false;
          return ask(2_000);
        },
      });
    });

    it('fire when a part of it, or of what trades are recorded from, does not answer well', async () => {
      const server = await newServer();
      const upstream = (name: 'gamma' | 'data-api') =>
        createHttpJson({
          upstream: name,
          baseUrl: server.baseUrl,
          budget: CATALOG_BUDGET,
          clock: systemClock,
          probePaths: ['/time'],
        });
      await expectDown('PreflightVenueDown', upstream('gamma'), server, {});
      await expectDown('PreflightTapeDown', upstream('data-api'), server, {});
    });

    it('fire when frames have to be parsed that are usually read off their bytes', async () => {
      const clock = new ManualClock();
      const sockets = new FakeTextSockets();
      const feed = new Feed({
        connect: sockets.connect,
        clock,
        time: clock,
        random: chance,
        log: new RecordedLog(),
        onResolved: () => undefined,
        onHashChecked: () => undefined,
      });
      opened.push(() => feed.stop());
      const usual = readFixtureLines('ws_price_changes.jsonl')[0]!;
      const { market, price_changes: changes } = JSON.parse(usual);
      feed.add(new OrderBook(changes[0].asset_id, market));
      sockets.act('open');
      const report = quietStatus(clock).books.report();
      const { monitor } = watched(clock, { books: { report: () => ({ ...report, feed: feed.report() }) } });
      const receive = async (frame: string) => {
        clock.advance(16 * MINUTE_MS);
        await monitor.scrape();
        clock.advance(MINUTE_MS);
        sockets.act(frame);
      };
      // A field that nobody knows is no fault, but it is not what is read off the bytes.
      const unusual = JSON.stringify({ ...JSON.parse(usual), sequence: 1 });
      await receive(usual);
      await firesAndClears('PreflightFramesSlow', monitor, { ill: () => receive(unusual), heal: () => receive(usual) });
    });
  });

  describe('about ratings', () => {
    it('fire while there is no board, or a late one', async () => {
      const rig = await newWalletsRig();
      const { monitor } = watched(rig.clock, { ratings: rig.store });
      const publish = (run: number, asOfS: number) => rig.store.publish(sampleBoard({ run, asOfS }));
      expect(await fires(monitor, 'PreflightBoardLate'), 'without a board').to.equal(true);
      await publish(1, AS_OF_S);
      await firesAndClears('PreflightBoardLate', monitor, {
        ill: () => rig.clock.advance(21 * HOUR_S * 1e3),
        heal: () => publish(2, AS_OF_S + 24 * HOUR_S),
      });
    });

    it('fire when a night has failed, until one succeeds', async () => {
      const rig = await newWalletsRig();
      const { monitor } = watched(rig.clock, { ratings: rig.store });
      const report = (error: string | null) => rig.store.putRunReport({ startedAtMs: 1, endedAtMs: 2, error });
      await report(null);
      await firesAndClears('PreflightNightFailed', monitor, {
        ill: () => report('the tape cannot be read'),
        heal: () => report(null),
      });
    });

    it('fire when a wallet waits for its rating for more than an hour', async () => {
      const rig = await newWalletsRig();
      const wallet = walletNumber(0xa);
      rig.venue.list(wallet, 120);
      const { monitor } = watched(rig.clock, { wallets: rig.wallets });
      await firesAndClears('PreflightWalletQueueSlow', monitor, {
        async ill() {
          await rig.ask(wallet);
          rig.venue.down = true;
          await rig.until(() => rig.wallets.report().resting + rig.wallets.report().inWork > 0);
          rig.clock.advance(61 * MINUTE_MS);
        },
        async heal() {
          rig.venue.down = false;
          rig.endRests();
          await rig.settled(wallet);
          await rig.until(() => rig.wallets.report().oldestQueuedAgeMs === null);
        },
      });
    });

    it('fire when a rating does not follow from what is stored of it, for an hour', async () => {
      const rig = await newWalletsRig();
      const wallet = walletNumber(0xb);
      rig.venue.list(wallet, 120);
      await rig.settled(wallet);
      await rig.store.bases.put([{ wallet, asOfS: AS_OF_S, text: '{}' }]);
      const { monitor, metrics } = watched(rig.clock, { wallets: rig.wallets });
      const evidence = { issuer: 'https://preflight.example', engine: { version: '0', sourceSha256: '' } };
      const tools = createTools({
        judge: () => expect.fail(),
        isBookCached: () => false,
        wallets: rig.wallets,
        lists: { leaderboard: () => expect.fail(), redList: () => expect.fail() },
        walletEvidenceOf: createWalletEvidence({
          ...{ ...evidence, store: rig.store, tape: rig.tape, config: RATING_CONFIG },
          keys: { signLong: () => expect.fail() },
          log: { error() {} },
        }),
      });
      const measured = measuredTools(tools, metrics, rig.clock);
      await firesAndClears('PreflightEvidenceRefused', monitor, {
        async ill() {
          const call = measured.preflight_copy.prepare({ wallet, evidence: true });
          if (call.kind === 'invalid') throw new Error(call.message);
          const refused = await Promise.resolve(call.run('somebody')).catch((error: Error) => error);
          expect(refused).to.be.instanceOf(Problem);
        },
        async heal() {
          rig.clock.advance(61 * MINUTE_MS);
          await monitor.scrape();
        },
      });
    });
  });

  // Beside the others it would come before them.
  describe('that fired and cleared here', () => {
    it('are all of those that stand in deploy/alerts.yaml', () => {
      expect([...proven]).to.have.members(alertRules().map(({ alert }) => alert));
    });
  });
});
