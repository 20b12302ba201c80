import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { HOSTILE_SLUGS } from '#local/venue/listings/hostile-names';
import { expectAccessible } from '#test/page/support/accessible';
import { boardInForce } from '#test/page/support/board';
import { type OpenPage, WIDTHS } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { listCovered, listTall } from '#test/page/support/watch';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const WAIT = { timeout: 20_000 };
const EXPECTED = [/402 \(Payment Required\)/];
/** What the names would make of a page that takes them for more than text. */
const MARK = 'taken';

async function expectPlain({ page }: OpenPage, what: string, width: number): Promise<void> {
  expect(await page.locator(`#${MARK}, img[src="x"]`).count(), `${what}: markup`).to.equal(0);
  expect(await page.title(), `${what}: script`).to.not.equal(MARK);
  expect(await page.evaluate('document.documentElement.scrollWidth'), `${what}: width`).to.be.at.most(width);
  expect(await page.evaluate(listCovered), `${what}: covered`).to.deep.equal([]);
  expect(await page.evaluate(listTall), `${what}: tall`).to.deep.equal([]);
  expect((await page.locator('main').textContent())!.includes(MARK), `${what}: shown`).to.equal(true);
  await expectAccessible(page, what);
}

/** Asks for what costs something, with credits. */
async function ask(page: Page, token: string, price: string, list = ''): Promise<void> {
  const position = page.locator(list === '' ? 'main' : `[data-list="${list}"]`);
  await position
    .getByRole('button', { name: `Pay ${price} USDC`, exact: true })
    .first()
    .click(WAIT);
  await position.getByLabel(/Or use (a|the) token/).fill(token);
  await page.keyboard.press('Enter');
}

/**
 * Names of markets and wallets are text, whatever is in them. They come from the venue of the local
 * profile with `--strange-names`, through all of the service.
 */
export function hostileNames(world: PageWorld): void {
  let token: string;

  before('a board is in force', async function () {
    this.timeout(PROCESS_TEST_MS);
    token = await boardInForce(world.local);
  });

  for (const width of WIDTHS) {
    it(`stay text in their place in the try-out and its list of markets, at ${width} px`, async () => {
      const opened = await world.open('/', { width });
      const { page } = opened;
      const options = page.locator('#market option');
      await page.locator('#feed.live').waitFor(WAIT);
      expect(await options.count()).to.equal(1 + HOSTILE_SLUGS.length);
      for (let at = 1; at <= HOSTILE_SLUGS.length; at++) {
        await page.locator('#market').selectOption({ index: at });
        await page.locator('#feed.live').waitFor(WAIT);
        await expectPlain(opened, `/ ${HOSTILE_SLUGS[at - 1]} ${width}`, width);
      }
    });

    it(`stay text in their place in a verdict that was bought, at ${width} px`, async () => {
      for (const slug of HOSTILE_SLUGS) {
        const opened = await world.open('/', { width, expected: EXPECTED });
        const { page } = opened;
        await page.getByText('Another market').click();
        await page.getByLabel(/Address or slug of the market/).fill(await firstToken(world, slug));
        await page.getByRole('button', { name: /Ask for the price/ }).click();
        await ask(page, token, '0.02');
        await page.locator('[data-bought]').waitFor(WAIT);
        expect(await page.locator('[data-bought]').textContent()).to.include(MARK);
        await expectPlain(opened, `bought ${slug} ${width}`, width);
      }
    });

    it(`stay text in their place in an answer that is checked, at ${width} px`, async () => {
      for (const slug of HOSTILE_SLUGS) {
        const opened = await world.open('/verify', { width });
        const { page } = opened;
        await page.getByText(/keys? of this service at hand/).waitFor(WAIT);
        await page.getByLabel('or paste it').fill(await answerWithEvidence(world, slug, token));
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Verified.' }).waitFor(WAIT);
        await expectPlain(opened, `/verify ${slug} ${width}`, width);
      }
    });

    it(`stay text in their place in the lists, at ${width} px`, async () => {
      const opened = await world.open('/wallets', { width, expected: EXPECTED });
      for (const list of ['leaderboard', 'red_list']) {
        await ask(opened.page, token, '0.02', list);
        const live = opened.page.locator(`[data-list="${list}"][data-live="true"]`);
        await live.waitFor(WAIT);
        expect(await live.textContent(), list).to.include(MARK);
      }
      await expectPlain(opened, `/wallets ${width}`, width);
    });

    it(`stay text in their place in a profile, at ${width} px`, async () => {
      const { skilled, loser } = world.local.facts.exampleWallets;
      for (const address of [skilled, loser]) {
        const opened = await world.open(`/wallet?address=${address}`, { width, expected: EXPECTED });
        await ask(opened.page, token, '0.10');
        await opened.page.locator('main', { hasText: MARK }).waitFor(WAIT);
        await expectPlain(opened, `/wallet ${address} ${width}`, width);
      }
    });
  }
}

async function firstToken({ local: { facts } }: PageWorld, slug: string): Promise<string> {
  const markets = (await (await fetch(`${facts.venue.controlUrl}/markets`)).json()) as readonly {
    readonly slug: string;
    readonly outcomes: readonly { readonly tokenId: string }[];
  }[];
  return markets.find((market) => market.slug === slug)!.outcomes[0]!.tokenId;
}

async function answerWithEvidence(world: PageWorld, slug: string, token: string): Promise<string> {
  const { url } = world.local.facts;
  const path = `/api/preflight_trade?token_id=${await firstToken(world, slug)}&usd=50&evidence=1`;
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  expect(answer.status, text).to.equal(200);
  return text;
}
