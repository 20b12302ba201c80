import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '#test/page/support/accessible';
import type { PageOptions } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { addTestWallet, type TestWallet } from '#test/page/support/test-wallet';
import { moneyOf } from '#test/support/local-money';

const WAIT = { timeout: 20_000 };
/** Browsers write every 402 to the console. */
const EXPECTED = [/402 \(Payment Required\)/];
const PRICE_MICROS = 20_000n;
const WALLET_MICROS = 1_000_000n;

interface Buyer {
  readonly page: Page;
  readonly wallet: TestWallet;
  /** What was paid since the page was opened. */
  paid(): Promise<bigint>;
}

/** Opens a page with a wallet of its own in it. */
async function withWallet(world: PageWorld, path: string, options: PageOptions = {}): Promise<Buyer> {
  const money = moneyOf(world.local);
  const account = await money.newWallet(WALLET_MICROS);
  let wallet: TestWallet | undefined;
  const prepare = async (page: Page) => {
    wallet = await addTestWallet(page, account, 'Test <b>wallet</b>');
    await options.prepare?.(page);
  };
  const expected = [...EXPECTED, ...(options.expected ?? [])];
  const { page } = await world.open(path, { ...options, expected, prepare });
  return { page, wallet: wallet!, paid: async () => WALLET_MICROS - (await money.balanceOf(account.address)) };
}

/** From the landing page to the terms of one verdict on the example market. */
async function toTerms(page: Page, tokenId: string): Promise<void> {
  await page.getByText('Another market').click();
  await page.getByLabel(/Address or slug of the market/).fill(tokenId);
  await page.getByRole('button', { name: /Ask for the price/ }).click();
  await page.getByRole('button', { name: 'Pay 0.02 USDC', exact: true }).click(WAIT);
}

const walletButton = (page: Page) => page.getByRole('button', { name: /^Pay 0\.02 USDC with / });
const receipt = (page: Page) => page.locator('.receipt');
const paymentOf = (headers: Readonly<Record<string, string>>) => headers['payment-signature'] ?? null;

export function payingOnce(world: PageWorld): void {
  it('pays for a verdict from a wallet, by keyboard, on the terms that it showed, and shows the receipt', async () => {
    const { page, wallet, paid } = await withWallet(world, '/');
    await toTerms(page, world.local.facts.exampleTokenId);
    await walletButton(page).waitFor(WAIT);
    const terms = (await page.locator('.checkout').textContent())!;
    expect(terms).to.include('0.02 USDC').and.include('eip155:8453').and.include('<b>wallet</b>');
    expect(terms.toLowerCase()).to.include(world.local.facts.payee.toLowerCase());
    expect(wallet.requested).to.deep.equal([]);
    await expectAccessible(page, 'the terms of a payment');
    await walletButton(page).focus();
    await page.keyboard.press('Enter');
    await receipt(page).waitFor(WAIT);
    expect(await receipt(page).textContent()).to.match(/Paid 0\.02 USDC\..*Transaction 0x[0-9a-f]{64}/);
    expect(await receipt(page).getByRole('link').getAttribute('href')).to.match(/^http.*0x[0-9a-f]{64}$/);
    expect(await page.locator('[data-bought]').getAttribute('data-bought')).to.match(/^(OK|CAUTION|VETO)$/);
    expect(wallet.requested).to.deep.equal(['eth_requestAccounts', 'eth_chainId', 'eth_signTypedData_v4']);
    expect(await paid()).to.equal(PRICE_MICROS);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });
}

