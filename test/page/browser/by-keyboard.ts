import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { boardInForce } from '#test/page/support/board';
import { goTo, tabTo } from '#test/page/support/keyboard';
import type { PageWorld } from '#test/page/support/page-world';
import { addTestWallet } from '#test/page/support/test-wallet';
import { moneyOf } from '#test/support/local-money';
import { chooseAndSize, live } from './try-it.js';

const WAIT = { timeout: 20_000 };
const PRICE_MICROS = 20_000n;
const WALLET_MICROS = 1_000_000n;

/** Everything that a person comes for, once, without a mouse. */
export function walkByKeyboard(world: PageWorld): void {
  it('can be used from the first page to the last by keyboard alone', async () => {
    const money = moneyOf(world.local);
    const account = await money.newWallet(WALLET_MICROS);
    const token = await boardInForce(world.local);
    const { page } = await world.open('/', {
      expected: [/402 \(Payment Required\)/],
      prepare: (opened) => addTestWallet(opened, account, 'Test wallet'),
    });
    await live(page);
    await chooseAndSize(page);
    await payForVerdict(page, world.local.facts.exampleTokenId);
    expect(WALLET_MICROS - (await money.balanceOf(account.address))).to.equal(PRICE_MICROS);
    await goTo(page, '/wallet');
    await profileOf(page, world.local.facts.exampleWallets.skilled, token);
    await goTo(page, '/status');
    expect(await page.getByRole('status').textContent()).to.match(/All systems operational|Degraded/);
    await goTo(page, '/verify');
    await verify(page, await answerWithEvidence(world, token));
  });
}

async function payForVerdict(page: Page, tokenId: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Home');
  await tabTo(page, 'summary', /^Another market$/);
  await page.keyboard.press('Enter');
  await tabTo(page, '#outside-market');
  await page.keyboard.type(tokenId);
  await tabTo(page, 'button', /^Ask for the price/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay 0.02 USDC', exact: true }).waitFor(WAIT);
  await tabTo(page, 'button', /^Pay 0\.02 USDC$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Pay 0\.02 USDC with / }).waitFor(WAIT);
  await tabTo(page, 'button', /^Pay 0\.02 USDC with /);
  await page.keyboard.press('Enter');
  await page.locator('.receipt').waitFor(WAIT);
  await tabTo(page, '.receipt a');
}

async function profileOf(page: Page, address: string, token: string): Promise<void> {
  await tabTo(page, '#wallet-address');
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pay 0.10 USDC', exact: true }).waitFor(WAIT);
  await tabTo(page, 'button', /^Pay 0\.10 USDC$/);
  await page.keyboard.press('Enter');
  await page.locator('#token-preflight_copy').waitFor(WAIT);
  await tabTo(page, '#token-preflight_copy');
  await page.keyboard.insertText(token);
  await page.keyboard.press('Enter');
  await page.getByText(/Paid with \d+ of your credits/).waitFor(WAIT);
  expect(await page.locator('[data-verdict]').getAttribute('data-verdict')).to.match(/^(COPY|WATCH|VETO|NO_COVERAGE)$/);
}

async function verify(page: Page, text: string): Promise<void> {
  await page.getByText(/keys? of this service at hand/).waitFor(WAIT);
  const paste = async (pasted: string) => {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(pasted);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  };
  await tabTo(page, '#answer-text');
  await paste(text);
  await page.getByRole('heading', { name: 'Verified.' }).waitFor(WAIT);
  await page.keyboard.press('Shift+Tab');
  await paste(text.replace(/"usd":\d+/, '"usd":51'));
  await page.getByRole('heading', { name: /It does not hold/ }).waitFor(WAIT);
}

async function answerWithEvidence({ local: { facts } }: PageWorld, token: string): Promise<string> {
  const url = `${facts.url}/api/preflight_trade?token_id=${facts.exampleTokenId}&usd=50&evidence=1`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  expect(answer.status, text).to.equal(200);
  return text;
}
