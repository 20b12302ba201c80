import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type OpenPage, WIDTHS } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { listCovered } from '#test/page/support/watch';

const MARK = 'planted';
/** What strangers call their markets and wallets. */
const HOSTILE_NAMES = {
  markup: `<img src=x onerror="document.title='${MARK}'"><h1 id="${MARK}">${MARK}</h1>`,
  script: `</script><script>document.title='${MARK}'</script>`,
  'bidi marks': `\u202e\u2066${MARK} txt.exe\u202d\u2067 \u200f0.99`,
  'ten thousand letters': `${MARK}${'W'.repeat(10_000)}`,
} as const;

type Json = unknown;
/** Where names of strangers stand in answers. */
const NAMED = ['question', 'label', 'name', 'category'];

/** Returns the answer with other names in it. */
function renamed(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((each) => renamed(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    NAMED.includes(key) && typeof each === 'string' ? name : renamed(each, name),
  ]);
  return Object.fromEntries(entries);
}

/** Has the names in answers of the service changed on their way to the page. */
function rename(name: string): (page: Page) => Promise<unknown> {
  return (page) =>
    page.route(/\/demo\/markets$|\/api\/(preflight_copy|leaderboard|red_list)/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: renamed(await answer.json(), name) });
    });
}

async function expectPlain({ page }: OpenPage, what: string, width: number): Promise<void> {
  expect(await page.locator(`#${MARK}, img[src="x"]`).count(), `${what}: markup`).to.equal(0);
  expect(await page.title(), `${what}: script`).to.not.equal(MARK);
  expect(await page.evaluate('document.documentElement.scrollWidth'), `${what}: width`).to.be.at.most(width);
  expect(await page.evaluate(listCovered), `${what}: covered`).to.deep.equal([]);
  expect((await page.content()).includes(MARK), `${what}: shown`).to.equal(true);
}

/** Names of markets and wallets are text, whatever is in them. */
export function hostileNames(world: PageWorld): void {
  for (const [kind, name] of Object.entries(HOSTILE_NAMES)) {
    for (const path of ['/', '/wallet?address=0x0000000000000000000000000000000000000002']) {
      it(`stay text in their place when they hold ${kind}, on ${path.split('?')[0]}`, async () => {
        for (const width of WIDTHS) {
          const opened = await world.open(path, { width, prepare: rename(name) });
          await opened.page.getByText(MARK).first().waitFor({ state: 'attached' });
          if (path === '/') await opened.page.getByText('Live from the venue').waitFor();
          await expectPlain(opened, `${path} ${width}`, width);
        }
      });
    }
  }
}