export function payingInTrouble(world: PageWorld): void {
  it('goes on with the same payment after a reload in the middle of it: one charge', async () => {
    const { page, wallet, paid } = await withWallet(world, '/', { expected: [/Failed to load resource/] });
    const sent: string[] = [];
    let isLost = true;
    await page.route('**/api/preflight_trade?*', async (route) => {
      const payment = paymentOf(route.request().headers());
      if (payment === null) return route.continue();
      sent.push(payment);
      // The service answers, and nobody hears it.
      if (isLost) return void (await route.fetch());
      return route.continue();
    });
    await toTerms(page, world.local.facts.exampleTokenId);
    await walletButton(page).click(WAIT);
    await expectEventually(paid, PRICE_MICROS);
    expect(await page.evaluate('sessionStorage.length')).to.equal(1);
    isLost = false;
    await page.reload();
    await receipt(page).waitFor(WAIT);
    expect(new Set(sent).size).to.equal(1);
    expect(sent.length).to.be.above(1);
    expect(wallet.requested.filter((method) => method === 'eth_signTypedData_v4')).to.have.length(1);
    expect(await paid()).to.equal(PRICE_MICROS);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('says that it keeps the payment while answers to it are lost, and pays once', async () => {
    const { page, paid } = await withWallet(world, '/', { expected: [/Failed to load resource/] });
    let lost = 2;
    await page.route('**/api/preflight_trade?*', async (route) => {
      if (paymentOf(route.request().headers()) === null || lost-- <= 0) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await toTerms(page, world.local.facts.exampleTokenId);
    await walletButton(page).click(WAIT);
    await page.getByText(/Until it is here this tab keeps the signed payment/).waitFor(WAIT);
    await receipt(page).waitFor(WAIT);
    expect(await paid()).to.equal(PRICE_MICROS);
  });

  it('does not ask the wallet when another payee is demanded, and names the rule', async () => {
    const { page, wallet, paid } = await withWallet(world, '/wallets');
    await page.route('**/api/leaderboard?*', async (route) => {
      const answer = await route.fetch();
      const change = (text: string) =>
        text.replaceAll(/"payTo":"0x[0-9a-fA-F]{40}"/g, `"payTo":"0x${'22'.repeat(20)}"`);
      const header = Buffer.from(answer.headers()['payment-required'] ?? '', 'base64').toString();
      const headers = { ...answer.headers(), 'payment-required': Buffer.from(change(header)).toString('base64') };
      return route.fulfill({ response: answer, headers, body: change(await answer.text()) });
    });
    await page.locator('[data-list="leaderboard"]').getByRole('button', { name: 'Pay 0.02 USDC' }).click();
    const refusal = page.locator('[data-rule="payee_mismatch"]');
    await refusal.waitFor(WAIT);
    expect(await refusal.textContent())
      .to.include('22'.repeat(20))
      .and.include('Nothing was charged.');
    expect(wallet.requested).to.deep.equal([]);
    expect(await paid()).to.equal(0n);
  });

  it('pays nothing where the browser forbids storage, and says what to allow', async () => {
    const { page, wallet, paid } = await withWallet(world, '/wallets', {
      prepare: (opened) => opened.addInitScript(forbidStorage),
    });
    const list = page.locator('[data-list="leaderboard"]');
    await list.getByRole('button', { name: 'Pay 0.02 USDC' }).click();
    await walletButton(page).click(WAIT);
    const refusal = list.locator('[data-rule="ledger_unavailable"]');
    await refusal.waitFor(WAIT);
    expect(await refusal.textContent())
      .to.include('allow cookies and site data')
      .and.include('Nothing was charged.');
    expect(wallet.requested).to.not.include('eth_signTypedData_v4');
    expect(await paid()).to.equal(0n);
  });

  it('charges nothing when the person declines, and pays when they think again', async () => {
    const { page, wallet, paid } = await withWallet(world, '/');
    wallet.declines = true;
    await toTerms(page, world.local.facts.exampleTokenId);
    await walletButton(page).click(WAIT);
    await page.getByText('You declined in the wallet.').waitFor(WAIT);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    expect(await paid()).to.equal(0n);
    wallet.declines = false;
    await page.getByRole('button', { name: 'Begin again' }).click();
    await walletButton(page).click(WAIT);
    await receipt(page).waitFor(WAIT);
    expect(await paid()).to.equal(PRICE_MICROS);
  });
}

/** Runs in the page: as browsers do where all cookies are blocked. */
function forbidStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      get() {
        throw new Error('Access is denied for this document.');
      },
    });
  }
}

async function expectEventually(read: () => Promise<bigint>, wanted: bigint): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await read()) === wanted) return;
    await sleep(100);
  }
  expect(await read()).to.equal(wanted);
}
