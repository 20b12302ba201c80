import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import type { StatusReport } from '#api/status';
import { freeLowPort } from '#local/free-low-port';
import { needAnvil } from '#test/local/support/chain-harness';
import { until } from '#test/support/live-verdicts';
import { type LocalProcess, newDataDir, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { alertRules, dashboardPanels } from '#test/support/metrics/alerts';
import { lintExposition } from '#test/support/metrics/lint';
import { Monitor } from '#test/support/metrics/monitor';
import { emptyPanels, unknownSelectors } from '#test/support/metrics/panels';
import { PAYING_CLIENTS } from '#test/support/paying-clients';
import { skipLoudly } from '#test/support/skipped';
import { type Alertmanager, startAlertmanager } from './support/alertmanager.js';
import { type Prometheus, startPrometheus } from './support/prometheus.js';

const LOAD_MS = 120_000;
const SCRAPE_INTERVAL_MS = 5_000;
/** The alert waits for a minute and Alertmanager for 5 s; both look every few seconds. */
const WOKEN_MS_MAX = 180_000;
const WALLET = `0x${'5a'.repeat(20)}`;
/** What no load brings about: an answer of 5xx. */
const NOT_HERE = ['preflight_http_request_duration_seconds_count', 'preflight_http_faults_total'];
/** No backup was made: that becomes an alert when it has lasted for a day. */
const ALERT_IN_A_DAY = 'PreflightBackupNone';

/** The local profile for two minutes under load, seen as an operator sees it. */
describe('the dashboard of a service under load', function () {
  this.timeout(0);
  let local: LocalProcess;
  let metricsUrl: string;
  let monitor: Monitor;
  let alertmanager: Alertmanager | null = null;
  let prometheus: Prometheus | null = null;

  const scrape = async () => (await fetch(metricsUrl)).text();

  before(async function () {
    needAnvil(this);
    const port = await freeLowPort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    local = await startLocalProcess({
      dataDir: newDataDir(),
      env: { WALLET_JOBS: 'on', METRICS_PORT: String(port) },
    });
    monitor = new Monitor(scrape, () => Date.now() / 1e3);
    alertmanager = await startAlertmanager();
    const address = alertmanager?.address ?? null;
    prometheus = await startPrometheus(`127.0.0.1:${port}`, SCRAPE_INTERVAL_MS / 1e3, address);
    const status = async () => (await (await fetch(`${local.facts.url}/status.json`)).json()) as StatusReport;
    await until('a board is in force', async () => (await status()).ratings.data_through !== null);
    await underLoad();
  });
  after(async () => {
    await prometheus?.stop();
    await alertmanager?.stop();
    await local?.end('SIGKILL');
  });

  async function underLoad(): Promise<void> {
    const { url, exampleSlug, exampleWallets, demoWallet } = local.facts;
    const headers = { authorization: `Bearer ${await redeemLocal(local.facts, WALLET)}` };
    const trade = `${url}/api/preflight_trade?slug=${exampleSlug}`;
    const account = privateKeyToAccount(demoWallet.privateKey);
    await PAYING_CLIENTS[0]!.buy(account, { url: `${url}/api/credits`, init: { method: 'POST' } });
    const wallets = Object.values(exampleWallets);
    const endsAtMs = Date.now() + LOAD_MS;
    for (let round = 0; Date.now() < endsAtMs; round++) {
      await monitor.scrape();
      const nextAtMs = Date.now() + SCRAPE_INTERVAL_MS;
      await PAYING_CLIENTS[0]!.buy(account, { url: trade });
      while (Date.now() < nextAtMs) {
        const wallet = wallets[round % wallets.length];
        for (const path of [trade, `${url}/api/leaderboard`, `${url}/api/preflight_copy?wallet=${wallet}`]) {
          await (await fetch(path, { headers })).text();
        }
        await sleep(50);
      }
    }
    await monitor.scrape();
  }

  it('has no empty panel', () => {
    expect(emptyPanels(monitor.scrapes)).to.deep.equal([]);
  });

  it('knows every metric and label of alerts and panels', () => {
    const queries = [...alertRules().map(({ expr }) => expr), ...dashboardPanels().flatMap((panel) => panel.queries)];
    expect(unknownSelectors(queries, monitor.scrapes.at(-1)!, NOT_HERE)).to.deep.equal([]);
  });

  it('keeps to the conventions and has no alert', async () => {
    expect(lintExposition(await scrape(), 'preflight_')).to.deep.equal([]);
    expect(monitor.firing().filter((alert) => alert !== ALERT_IN_A_DAY)).to.deep.equal([]);
  });

  it('has, in Prometheus itself, the same panels filled, all alerts loaded and none firing', async function () {
    if (prometheus === null) return skipLoudly(this, 'prometheus is not installed');
    const empty: string[] = [];
    for (const { title, queries } of dashboardPanels()) {
      const values = (await Promise.all(queries.map((query) => prometheus!.query(query)))).flat();
      if (!values.some((value) => !Number.isNaN(value))) empty.push(title);
    }
    expect(empty).to.deep.equal([]);
    const { loaded, pending, firing } = await prometheus.alerts();
    expect(loaded).to.have.members(alertRules().map(({ alert }) => alert));
    expect(firing).to.deep.equal([]);
    expect(pending).to.deep.equal([ALERT_IN_A_DAY]);
  });

  it('has an operator woken by Prometheus and Alertmanager when the service is gone', async function () {
    if (prometheus === null || alertmanager === null) {
      return skipLoudly(this, 'prometheus or prometheus-alertmanager is not installed');
    }
    expect(alertmanager.received()).to.deep.equal([]);
    await local.end('SIGKILL');
    await until('the receiver is told', async () => alertmanager!.received().length > 0, WOKEN_MS_MAX);
    expect(new Set(alertmanager.received())).to.deep.equal(new Set(['PreflightDown']));
  });
});
