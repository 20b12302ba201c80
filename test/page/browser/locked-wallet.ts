import { expect } from 'chai';
import { expectAccessible } from '#test/page/support/accessible';
import type { PageWorld } from '#test/page/support/page-world';

const SOMEBODY = `0x${'12'.repeat(20)}`;
const LOSING = '0x0000000000000000000000000000000000000003';
const WAIT = { timeout: 20_000 };

/** What `/wallet` shows before a rating is paid for. */
export function lockedWallet(world: PageWorld): void {
  it('shows an outline, and no verdict of another wallet, under an address', async () => {
    const { page } = await world.open(`/wallet?address=${SOMEBODY}`);
    await page.getByRole('heading', { name: 'Locked: the rating of 0x1212…1212' }).waitFor(WAIT);
    expect(await page.locator('[data-verdict]').count()).to.equal(0);
    expect(await page.locator('main').innerText()).to.not.match(/example-steady|validated/);
    await expectAccessible(page, 'a locked wallet');
  });

  it('does not even paint the example before its script runs under an address', async () => {
    const { page } = await world.open(`/wallet?address=${SOMEBODY}`, {
      prepare: (opened) => opened.route(/wallet-.*\.js|chunk-.*\.js/, (route) => route.abort('aborted')),
      expected: [/ERR_ABORTED/],
    });
    expect(await page.getByText('example-steady').count()).to.equal(1);
    expect(await page.getByText('example-steady').isVisible()).to.equal(false);
  });

  it('shows the whole example without an address, with the profit of each month and a histogram', async () => {
    const { page } = await world.open('/wallet');
    const article = page.locator('[data-verdict="COPY"]');
    await article.waitFor(WAIT);
    const totals = await page.locator('.equity .mark-text').allTextContents();
    expect(totals).to.deep.equal(['+9.1', '+20.4', '+27.0']);
    expect(await page.locator('.out-of-sample').count()).to.equal(1);
    expect(await page.locator('.histogram .column').count()).to.equal(10);
    expect(await article.innerText()).to.not.match(/\d\s%/);
  });

  it('has the free answer of a documented wallet under its own address', async () => {
    const { page } = await world.open(`/wallet?address=${LOSING}`);
    await page.locator('[data-verdict="VETO"]').waitFor(WAIT);
    expect(await page.locator('.sample, .locked').count()).to.equal(0);
  });
}
