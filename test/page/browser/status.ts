import { expect } from 'chai';
import type { StatusReport } from '#api/status';
import type { PageWorld } from '#test/page/support/page-world';
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
    expect(await page.getByRole('alert').textContent()).to.match(/did not answer at \d\d:\d\d:\d\d UTC/);
    await page.unroute('**/status.json');
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: PROCESS_TEST_MS / 3 });
  });
}

async function readStatus({ local }: PageWorld): Promise<StatusReport> {
  return (await (await fetch(`${local.facts.url}/status.json`)).json()) as StatusReport;
}
