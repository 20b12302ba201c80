import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { expectAnswered, Till, TRADE } from '#test/payments/support/till';
import { until } from '#test/support/live-verdicts';
import { alertRules, dashboardPanels } from '#test/support/metrics/alerts';
import { readExposition } from '#test/support/metrics/exposition';
import { lintExposition } from '#test/support/metrics/lint';
import { Monitor } from '#test/support/metrics/monitor';
import { emptyPanels, unknownSelectors } from '#test/support/metrics/panels';
import { isOwn, metricsTable, rowOf } from '#test/support/metrics/table';
import { PAID_CALLS, send } from '#test/support/paid-calls';
import { type PaidService, startPaidService } from '#test/support/paid-service';
import { skipLoudly } from '#test/support/skipped';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const PACK = PAID_CALLS.find(({ request }) => request === 'credits')!;
const LIST = PAID_CALLS.find(({ request }) => request === 'leaderboard')!;
/** What only a machine with a recorded tape, or a collected heap, can show. */
const NOT_HERE = ['preflight_tape_bytes'];

/** A real service on a real chain, and what its operators see of it. */
describe('a service that is watched', function () {
  this.timeout(PROCESS_TEST_MS);
  let service: PaidService;
  let monitor: Monitor;
  /** The request of a call that was paid on the chain, and its transaction. */
  let requestId: string;
  let transaction: string;
  let token: string;

  before(async function () {
    needAnvil(this);
    service = await startPaidService();
    const till = new Till(service);
    monitor = new Monitor(
      async () => (await fetch(service.metricsUrl)).text(),
      () => Date.now() / 1e3,
    );
    // A route is counted from its first request on, and grows from the second.
    await send(TRADE.call(service), {});
    await monitor.scrape();
    const paid = await till.send(TRADE, (await till.pay(TRADE)).v2);
    transaction = expectAnswered(paid);
    requestId = paid.headers.get('x-request-id')!;
    const pack = await till.send(PACK, (await till.pay(PACK)).v2);
    token = JSON.parse(pack.text).token;
    await send(LIST.call(service), { Authorization: `Bearer ${token}` });
    await send(TRADE.call(service), {});
    await monitor.scrape();
  });
  after(() => service?.stop());

  const scraped = async () => readExposition(await (await fetch(service.metricsUrl)).text());
  const figureOf = async (name: string, labels: Readonly<Record<string, string>>) =>
    (await scraped())
      .flatMap(({ samples }) => samples)
      .find((one) => one.name === name && Object.entries(labels).every(([label, is]) => one.labels[label] === is))
      ?.value;

  it('counts what it sold: calls, verdicts, settlements by facilitator, revenue and credits', async () => {
    const counted = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
      figureOf(`preflight_${name}`, labels);
    expect(await counted('calls_total', { tool: 'preflight_trade', result: 'paid' })).to.equal(1);
    expect(await counted('calls_total', { tool: 'preflight_trade', result: 'payment_required' })).to.equal(2);
    expect(await counted('calls_total', { tool: 'credits', result: 'paid' })).to.equal(1);
    expect(await counted('calls_total', { tool: 'leaderboard', result: 'answered' })).to.equal(1);
    expect(await counted('verdicts_total', { tool: 'leaderboard', outcome: 'LISTED' })).to.equal(1);
    expect(await counted('verdict_duration_seconds_count', { tool: 'preflight_trade' })).to.equal(1);
    expect(await counted('revenue_usdc_total', { operation: 'preflight_trade' })).to.equal(0.02);
    expect(await counted('revenue_usdc_total', { operation: 'credits' })).to.equal(5);
    expect(await counted('credits_sold_total')).to.equal(500);
    expect(await counted('credits_used_total', { tool: 'leaderboard' })).to.be.above(0);
    expect(await counted('settlement_duration_seconds_count', { outcome: 'settled' })).to.equal(2);
    expect(await counted('verification_duration_seconds_count', { outcome: 'valid' })).to.equal(2);
  });

  it('shows in a scrape what the table of docs/operate.md says, and nothing against the conventions', async () => {
    const families = await scraped();
    const table = metricsTable().filter(({ name }) => !NOT_HERE.includes(name));
    expect(families.map(({ name }) => name)).to.include.members(table.map(({ name }) => name));
    for (const family of families.filter(isOwn)) {
      const { labels, ...row } = metricsTable().find(({ name }) => name === family.name)!;
      const { labels: seen, ...is } = rowOf(family);
      expect(row).to.deep.equal(is);
      if (family.samples.length > 0) expect(labels, family.name).to.deep.equal(seen);
    }
    expect(lintExposition(await (await fetch(service.metricsUrl)).text(), 'preflight_')).to.deep.equal([]);
  });

  it('passes promtool', async function () {
    const input = await (await fetch(service.metricsUrl)).text();
    const { error, status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    if (error !== undefined) skipLoudly(this, 'promtool is not installed (it comes with Prometheus)');
    expect(status, stderr).to.equal(0);
  });

  it('fills every panel of the dashboard that has something to show', () => {
    expect(emptyPanels(monitor.scrapes)).to.deep.equal([]);
  });

  it('has no alert while nothing is wrong, those of a part of the venue that is down, and none when it is back', async () => {
    // On a busy machine somebody may have answered too late once.
    await until('no alert fires', async () => {
      await monitor.scrape();
      // No backup was made: that becomes an alert when it has lasted for a day.
      return monitor.firing().every((alert) => alert === 'PreflightBackupNone');
    });
    const [slug, other] = service.venue.markets
      .filter(({ hasBook, outcomes }) => hasBook && outcomes[0]!.label === 'Yes')
      .map((market) => market.slug)
      .filter((existing) => existing !== service.exampleSlug);
    const ask = async (about: string) => {
      const url = `${service.url}${TRADE.path}?slug=${about}`;
      const { status } = await send({ url, init: {} }, { Authorization: `Bearer ${token}` });
      await monitor.scrape();
      return status;
    };
    service.venue.faults.restDown('gamma');
    service.venue.faults.restDown('clob');
    // A status is counted from its first answer on, and grows from the second.
    for (let times = 0; times < 2; times++) expect(await ask(slug!)).to.equal(500);
    expect(monitor.firing()).to.include.members(['PreflightVenueDown', 'PreflightErrors']);
    service.venue.faults.restDown('gamma', false);
    service.venue.faults.restDown('clob', false);
    // Whoever failed is asked again after a pause.
    await until('the venue is asked again', async () => {
      await sleep(500);
      return (await ask(other!)) === 200;
    });
    expect(monitor.firing()).to.not.include('PreflightVenueDown');
  });

  it('has every metric, and every label, of the alerts and the dashboard', () => {
    const queries = [...alertRules().map(({ expr }) => expr), ...dashboardPanels().flatMap(({ queries }) => queries)];
    expect(queries).to.have.length.above(60);
    expect(unknownSelectors(queries, monitor.scrapes.at(-1)!, NOT_HERE)).to.deep.equal([]);
  });

  it('writes a paid call from its verification to its answer under one request id', () => {
    const course = service.logLines.filter((line) => line.requestId === requestId);
    expect(course.map(({ msg }) => msg)).to.deep.equal([
      'payment verified',
      'intent recorded',
      'settlement attempted',
      'payment settled',
      'answered',
    ]);
    const [verified, intent, attempted, settled, answered] = course;
    const payments = new Set(course.slice(0, 4).map(({ payment }) => payment));
    expect([...payments].join()).to.match(/^[0-9a-f]{16}$/);
    expect(verified).to.include({ kind: 'valid' });
    expect(intent).to.include({ operation: 'preflight_trade' });
    expect(attempted).to.include({ kind: 'settled', transaction });
    expect(settled).to.include({ operation: 'preflight_trade', transaction });
    expect(answered).to.include({ method: 'GET', route: '/api/preflight_trade', status: 200 });
  });

  it('says at its start what it is: version, store, replica, lease and limits', () => {
    const { version, schema, ...started } = service.logLines.find(({ msg }) => msg === 'service started')!;
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(schema).to.be.a('number');
    expect(started).to.include({ store: 'embedded', isLeaseHeld: true, others: 0, walletJobs: 'off' });
    expect(started.lease).to.match(/^[0-9a-f]{32}$/);
    expect(started.replica).to.equal(started.lease);
    expect(started.limits).to.include({ bodyBytes: 16_384, paymentsInWork: 10_000 });
  });
});
