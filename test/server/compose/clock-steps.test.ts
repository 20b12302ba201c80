import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import type { OrderVerdict } from '#api/order-verdict';
import type { StatusReport } from '#api/status';
import { composeWith, type Service, surroundingsOf } from '#compose/compose';
import { openCredits } from '#compose/credits';
import { systemWith } from '#compose/system';
import { readConfig } from '#config/config';
import { freeLowPort } from '#local/free-low-port';
import { type LocalVenue, startLocalVenue } from '#local/venue/start-local-venue';
import { createLogger } from '#server/log';
import { walletNumber } from '#test/contract/store.contract';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const HOUR = 3_600_000;
const SLUG = 'will-arcadia-call-a-snap-election-by-december-31';
const WALLET = walletNumber(1);
const CREDITS = 10;

describe('the whole service while the wall clock is set under a silent venue', function () {
  this.timeout(PROCESS_TEST_MS);
  let stepMs: number;
  let dataDir: string;
  let venue: LocalVenue;
  let service: Service;
  let open: () => Promise<void>;
  let url: string;
  let token: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'preflight-clock-'));
    const module = openCredits(dataDir);
    token = (await module.credits.grant(WALLET, CREDITS, 1, '')).token!;
    await module.store.close();
    venue = await startLocalVenue({ clock: systemClock, tickMs: 0 });
    const port = await freeLowPort();
    const config = readConfig({
      PREFLIGHT_PROFILE: 'local',
      DATA_DIR: dataDir,
      PORT: String(port),
      PAYEE_ADDRESS: `0x${'11'.repeat(20)}`,
      WALLET_JOBS: 'off',
      VENUE_GAMMA_URL: venue.gammaUrl,
      VENUE_CLOB_URL: venue.clobUrl,
      VENUE_DATA_URL: venue.dataUrl,
      VENUE_WS_URL: venue.wsUrl,
      VENUE_RTDS_URL: venue.rtdsUrl,
    });
    stepMs = 0;
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + stepMs };
    const system = { ...systemWith(createLogger('silent', { write: () => {} })), clock };
    open = async () => {
      service = await composeWith(config, surroundingsOf(config, system));
      await service.start();
    };
    await open();
    url = config.baseUrl;
  });
  afterEach(async () => {
    await service.stop();
    await venue.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const ask = (key: string | null) =>
    fetch(`${url}/api/preflight_trade?slug=${SLUG}&usd=5`, {
      headers: { authorization: `Bearer ${token}`, ...(key === null ? {} : { 'idempotency-key': key }) },
    });

  const rules = async () => ((await (await fetch(`${url}/status.json`)).json()) as StatusReport).degraded_by;

  for (const byMs of [-48 * HOUR, -HOUR, -90_000, 90_000, HOUR, 48 * HOUR]) {
    it(`repeats a key for nothing and gives no OK on an old book after a step of ${byMs / 1e3} s`, async () => {
      const first = await ask('order-before-the-step');
      const body = await first.text();
      expect([first.status, (JSON.parse(body) as OrderVerdict).verdict]).to.deep.equal([200, 'OK']);
      venue.faults.freezeSocket = true;
      venue.faults.restDown('clob');
      stepMs = byMs;

      const fresh = await ask(null);
      expect([fresh.status, await fresh.json()]).to.have.deep.nested.property('1.code', 'venue_unavailable');
      const again = await ask('order-before-the-step');
      expect([again.status, await again.text()]).to.deep.equal([200, body]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(Number(again.headers.get('age'))).to.be.at.least(0);
      const { balance } = await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null });
      expect([balance, (await rules()).includes('clock_skew')]).to.deep.equal([CREDITS - 1, true]);
    });

    it(`repeats a key for nothing, and has all credits, where it starts ${byMs / 1e3} s away`, async () => {
      const body = await (await ask('order-before-the-start')).text();
      await service.stop();
      stepMs = byMs;
      await open();
      expect(await rules()).to.include('clock_skew');
      const again = await ask('order-before-the-start');
      expect([again.status, await again.text()]).to.deep.equal([200, body]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect((await ask(null)).status).to.equal(200);
      const { balance } = await service.credits.balanceOf({ wallet: WALLET, scope: 'purchase', code: null });
      expect(balance).to.equal(CREDITS - 2);
    });
  }
});
