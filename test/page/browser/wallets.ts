import { expect } from 'chai';
import { WALLET_PROFILE_EXAMPLE } from '#api/sandbox/sandbox-profile';
import { expectAccessible } from '#test/page/support/accessible';
import { boardInForce } from '#test/page/support/board';
import type { PageWorld } from '#test/page/support/page-world';
import { addTestWallet } from '#test/page/support/test-wallet';
import { tokenOf } from '#test/page/support/token';
import { moneyOf } from '#test/support/local-money';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const WAIT = { timeout: 20_000 };
const EXPECTED = [/402 \(Payment Required\)/];
const PRICE_MICROS = 100_000n;
const WALLET_MICROS = 1_000_000n;
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

  it('draws a bought rating entry by entry, and shows the hash of its evidence in the list', async () => {
    const { url, exampleWallets } = world.local.facts;
    const token = await tokenOf(world.local);
    const { page } = await world.open(`/wallet?address=${exampleWallets.skilled}`, { expected: EXPECTED });
    await page.getByRole('button', { name: 'Pay 0.10 USDC', exact: true }).click(WAIT);
    await page.getByLabel(/token with credits/).fill(token);
    await page.keyboard.press('Enter');
    await page.locator('[data-equity="by_entry"] polyline').waitFor(WAIT);
    await expectAccessible(page, '/wallet with evidence');
    const listed = await fetch(`${url}/api/leaderboard`, { headers: { authorization: `Bearer ${token}` } });
    const { wallets } = (await listed.json()) as { wallets: { evidence_hash?: string }[] };
    const hash = wallets.find(({ evidence_hash }) => evidence_hash !== undefined)!.evidence_hash!;
    const { page: lists } = await world.open('/wallets', { width: 360, expected: EXPECTED });
    const list = lists.locator('[data-list="leaderboard"]');
    await list.getByRole('button', { name: 'Pay 0.02 USDC', exact: true }).click();
    await list.getByLabel(/token with credits/).fill(token);
    await lists.keyboard.press('Enter');
    await lists.locator('[data-list="leaderboard"][data-live="true"]').waitFor(WAIT);
    await list.getByText('Why').first().click();
    const shown = list.getByTitle(hash);
    expect(await shown.textContent()).to.equal(hash);
    expect(await shown.evaluate((code) => code.scrollWidth > code.clientWidth)).to.equal(true);
  });

  it('pays once for a rating whose evidence is refused, and shows it by month', async () => {
    const money = moneyOf(world.local);
    const account = await money.newWallet(WALLET_MICROS);
    const sent: (string | null)[] = [];
    const { page } = await world.open(`/wallet?address=${world.local.facts.exampleWallets.skilled}`, {
      expected: [...EXPECTED, /500 \(Internal Server Error\)/],
      prepare: async (opened) => {
        await addTestWallet(opened, account, 'Test wallet');
        await opened.route('**/api/preflight_copy?evidence=1*', (route) => {
          const payment = route.request().headers()['payment-signature'] ?? null;
          if (payment === null) return route.continue();
          sent.push(payment);
          return route.fulfill({ status: 500, json: { error: 'it is not stored', code: 'evidence_unavailable' } });
        });
        opened.on('request', (request) => {
          const payment = request.headers()['payment-signature'];
          if (payment !== undefined && !request.url().includes('evidence')) sent.push(payment);
        });
      },
    });
    await page.getByRole('button', { name: 'Pay 0.10 USDC', exact: true }).click(WAIT);
    await page.getByRole('button', { name: /^Pay 0\.10 USDC with / }).click(WAIT);
    await page.locator('.receipt').waitFor(WAIT);
    await page.locator('[data-equity="by_month"]').waitFor(WAIT);
    expect([sent.length, new Set(sent).size]).to.deep.equal([2, 1]);
    expect(WALLET_MICROS - (await money.balanceOf(account.address))).to.equal(PRICE_MICROS);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });
}
