import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { PageWorld } from '#test/page/support/page-world';
import { tokenOf } from '#test/page/support/token';

const WAIT = { timeout: 20_000 };
/** Browsers write every 402 to the console. */
const EXPECTED = [/402 \(Payment Required\)/];
/** No book may be older, by the limit that the page starts with. */
const PAST_VALID_MS = 61_000;
const EVENT = 'https://polymarket.com/event/arcadia-presidential-election-winner';

/** What a person chooses, and what the verdict that they bought has to be about. */
interface Case {
  readonly what: string;
  readonly market: string;
  readonly side: 'Buy' | 'Sell';
  readonly outcome: 'Yes' | 'No' | 'By name';
  readonly name?: string;
  readonly words: string;
  readonly answered: { readonly side: string; readonly outcome: string; readonly question: string };
}

const CASES: readonly Case[] = [
  {
    what: 'the No of a binary market',
    market: 'will-arcadia-call-a-snap-election-by-december-31',
    side: 'Buy',
    outcome: 'No',
    words: 'Buy “No” for 25 USD in will-arcadia-call-a-snap-election-by-december-31',
    answered: { side: 'BUY', outcome: 'No', question: 'Will Arcadia call a snap election by December 31?' },
  },
  {
    what: 'the No of a candidate of an event',
    market: EVENT,
    side: 'Buy',
    outcome: 'No',
    name: 'Benedict Okoro',
    words: 'Buy “Benedict Okoro: No” for 25 USD in arcadia-presidential-election-winner',
    answered: { side: 'BUY', outcome: 'No', question: 'Will Benedict Okoro win the Arcadia presidential election?' },
  },
  {
    what: 'the second team of a sports market',
    market: 'https://polymarket.com/sports/mlb/mlb-hbr-rvt-2026-07-18',
    side: 'Sell',
    outcome: 'By name',
    name: 'Riverton Royals',
    words: 'Sell “Riverton Royals” for 25 USD in mlb-hbr-rvt-2026-07-18',
    answered: { side: 'SELL', outcome: 'Riverton Royals', question: 'Harbor City Herons vs. Riverton Royals' },
  },
];

/** From the choice to the price, which is free. */
async function choose(page: Page, { market, side, outcome, name = '' }: Omit<Case, 'what' | 'words' | 'answered'>) {
  await page.locator('#size').fill('25');
  await page.getByText('Another market', { exact: true }).click();
  const panel = page.locator('.outside');
  await panel.locator('#outside-market').fill(market);
  await panel.getByRole('radio', { name: side, exact: true }).check();
  await panel.getByRole('radio', { name: outcome, exact: true }).check();
  await panel.getByLabel(/Candidate or team/).fill(name);
}

async function buy(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Pay 0.02 USDC', exact: true }).click(WAIT);
  await page.locator('.checkout[data-step="terms"]').waitFor(WAIT);
  await page.locator('#token-preflight_trade').fill(token);
  await page.keyboard.press('Enter');
  await page.locator('[data-bought]').waitFor(WAIT);
}

/** The outcome and side that are chosen are what is named, asked for and bought. */
export function buyingWhatIsChosen(world: PageWorld): void {
  for (const one of CASES) {
    it(`buys ${one.what} when that is chosen, and says so before anything is paid`, async () => {
      const { page } = await world.open('/', { expected: EXPECTED });
      await choose(page, one);
      expect(await page.locator('#outside-order').textContent()).to.equal(`${one.words}.`);
      await page.getByRole('button', { name: /Ask for the price/ }).click();
      await page.locator('.terms').waitFor(WAIT);
      expect(await page.locator('.terms').textContent()).to.include(one.words);
      await buy(page, await tokenOf(world.local));
      const { side, outcome, question } = one.answered;
      // What is shown of it comes out of the answer.
      const shown = await page.locator('[data-bought]').textContent();
      expect(shown).to.include(`${side} for 25 USD of ${outcome}: ${question}`);
      expect(await page.locator('[data-bought] [role=alert]').count()).to.equal(0);
    });
  }

  it('greys what was bought once it is past its valid_until, and says to ask again', async () => {
    const token = await tokenOf(world.local);
    const prepare = (page: Page) => page.clock.install();
    const { page } = await world.open('/', { expected: EXPECTED, prepare });
    await choose(page, CASES[0]!);
    await page.getByRole('button', { name: /Ask for the price/ }).click();
    await buy(page, token);
    const bought = page.locator('[data-bought]');
    expect(await bought.getAttribute('data-stale')).to.equal('false');
    await page.clock.fastForward(PAST_VALID_MS);
    await page.locator('[data-bought][data-stale="true"].none').waitFor(WAIT);
    expect(await bought.textContent()).to.include('live, paid: expired, ask again');
  });

  it('has no price for an order until its outcome is chosen, nor after another one is', async () => {
    const { page } = await world.open('/', { expected: EXPECTED });
    await page.getByText('Another market', { exact: true }).click();
    await page.locator('#outside-market').fill(CASES[0]!.market);
    const price = page.getByRole('button', { name: /Ask for the price/ });
    expect(await price.count()).to.equal(0);
    expect(await page.locator('#outside-missing').textContent()).to.equal('Choose the outcome.');
    await page.locator('.outside').getByRole('radio', { name: 'Yes', exact: true }).check();
    await price.click();
    await page.locator('.terms').waitFor(WAIT);
    await page.locator('.outside').getByRole('radio', { name: 'No', exact: true }).check();
    await page.locator('.terms').waitFor({ ...WAIT, state: 'detached' });
    expect(await page.locator('.outside pre').first().textContent()).to.include('outcome=No&side=BUY');
  });
}
