import { expect } from 'chai';
import { systemTimers } from '#adapters/process/system-timers';
import { createMetrics, type Metrics, numbersOf } from '#http/observe/metrics';
import { createMetricsServer } from '#http/observe/metrics-server';
import { type Door, openDoor, STATUS } from '../support/door.js';

describe('metrics', () => {
  let metrics: Metrics;
  let door: Door;
  let operators: ReturnType<typeof createMetricsServer>;
  let url: string;

  before(async () => {
    metrics = createMetrics(async () => STATUS);
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
    const route = 'method="GET",route="/api/preflight_trade"';
    expect(await countOf(`${route},status="200"`)).to.equal(2);
    expect(await countOf(`${route},status="402"`)).to.equal(1);
    expect(await countOf('method="GET",route="none",status="404"')).to.equal(1);
    expect(await scrape()).not.to.contain('secret');
  });

  it('tell every number of /status.json', async () => {
    const text = await scrape();
    const { components, ...sections } = STATUS;
    const names = numbersOf(sections).map(([name]) => name);
    expect(names.length).to.be.above(10);
    for (const name of names) expect(text).to.match(new RegExp(`^preflight_${name} `, 'm'));
    for (const component of Object.keys(components)) {
      expect(text).to.contain(`preflight_component_ok{component="${component}"}`);
    }
  });

  it('have no figure for a component that was not tried, nor keep its last one', async () => {
    let ok: boolean | null = false;
    const changing = createMetrics(async () => ({
      ...STATUS,
      components: { gamma: { ok, last_ok_at: null, error: null } },
    }));
    expect(await changing.text()).to.contain('preflight_component_ok{component="gamma"} 0');
    ok = null;
    expect(await changing.text()).to.not.contain('component="gamma"');
  });

  it('tell by facilitator what is not proven', async () => {
    const words = { 'x402.example:443': { unproven_micros: 20_000, refuted_micros: 40_000 } };
    const metrics = createMetrics(async () => ({
      ...STATUS,
      settlements: { facilitators: words, oldest_unproven_seconds: 2, last_refuted_at: null },
    }));
    const text = await metrics.text();
    expect(text).to.contain('preflight_settlements_unproven_micros{facilitator="x402.example:443"} 20000');
    expect(text).to.contain('preflight_settlements_refuted_micros{facilitator="x402.example:443"} 40000');
    expect(text).to.contain('preflight_settlements_oldest_unproven_seconds 2');
  });

  it('are not on the public port, and nothing else is on theirs', async () => {
    expect((await fetch(`${door.url}/metrics`)).status).to.equal(404);
    const other = await fetch(`${url}/status.json`);
    expect(other.status).to.equal(404);
    expect(await other.json()).to.have.property('error');
  });
});
