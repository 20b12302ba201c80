import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { PageWorld } from '#test/page/support/page-world';
import { live } from './try-it.js';

const PHONE = { width: 360, height: 640 };
const SOON = { timeout: 20_000 };

/** Runs in the page: whether nothing of an element is cut. */
function isWhole({ scrollWidth, clientWidth }: { readonly scrollWidth?: number; readonly clientWidth?: number }) {
  return scrollWidth! <= clientWidth!;
}

/** Boxes of what a selector finds, in the window. */
async function boxes(page: Page, selector: string) {
  const found = await page.locator(selector).all();
  return Promise.all(found.map(async (one) => (await one.boundingBox())!));
}

/** The landing page where there is little room. */
export function onPhone(world: PageWorld): void {
  it('has the verdict in view without scrolling, and while the order is changed', async () => {
    const { page } = await world.open('/', PHONE);
    await live(page);
    const bar = page.locator('.verdict-bar');
    for (const [usd, word] of [
      ['20', 'OK'],
      ['10000000', 'VETO'],
    ] as const) {
      await page.fill('#size', usd);
      await bar.locator('strong', { hasText: word }).waitFor(SOON);
      const { y, height } = (await bar.boundingBox())!;
      expect(y + height).to.equal(PHONE.height);
      expect(await bar.evaluate(isWhole), usd).to.equal(true);
    }
  });

  it('never hides behind that bar what has the focus', async () => {
    const { page } = await world.open('/', PHONE);
    await live(page);
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab');
      const isHidden = await page.evaluate(`(() => {
        const bar = document.querySelector('.verdict-bar').getBoundingClientRect();
        const at = document.activeElement.getBoundingClientRect();
        return at.height > 0 && at.height < bar.top && at.top < bar.bottom && at.bottom > bar.top + 1;
      })()`);
      expect(isHidden, `after ${tabs + 1} tabs`).to.equal(false);
    }
  });

  it('has its navigation in one line, whole', async () => {
    const { page } = await world.open('/', PHONE);
    const links = await boxes(page, '.top nav a');
    expect(links).to.have.length(6);
    expect(new Set(links.map(({ y }) => y)).size).to.equal(1);
    for (const { x, width } of links) {
      expect(x).to.be.at.least(0);
      expect(x + width).to.be.at.most(PHONE.width);
    }
  });
}
