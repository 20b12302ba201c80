import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { StatusReport } from '#api/status';
import { expectAccessible } from '#test/page/support/accessible';
import { OpenPage } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { newDataDir, startLocalProcess } from '#test/support/local-process';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

export function statusReadable(world: PageWorld): void {
  it('is readable without script, as it is at the moment of the request', async () => {
    const { page } = await world.open('/status', { javaScript: false });
    const report = await readStatus(world);
    for (const name of Object.keys(report.components)) {
      expect(await page.getByRole('rowheader', { name }).count(), name).to.be.above(0);
    }
    const { headers } = await fetch(`${world.local.facts.url}/status`, { headers: { accept: 'text/html' } });
    expect(headers.get('cache-control')).to.equal('private, no-store');
  });
}

/** What outlives the process: one page after another start, with the minutes of before. */
export function statusHistory(world: PageWorld): void {
  it('shows one bad minute as one minute, the day of each component, and a line of latency', async () => {
    const nowS = Math.floor(Date.now() / 1e3);
    const samples = Array.from({ length: 60 }, (_, n) => ({
      ...{ t: nowS - (60 - n) * 60, rules: n === 30 ? ['component_down:base-rpc'] : [] },
      ...{ p50: 2, p95: 4 + (n % 5), age: 1 },
    }));
    const dataDir = newDataDir();
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(
      join(dataDir, 'status-history.jsonl'),
      samples.map((sample) => `\n${JSON.stringify(sample)}`).join(''),
    );
    const again = await startLocalProcess({ dataDir });
    try {
      const opened = await OpenPage.open(world.browser, `${again.facts.url}/status`);
      const { page } = opened;
      const bad = page.locator('h2:has-text("The last 24 hours") + svg .day-degraded[width="1"]');
      expect(await bad.count()).to.equal(1);
      expect(await page.getByRole('img', { name: 'Last 24 hours: down for 1 min' }).count()).to.equal(1);
      expect(await page.locator('.plane .p95').count()).to.be.above(0);
      await expectAccessible(page, '/status with history');
      await opened.close();
    } finally {
      await again.end('SIGKILL');
    }
  });
}

export function statusFollows(world: PageWorld): void {
  it('says by name what is down when the venue is cut, and heals with it, without being loaded again', async () => {
    const { page } = await world.open('/status');
    const gammaDown = page.getByText('component_down: gamma', { exact: true });
    await world.venueFaults({ restDown: { gamma: true } });
    await gammaDown.waitFor({ timeout: PROCESS_TEST_MS / 3 });
    expect(await page.getByRole('status').textContent()).to.include('Degraded');
    await world.venueFaults({ clear: true });
    await gammaDown.waitFor({ state: 'detached', timeout: PROCESS_TEST_MS / 3 });
  });

  it('says when the service does not answer, and that what is shown is old', async () => {
    const opened = await world.open('/status', { expected: [/status\.json/, /Failed to load resource/] });
    const { page } = opened;
    await page.route('**/status.json', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
    await page.getByRole('alert').waitFor({ timeout: PROCESS_TEST_MS / 3 });
    expect(await page.getByRole('status').textContent()).to.equal('? No answer');
    expect(await page.getByRole('alert').textContent()).to.match(/did not answer at \d\d:\d\d:\d\d UTC/);
    await page.unroute('**/status.json');
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: PROCESS_TEST_MS / 3 });
  });
}

async function readStatus({ local }: PageWorld): Promise<StatusReport> {
  return (await (await fetch(`${local.facts.url}/status.json`)).json()) as StatusReport;
}
