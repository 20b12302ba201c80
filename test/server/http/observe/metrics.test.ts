import { expect } from 'chai';
import { systemTimers } from '#adapters/process/system-timers';
import { DEGRADED_RULES } from '#api/degraded-rules';
import type { StatusReport } from '#api/status';
import { createCounters, createMetrics, type Metrics, type MetricsDeps } from '#http/observe/metrics';
import { createMetricsServer } from '#http/observe/metrics-server';
import { readExposition } from '#test/support/metrics/exposition';
import { lintExposition } from '#test/support/metrics/lint';
import { isOwn, metricsTable, rowOf } from '#test/support/metrics/table';
import { type Door, openDoor, STATUS } from '../support/door.js';

const FACILITATORS = ['x402.example:443'];

const metricsOf = (report: Partial<StatusReport> = {}, deps: Partial<MetricsDeps> = {}) => {
  const counters = createCounters({
    build: { version: '0.1.0', store: 'embedded', schema: 2 },
    facilitators: FACILITATORS,
  });
  const metrics = createMetrics({
    registry: counters.registry,
    status: async () => ({ ...STATUS, ...report }),
    streams: () => ({ open: 0, refused: 0 }),
    disk: () => ({ storeBytes: 4_096, tapeBytes: null, backupAtMs: null }),
    freeBytes: async () => 5e9,
    facilitators: FACILITATORS,
    ...deps,
  });
  return { ...counters, ...metrics };
};

/**
 * Returns what a metric says, by its labels as they stand in the scrape; undefined: it has no such
 * line.
 */
async function figures(metrics: Metrics) {
  const samples = readExposition(await metrics.text()).flatMap((family) => family.samples);
  return (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples.find(
      (sample) =>
        sample.name === `preflight_${name}` &&
        JSON.stringify(Object.entries(sample.labels)) === JSON.stringify(Object.entries(labels)),
    )?.value;
}

/** Gives every number and every instant of a report a value of its own, and returns these. */
function withFiguresOfTheirOwn(report: StatusReport): { report: StatusReport; values: Map<string, number> } {
  const values = new Map<string, number>();
  let next = 1_000;
  const walk = (node: unknown, path: string): unknown => {
    const own = ++next;
    if (typeof node === 'number') values.set(path, path.endsWith('_micros') ? own / 1e6 : own);
    if (typeof node === 'number') return own;
    if (typeof node === 'string' && !Number.isNaN(Date.parse(node))) {
      values.set(path, own);
      return new Date(own * 1e3).toISOString();
    }
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value, `${path}.${key}`)]));
  };
  return { report: walk(report, '') as StatusReport, values };
}

const SOME = '2026-07-14T00:00:00.000Z';
/** A report without a null. */
const WHOLE: StatusReport = {
  ...STATUS,
  components: { gamma: { ok: true, last_ok_at: SOME, error: null } },
  books: { ...STATUS.books, oldest_age_seconds: 1, median_age_seconds: 1 },
  store: { ...STATUS.store, oldest_wait_seconds: 1, connections: { open: 1, busy: 0 } },
  settlements: {
    facilitators: { 'x402.example:443': { unproven_micros: 1, refuted_micros: 1 } },
    oldest_unproven_seconds: 1,
    last_refuted_at: SOME,
  },
  ratings: {
    ...STATUS.ratings,
    ...{ data_through: SOME, computed_at: SOME, tape_start: SOME, placebo_copy_count: 1 },
  },
  wallet_queue: { ...STATUS.wallet_queue, oldest_age_seconds: 1 },
  tape: { ...STATUS.tape, last_fill_at: SOME },
};
/**
 * What is told otherwise: as a histogram, by the process itself, or by two figures whose sum or
 * difference it is.
 */
const REPORTED_OTHERWISE = [
  ...['.api_version', '.now', '.started_at', '.replica.id', '.ratings.rating_config'],
  ...['.preflight_trade.count', '.books.median_age_seconds', '.books.sockets', '.store.connections.open'],
];

