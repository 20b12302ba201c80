import { expect } from 'chai';
import { WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { copierEquity } from '#judge/wallet/copier-equity';
import { profitText } from '#page/model/wallet/entry-equity';
import { expectAccessible } from '#test/page/support/accessible';
import { evidencedWallet } from '#test/page/support/evidenced-wallet';
import type { PageWorld } from '#test/page/support/page-world';
import { newEvidenceFixture } from '#test/support/evidence-fixture';

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
    expect(totals).to.deep.equal(['+11.6', '+25.4', '+32.0']);
    expect(await page.locator('.out-of-sample').count()).to.equal(1);
    expect(await page.locator('.histogram .column').count()).to.equal(10);
    expect(await article.innerText()).to.not.match(/\d\s%/);
  });

  it('has the free answer of a documented wallet under its own address', async () => {
    const { page } = await world.open(`/wallet?address=${LOSING}`);
    await page.locator('[data-verdict="VETO"]').waitFor(WAIT);
    expect(await page.locator('.sample, .locked').count()).to.equal(0);
  });

  it('adds up the entries of an answer with evidence, and loads what it takes for that only then', async () => {
    const fixture = newEvidenceFixture();
    const { text, answerFor } = await evidencedWallet(world.local.facts.url, fixture);
    const { page } = await world.open('/wallet', { width: 360, prepare: answerFor });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const arithmetic = () => loaded.filter((url) => /entry-equity/.test(url));
    await page.locator('[data-equity="by_month"]').waitFor(WAIT);
    expect(arithmetic()).to.deep.equal([]);
    await page.getByLabel(/Address of the wallet/).fill(LOSING);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: "Copier's profit, entry by entry" }).waitFor(WAIT);
    const { basis } = JSON.parse(text).evidence.payload;
    const { steps } = copierEquity(basis)!;
    const card = page.locator('[data-equity="by_entry"]');
    expect(await card.locator('.mark-text').textContent()).to.equal(profitText(steps.at(-1)!.totalUsd));
    const points = (await card.locator('polyline').getAttribute('points'))!.split(' ');
    expect(points).to.have.length(2 * steps.length + 2);
    expect(await card.locator('.out-of-sample').count()).to.equal(1);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await expectAccessible(page, 'a wallet with evidence');
    // Said by another channel than what the page shows, and so perhaps later.
    expect(arithmetic()).to.have.length(1);
    fixture.remove();
  });

  it('keeps a rating that was bought, whatever is looked at meanwhile, and does not offer it a second time', async () => {
    const sent: string[] = [];
    const { page } = await world.open(`/wallet?address=${SOMEBODY}`, {
      expected: [/402 \(Payment Required\)/],
      prepare: (opened) =>
        opened.route('**/api/preflight_copy?*', async (route) => {
          const { authorization } = route.request().headers();
          if (authorization === undefined) return route.continue();
          sent.push(authorization);
          const next_refresh_at = new Date(Date.now() + 3_600_000).toISOString();
          return route.fulfill({ json: { ...WALLET_PROFILE_EXAMPLE, wallet: SOMEBODY, next_refresh_at } });
        }),
    });
    const field = page.getByLabel(/Address of the wallet/);
    const show = async (wallet: string) => {
      await field.fill(wallet);
      await field.press('Enter');
    };
    await page.getByRole('button', { name: 'Pay 0.10 USDC', exact: true }).click(WAIT);
    await page.getByLabel(/Or use a token/).fill(`tk_${SOMEBODY}_secret`);
    await page.keyboard.press('Enter');
    const rating = page.locator('[data-verdict="COPY"]', { hasText: SOMEBODY });
    await rating.waitFor(WAIT);
    await show(SOMEBODY);
    expect([await rating.count(), await page.locator('.receipt').count()]).to.deep.equal([1, 1]);
    await show(LOSING);
    await page.locator('[data-verdict="VETO"]').waitFor(WAIT);
    await page.goBack();
    await rating.waitFor(WAIT);
    expect(await page.getByText('This rating was bought on this page before').count()).to.equal(1);
    expect(await page.getByRole('button', { name: /Pay|Use/ }).count()).to.equal(0);
    expect(sent).to.have.length(1);
    await expectAccessible(page, 'a rating that was bought before');
  });

  it('shows the months where what adds up the entries cannot be loaded', async () => {
    const fixture = newEvidenceFixture();
    const { answerFor } = await evidencedWallet(world.local.facts.url, fixture);
    const { page } = await world.open(`/wallet?address=${LOSING}`, {
      expected: [/ERR_ABORTED/],
      prepare: async (opened) => {
        await answerFor(opened);
        await opened.route(/entry-equity.*\.js/, (route) => route.abort('aborted'));
      },
    });
    await page.locator('[data-equity="by_month"]').waitFor(WAIT);
    expect(await page.locator('.equity .mark-text').count()).to.equal(3);
    fixture.remove();
  });
}
