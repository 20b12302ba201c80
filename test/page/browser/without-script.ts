import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { PAGE_PATHS } from '#api/pages';
import type { PageWorld } from '#test/page/support/page-world';

/** Samples are chosen by radio buttons that need no script. */
const CONTROLS = 'main :is(input, select, textarea, button):not(.tabs input)';
/** All but the script of the theme. */
const BUNDLES = /\/assets\/(?!theme-)[^/]*\.js$/;
const LOST = [/Failed to load resource/, /request failed/];

/** How many fields can be changed, and how many buttons be pressed. */
const countEnabled = (page: Page) => page.locator(`${CONTROLS}:enabled`).count();

/** A verdict beside fields that can be changed would be taken for one on what they say. */
export function withoutScript(world: PageWorld): void {
  for (const name of ['landing', 'wallet', 'wallets', 'verify', 'docs'] as const) {
    const path = PAGE_PATHS[name];

    it(`${path} has controls that can be used once its script runs, and not before`, async () => {
      const { page: still } = await world.open(path, { javaScript: false });
      expect(await countEnabled(still)).to.equal(0);
      const { page } = await world.open(path);
      expect(await countEnabled(page)).to.be.above(0);
      expect(await page.locator(`${CONTROLS}:disabled`).count()).to.equal(0);
    });
  }

  it('/ lets nobody change the order of the example when its bundle cannot be loaded', async () => {
    const prepare = (page: Page) => page.route(BUNDLES, (route) => route.abort());
    const { page } = await world.open('/', { prepare, expected: LOST });
    expect(await countEnabled(page)).to.equal(0);
  });

  for (const [path, line] of [
    ['/', '/api/preflight_trade?sandbox=1'],
    ['/wallet', '/api/preflight_copy?wallet=0x…'],
    ['/wallets', '/api/leaderboard?sandbox=1'],
  ] as const) {
    it(`${path} says that it shows the example alone, and the same by command line`, async () => {
      const { page } = await world.open(path, { javaScript: false, width: 320 });
      const note = page.locator('main .note', { hasText: 'Without script' });
      expect(await note.isVisible()).to.equal(true);
      expect(await note.textContent()).to.include(line);
      expect(await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).to.equal(true);
    });
  }

  it('/ shows the very verdict that its command line gets', async () => {
    const { page } = await world.open('/', { javaScript: false });
    const command = await page.locator('main .note code').textContent();
    const answer = await fetch(/'(.*)'/.exec(command!)![1]!);
    const { reasons } = (await answer.json()) as { reasons: readonly string[] };
    for (const reason of reasons) expect(await page.locator('main').innerText()).to.include(reason);
  });

  it('/docs has no field for a search that nothing does', async () => {
    const { page } = await world.open('/docs', { javaScript: false });
    expect(await page.locator('#docs-search').isVisible()).to.equal(false);
  });
}
