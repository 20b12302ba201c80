import { expect } from 'chai';
import { PAGE_PATHS } from '#api/pages';
import { expectAccessible } from '#test/page/support/accessible';
import { THEMES, WIDTHS } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { listCovered, listCutFigures } from '#test/page/support/watch';

const SIMULATED = 'LOCAL SIMULATION: everything is simulated; no real money, no real markets.';
/** The last one is not there. */
const PATHS = [...Object.values(PAGE_PATHS), '/nowhere'];
const NARROWEST = Math.min(...WIDTHS);
/** The columns of a table fit themselves to rows that arrive later; what jumps moves ten times as much. */
const LAYOUT_SHIFT_MAX = 0.005;
const EXPECTED = [/404 \(Not Found\)/];

/** One look at each page, in turn in one of the themes and widths. */
export function everyPageOnce(world: PageWorld): void {
  it('has nothing that axe finds fault with, fits into its width and stays in its place', async () => {
    for (const [n, path] of PATHS.entries()) await look(world, path, n, n >> 1);
  });
}

/** Each page in both themes and at all widths. */
export function everyPageInEveryForm(world: PageWorld): void {
  for (const path of PATHS) {
    for (const [theme, name] of THEMES.entries()) {
      for (const [width, px] of WIDTHS.entries()) {
        it(`${path} in ${name} at ${px} px`, () => look(world, path, theme, width));
      }
    }
  }
}

async function look(world: PageWorld, path: string, theme: number, width: number): Promise<void> {
  const form = { theme: THEMES[theme % THEMES.length]!, width: WIDTHS[width % WIDTHS.length]! };
  const what = `${path} ${form.theme} ${form.width}`;
  const opened = await world.open(path, { ...form, expected: path === '/nowhere' ? EXPECTED : [] });
  expect(await opened.page.locator('.strip').allTextContents(), what).to.deep.equal([SIMULATED]);
  await expectAccessible(opened.page, what);
  expect(await opened.page.evaluate(listCovered), `${what}: covered`).to.deep.equal([]);
  if (path === PAGE_PATHS.landing) expect(await opened.page.evaluate(listCutFigures), `${what}: cut`).to.deep.equal([]);
  expect(await opened.page.evaluate('document.documentElement.scrollWidth'), what).to.be.at.most(form.width);
  expect((await opened.noticed()).layoutShift, what).to.be.at.most(LAYOUT_SHIFT_MAX);
  // As wide as a page of 1,280 px that is read at four times its size.
  await opened.page.setViewportSize({ width: NARROWEST, height: 900 });
  const narrow = await opened.page.evaluate('document.documentElement.scrollWidth');
  expect(narrow, `${what}, made narrow`).to.be.at.most(NARROWEST);
}
