import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import { migrate } from '#adapters/postgres/migrate';
import { SCHEMA_VERSION } from '#adapters/postgres/schema-version';
import { systemClock } from '#adapters/process/system-clock';
import { compose, type Service } from '#compose/compose';
import { readLocalConfig } from '#config/config';
import { parseWallet, toWallet } from '#domain/ids';
import { freeLowPort } from '#local/free-low-port';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#local/postgres/embedded';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { createLogger } from '#server/log';
import { until } from '#test/local/support/chain-harness';
import { PAID_OPERATIONS } from '#test/payments/matrix/cells';
import { type Call, sign } from '#test/payments/matrix/payer';
import { Monitor } from '#test/support/metrics/monitor';
import { ownPostgres } from '#test/support/postgres';
import { type Cut, startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const WALLET = parseWallet(`0x${'ab'.repeat(20)}`)!;
const CREDITS = 1_000;
const PAYEE = '0x00000000000000000000000000000000000Fee01';
const TRADE = '/api/preflight_trade?slug=will-arcadia-call-a-snap-election-by-december-31&usd=250';
/** An answer is there within 3 s; this ends what hangs, on a machine with other work too. */
const PATIENCE_MS = 6_000;
/** Nothing listens: who is asked is never to be asked. */
const NOBODY = 'http://127.0.0.1:9';
/** What wakes somebody when the database is away. */
const OF_THE_DATABASE = ['PreflightStoreDown', 'PreflightLeaseLost'];
const CALLERS = 16;
const CALLS_EACH = 12;

describe('a replica whose database is away', function () {
  this.timeout(PROCESS_TEST_MS);
  let database: Awaited<ReturnType<typeof ownPostgres>>;
  /** Its next life. */
  let again: EmbeddedPostgres | null = null;
  let line: TcpProxy;
  let venue: LocalVenue;
  let service: Service;
  let url: string;
  let token: string;
  let monitor: Monitor;
  const folder = mkdtempSync(join(tmpdir(), 'preflight-away-'));

  before(async function () {
    database = await ownPostgres(this);
    await migrate(database.url);
    line = await startTcpProxy(database.port);
    venue = await startLocalVenue({ clock: systemClock });
    const port = await freeLowPort();
    const storeUrl = database.url.replace(`:${database.port}/`, `:${line.port}/`);
    const metricsPort = await freeLowPort();
    const ports = { PORT: `${port}`, METRICS_PORT: `${metricsPort}` };
    const config = readLocalConfig({ ...ports, DATA_DIR: folder, STORE_URL: storeUrl, WALLET_JOBS: 'off' });
    monitor = new Monitor(
      async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
      () => Date.now() / 1e3,
    );
    const { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl } = venue;
    service = await compose(
      {
        ...config,
        payee: toWallet(PAYEE),
        venue: { gammaUrl, clobUrl, dataUrl, wsUrl, rtdsUrl },
        facilitatorUrls: [NOBODY],
        baseRpcUrls: [NOBODY],
      },
      createLogger('error', { write: () => {} }),
    );
    await service.start();
    url = `http://127.0.0.1:${port}`;
    const granted = await service.credits.grant(WALLET, CREDITS, 30, '');
    token = (granted as { readonly token: string }).token;
  });
  after(async () => {
    line?.heal();
    await service?.stop();
    await line?.close();
    await venue?.close();
    await again?.kill();
    await database?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = ({ method, path, headers = {} }: Call, body?: object) =>
    fetch(url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  const get = (path: string) => send({ method: 'GET', path });
  const bearer = () => ({ Authorization: `Bearer ${token}` });
  const debit = (key: string) => send({ method: 'GET', path: TRADE, headers: { ...bearer(), 'Idempotency-Key': key } });
  const balance = () => send({ method: 'GET', path: '/api/credits', headers: bearer() });
  const status = async () => (await (await get('/status.json')).json()) as Status;

  async function paidCall(): Promise<Call> {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    return sign(url, PAID_OPERATIONS[0]!.call, { version: 2, account, windowS: null });
  }

  for (const how of ['reset', 'black hole'] as Cut[]) {
    it(`says so wherever it is needed, answers all else, and is at work again after it (${how})`, async () => {
      const paid = await paidCall();
      expect((await debit(randomUUID())).status).to.equal(200);
      const before = (await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null })).balance;
      line.cut(how);
      const key = randomUUID();
      const refused = await Promise.all([
        balance(),
        debit(key),
        debit(randomUUID()),
        send(paid),
        send({ method: 'POST', path: '/api/redeem' }, { code: 'a-code', wallet: WALLET }),
      ]);
      for (const answer of refused) {
        const { code, error } = (await answer.json()) as { readonly code: string; readonly error: string };
        expect([answer.status, code], answer.url).to.deep.equal([500, 'store_unavailable']);
        expect(answer.headers.get('retry-after')).to.equal('5');
        expect(answer.headers.get('payment-required')).to.equal(null);
        expect(error).to.not.match(/nothing was charged/);
      }
      const others = ['/llms.txt', '/openapi.json', '/api/preflight_trade?sandbox=1'].map(get);
      expect((await Promise.all(others)).map((answer) => answer.status)).to.deep.equal([200, 200, 200]);
      expect((await get(`${TRADE}&x402_probe=1`)).status).to.equal(402);
      expect((await get(TRADE)).status).to.equal(402);
      // What was last seen of the store stands for a second.
      await until(async () => (await get('/healthz')).status === 500);
      expect((await status()).components.store.ok).to.equal(false);
      await until(async () => !(await status()).replica.is_lease_held);
      await monitor.scrape();
      expect(monitor.firing()).to.include.members(OF_THE_DATABASE);

      line.heal();
      await until(async () => (await balance()).status === 200);
      await until(async () => (await status()).replica.is_lease_held);
      await until(async () => (await get('/healthz')).status === 200);
      expect((await debit(key)).status).to.equal(200);
      const { balance: after } = await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null });
      expect(before - after, 'the call that was repeated').to.equal(1);
      await monitor.scrape();
      expect(monitor.firing()).to.not.include.oneOf(OF_THE_DATABASE);
    });
  }

  it('tells operators of its connections and its schema, and of no file of a store', async () => {
    await monitor.scrape();
    const { samples } = monitor.scrapes.at(-1)!;
    const of = (name: string) => samples.filter((sample) => sample.name === `preflight_${name}`);
    expect(of('store_connections').reduce((sum, { value }) => sum + value, 0)).to.be.above(0);
    expect(of('build_info')[0]!.labels).to.include({ store: 'postgresql', schema: String(SCHEMA_VERSION) });
    expect(of('store_bytes')).to.deep.equal([]);
    expect(of('lease_held')[0]!.value).to.equal(1);
  });

  it('is killed and started again under load: nothing that was acknowledged is lost, nothing is done twice', async () => {
    const before = (await balanceNow()).balance;
    let done = 0;
    const caller = async () => {
      for (let n = 0; n < CALLS_EACH; n++) {
        const key = randomUUID();
        await until(async () => (await debit(key)).status === 200);
        done++;
      }
    };
    const callers = Promise.all(Array.from({ length: CALLERS }, caller));
    await until(async () => done >= CALLERS);
    await database.kill();
    const started = await startEmbeddedPostgres({ folder: database.folder, port: database.port });
    if (started.kind === 'absent') throw new Error(started.why);
    again = started.server;
    await callers;
    expect(before - (await balanceNow()).balance).to.equal(CALLERS * CALLS_EACH);
  });

  const balanceNow = () => service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null });
});

interface Status {
  readonly components: { readonly store: { readonly ok: boolean } };
  readonly replica: { readonly is_lease_held: boolean };
}
