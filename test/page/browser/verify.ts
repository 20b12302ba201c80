import { expect } from 'chai';
import { expectAccessible } from '#test/page/support/accessible';
import { evidencedWallet } from '#test/page/support/evidenced-wallet';
import type { PageWorld } from '#test/page/support/page-world';
import { tokenOf } from '#test/page/support/token';
import { newEvidenceFixture } from '#test/support/evidence-fixture';

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

  it('accepts an answer about a wallet, says whose word its trades are, and refuses it changed', async () => {
    const fixture = newEvidenceFixture();
    const { text, answerFor } = await evidencedWallet(world.local.facts.url, fixture);
    const { page } = await world.open('/verify', { width: 360, prepare: answerFor });
    await page.getByText(/keys? of this service at hand/).waitFor(WAIT);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const paste = async (pasted: string) => {
      await page.getByLabel('or paste it').fill(pasted);
      await page.getByRole('button', { name: 'Check what was pasted' }).click();
    };
    await paste(text);
    await page.getByRole('heading', { name: 'Verified.' }).waitFor(WAIT);
    const outcome = page.locator('.outcome');
    expect(await outcome.innerText())
      .to.include('COPY, strong')
      .and.include(JSON.parse(text).wallet)
      .and.match(/made these trades is what the service says/);
    const checks = await page.locator('[data-check]').evaluateAll((rows) => rows.map((row) => row.textContent));
    expect(checks.length).to.be.above(12);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await expectAccessible(page, 'a checked wallet');
    await paste(text.replace('"verdict":"COPY"', '"verdict":"VETO"'));
    await page.getByRole('heading', { name: /It does not hold/ }).waitFor(WAIT);
    expect(await page.locator('[data-check="verdict"]').getAttribute('data-holds')).to.equal('false');
    const saved = { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(`\uFEFF${text}`, 'utf16le') };
    await page.locator('input[type="file"]').setInputFiles(saved);
    await page.getByRole('heading', { name: 'Verified.' }).waitFor(WAIT);
    await paste('{"ok":true,"wallets":[]}');
    await page.getByText(/lists are not signed/).waitFor(WAIT);
    expect(sent).to.deep.equal([]);
    fixture.remove();
  });
}
