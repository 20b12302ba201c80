import { expect } from 'chai';
import type { PageWorld } from '#test/page/support/page-world';
import { tokenOf } from '#test/page/support/token';

const WAIT = { timeout: 20_000 };

export function verifying(world: PageWorld): void {
  it('accepts an answer of this service, by keyboard alone, and refuses it changed', async () => {
    const { facts } = world.local;
    const url = `${facts.url}/api/preflight_trade?token_id=${facts.exampleTokenId}&usd=50&evidence=1`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${await tokenOf(world.local)}` } });
    const text = await answer.text();
    expect(answer.status, text).to.equal(200);
    const { page } = await world.open('/verify', { width: 360, theme: 'dark' });
    await page.getByText(/keys? of this service at hand/).waitFor(WAIT);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const paste = async (pasted: string) => {
      await page.getByLabel('or paste it').fill(pasted);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    };
    await paste(text);
    await page.getByRole('heading', { name: 'Verified.' }).waitFor(WAIT);
    expect(await page.locator('[data-check][data-holds="false"]').count()).to.equal(0);
    const body = JSON.parse(text);
    await paste(JSON.stringify({ ...body, verdict: body.verdict === 'OK' ? 'VETO' : 'OK' }));
    await page.getByRole('heading', { name: /It does not hold/ }).waitFor(WAIT);
    const failing = page.locator('[data-check][data-holds="false"]');
    expect(await failing.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-check')))).to.deep.equal([
      'verdict',
    ]);
    expect(sent).to.deep.equal([]);
  });
}
