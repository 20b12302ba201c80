import { expect } from 'chai';
import { WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { expectAccessible } from '#test/page/support/accessible';
import { boardInForce } from '#test/page/support/board';
import type { PageWorld } from '#test/page/support/page-world';
import { tokenOf } from '#test/page/support/token';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const WAIT = { timeout: 20_000 };
const EXPECTED = [/402 \(Payment Required\)/];
const HOSTILE = `</script><img src=x onerror="document.title='broken'">\u202e${'long '.repeat(1_000)}${'x'.repeat(5_000)}`;

export function walletNames(world: PageWorld): void {
  it('shows the name of a wallet as text alone, and nothing breaks by it', async () => {
    const path = '/wallet?address=0x0000000000000000000000000000000000000002';
    const { page } = await world.open(path, {
      width: 360,
      prepare: (opened) =>
        opened.route('**/api/preflight_copy?*', (route) =>
          route.fulfill({ json: { ...WALLET_PROFILE_EXAMPLE, name: HOSTILE, reasons: [HOSTILE] } }),
        ),
    });
    await page.getByText("document.title='broken'").first().waitFor(WAIT);
    expect(await page.title()).to.match(/worth copying/);
    expect(await page.locator('main img').count()).to.equal(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await expectAccessible(page, path);
  });

  it('says what is wrong with an address, and what to do', async () => {
    const { page } = await world.open('/wallet?address=vitalik.eth');
    await page.getByText(/Names are not looked up here/).waitFor(WAIT);
    await page.getByLabel(/Address of the wallet/).fill('0x1234');
    await page.keyboard.press('Enter');
    await page.getByText(/has 4 digits after 0x/).waitFor(WAIT);
    expect(await page.locator('.checkout, .buy').count()).to.equal(0);
  });
}

export function walletsLive(world: PageWorld): void {
  before('a board is in force', async function () {
    this.timeout(PROCESS_TEST_MS);
    await boardInForce(world.local);
  });

  it('becomes a profile by itself when it was queued', async () => {
    const token = await tokenOf(world.local);
    const { page } = await world.open(`/wallet?address=${world.local.facts.exampleWallets.unseen}`, {
      expected: EXPECTED,
    });
    await page.getByRole('button', { name: 'Pay 0.10 USDC', exact: true }).click(WAIT);
    await page.getByLabel(/token with credits/).fill(token);
    await page.keyboard.press('Enter');
    await page.locator('[data-step="queued"]').waitFor(WAIT);
    expect(await page.locator('.checkout').textContent()).to.match(/Nothing was charged.*Asking again in \d+ s/);
    const profile = page.locator('[data-verdict]');
    await profile.waitFor({ timeout: PROCESS_TEST_MS / 2 });
    expect(await profile.getAttribute('data-verdict')).to.match(/^(COPY|WATCH|VETO|NO_COVERAGE)$/);
    expect(await page.evaluate('localStorage.length')).to.equal(0);
    expect(await page.content()).to.not.include(token);
    await expectAccessible(page, '/wallet live');
  });

  it('shows the live leaderboard in the place of the example', async () => {
    const token = await tokenOf(world.local);
    const { page } = await world.open('/wallets', { expected: EXPECTED });
    const list = page.locator('[data-list="leaderboard"]');
    await list.getByRole('button', { name: 'Pay 0.02 USDC', exact: true }).click();
    await list.getByLabel(/token with credits/).fill(token);
    await page.keyboard.press('Enter');
    await page.locator('[data-list="leaderboard"][data-live="true"]').waitFor(WAIT);
    expect(await list.textContent())
      .to.include('Paid with 1 of your credits')
      .and.not.include('example-steady');
    expect(await list.getByRole('button', { name: 'Ask again' }).isDisabled()).to.equal(true);
    await expectAccessible(page, '/wallets live');
  });
}