describe('metrics', () => {
  let metrics: ReturnType<typeof metricsOf>;
  let door: Door;
  let operators: ReturnType<typeof createMetricsServer>;
  let url: string;

  before(async () => {
    metrics = metricsOf();
    door = await openDoor({ deps: { metrics } });
    operators = createMetricsServer(metrics, systemTimers);
    const { port } = await operators.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    await operators.stop();
    await door.stop();
  });

  const scrape = async () => (await fetch(`${url}/metrics`)).text();
  const countOf = async (labels: string) =>
    Number(new RegExp(`duration_seconds_count\\{${labels}\\} (\\d+)`).exec(await scrape())?.[1] ?? 0);

  it('count every answer by its route and status, and never by its URL', async () => {
    await door.order('token_id=1');
    await door.order('token_id=1');
    await fetch(`${door.url}/api/preflight_trade?token_id=secret`);
    await fetch(`${door.url}/no/such/secret`);
    await fetch(`${door.url}/no/such/secret`, { method: 'PROPFIND' });
    const route = 'method="GET",route="/api/preflight_trade"';
    expect(await countOf(`method="GET",route="/api/preflight_trade",status="200"`)).to.equal(2);
    expect(await countOf(`${route},status="402"`)).to.equal(1);
    expect(await countOf('method="GET",route="none",status="404"')).to.equal(1);
    expect(await countOf('method="other",route="none",status="404"')).to.equal(1);
    expect(await scrape()).not.to.contain('secret');
  });

  it('keep to the conventions of Prometheus, also before anything has happened', async () => {
    for (const one of [metrics, metricsOf(), metricsOf(WHOLE)]) {
      expect(lintExposition(await one.text(), 'preflight_')).to.deep.equal([]);
    }
  });

  it('stand in the table of docs/operate.md as they are here, all of our own and no others', async () => {
    const whole = metricsOf(WHOLE, { disk: () => ({ storeBytes: 1, tapeBytes: 1, backupAtMs: 1 }) });
    whole.answered({ method: 'GET', route: '/healthz', status: 200, ms: 1, isFault: false });
    const families = readExposition(await whole.text()).filter(isOwn);
    const table = metricsTable();
    expect(table.map(({ name }) => name)).to.have.members(families.map(({ name }) => name));
    for (const family of families) {
      const { labels, ...row } = table.find(({ name }) => name === family.name)!;
      const { labels: seen, ...is } = rowOf(family);
      expect(row).to.deep.equal(is);
      // A part of Node that has not run yet has no lines.
      if (family.samples.length > 0) expect(labels, family.name).to.deep.equal(seen);
    }
  });

  it('tell every number and every moment of /status.json', async () => {
    const { report, values } = withFiguresOfTheirOwn(WHOLE);
    const received = readExposition(await metricsOf(report).text()).flatMap(({ samples }) =>
      samples.filter(({ name }) => name.startsWith('preflight_')).map(({ value }) => value),
    );
    expect(values.size).to.be.above(40);
    const missing = [...values].filter(
      ([path, value]) => !received.includes(value) && !REPORTED_OTHERWISE.includes(path),
    );
    expect(missing).to.deep.equal([]);
  });

  it('have a number where there is nothing yet: no board, no refuted settlement, nothing that waits', async () => {
    const figure = await figures(metricsOf());
    expect(figure('board_present')).to.equal(0);
    expect(figure('board_data_through_timestamp_seconds')).to.equal(0);
    expect(figure('night_failed')).to.equal(0);
    expect(figure('settlement_last_refuted_timestamp_seconds')).to.equal(0);
    expect(figure('settlement_oldest_unproven_seconds')).to.equal(0);
    const failed = await figures(metricsOf({ ratings: { ...WHOLE.ratings, last_run_error: 'the disk is full' } }));
    expect(failed('board_present')).to.equal(1);
    expect(failed('board_data_through_timestamp_seconds')).to.equal(Date.parse(SOME) / 1e3);
    expect(failed('night_failed')).to.equal(1);
  });

  it('say of every rule of /status.json whether it applies', async () => {
    const well = await figures(metricsOf());
    const ill = await figures(metricsOf({ degraded_by: ['component_down:gamma', 'queue_slow'] }));
    for (const rule of Object.keys(DEGRADED_RULES)) {
      expect(well('degraded', { rule }), rule).to.equal(0);
      expect(ill('degraded', { rule }), rule).to.equal(['component_down', 'queue_slow'].includes(rule) ? 1 : 0);
    }
  });

  it('have no figure for a component that was not tried, nor keep its last one', async () => {
    let ok: boolean | null = false;
    const changing = metricsOf(
      {},
      { status: async () => ({ ...STATUS, components: { gamma: { ok, last_ok_at: null, error: null } } }) },
    );
    const labels = { component: 'gamma', kind: 'venue' };
    expect((await figures(changing))('component_up', labels)).to.equal(0);
    ok = null;
    expect((await figures(changing))('component_up', labels)).to.equal(undefined);
  });

  it('tell by facilitator what is not proven', async () => {
    const facilitator = 'x402.example:443';
    const words = { [facilitator]: { unproven_micros: 20_000, refuted_micros: 40_000 } };
    const figure = await figures(
      metricsOf({ settlements: { facilitators: words, oldest_unproven_seconds: 2, last_refuted_at: null } }),
    );
    expect(figure('settlement_unproven_usdc', { facilitator })).to.equal(0.02);
    expect(figure('settlement_refuted_usdc', { facilitator })).to.equal(0.04);
    expect(figure('settlement_oldest_unproven_seconds')).to.equal(2);
  });

  it('look once, however many scrape at once, and look again for the next', async () => {
    let looks = 0;
    const status = async () => {
      looks++;
      return STATUS;
    };
    const slow = metricsOf({}, { status });
    await Promise.all([slow.text(), slow.text(), slow.text()]);
    expect(looks).to.equal(1);
    await slow.text();
    expect(looks).to.equal(2);
  });

  it('leave out the sizes that are not known', async () => {
    const disk = () => ({ storeBytes: null, tapeBytes: 7, backupAtMs: null });
    const freeBytes = () => Promise.reject(new Error('the disk does not answer'));
    const figure = await figures(metricsOf({}, { disk, freeBytes }));
    expect([figure('store_bytes'), figure('tape_bytes'), figure('disk_free_bytes')]).to.deep.equal([
      undefined,
      7,
      undefined,
    ]);
    expect(figure('backup_last_verified_timestamp_seconds')).to.equal(undefined);
  });

  it('are not on the public port, and nothing else is on theirs', async () => {
    expect((await fetch(`${door.url}/metrics`)).status).to.equal(404);
    const other = await fetch(`${url}/status.json`);
    expect(other.status).to.equal(404);
    expect(await other.json()).to.have.property('error');
  });

  it('are there for a scraper that sends parameters, and for a probe that reads the head alone', async () => {
    const response = await fetch(`${url}/metrics?collect[]=books`);
    expect(response.status).to.equal(200);
    expect(await response.text()).to.include('# TYPE preflight_');
    expect((await fetch(`${url}/metrics`, { method: 'HEAD' })).status).to.equal(200);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).to.equal(404);
  });
});
