import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { THEMES } from '#test/page/support/open-page';
import type { PageWorld } from '#test/page/support/page-world';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { live } from './try-it.js';

/** What graphics need beside their ground (WCAG 1.4.11). */
const CONTRAST_MIN = 3;
const SOON = { timeout: PROCESS_TEST_MS / 4 };

/** Runs in the page: the least contrast of a bar of the ladder with the card that it lies on. */
const LEAST_CONTRAST = `(() => {
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = luminance(getComputedStyle(document.querySelector('.ladder')).backgroundColor);
  const bars = [...document.querySelectorAll('.ladder .bar rect')].map((bar) => luminance(getComputedStyle(bar).fill));
  return Math.min(...bars.map((bar) => (Math.max(bar, ground) + 0.05) / (Math.min(bar, ground) + 0.05)));
})()`;

/** The order book and the curve as they are drawn. */
export function bookAndCurve(world: PageWorld): void {
  it('draws bars that are seen in both themes', async () => {
    for (const theme of THEMES) {
      const { page } = await world.open('/', { theme });
      await live(page);
      expect(await page.evaluate(LEAST_CONTRAST), theme).to.be.at.least(CONTRAST_MIN);
    }
  });

  it('draws a thin book without empty rows, with cumulative depth, and the way out on the other side', async () => {
    const { page } = await world.open('/', { prepare: oneThinBook });
    await page.locator('#feed', { hasText: 'has ended' }).waitFor(SOON);
    expect(await page.locator('.asks tr').count()).to.equal(DEMO_EXAMPLE.book.asks.length);
    expect(await page.locator('.bids tr').count()).to.equal(DEMO_EXAMPLE.book.bids.length);
    const totals = await page.locator('.bids td:last-child').allInnerTexts();
    expect(totals).to.deep.equal(['141.00', '411.00', '789.00']);
    expect(await page.locator('.bids .exit').count()).to.equal(1);
    expect(await page.locator('.exit-words').innerText()).to.match(/^Exit now: sell at \d+\.\d\d¢ on average/);
  });

  it('has the curve at once, with axes, safe size, minimum and a dot that follows the order', async () => {
    const { page } = await world.open('/', { javaScript: false });
    expect(await page.locator('.plane polyline').count()).to.equal(1);
    const { page: alive } = await world.open('/');
    await live(alive);
    const texts = await alive.locator('.plane text').allTextContents();
    for (const text of ['$1', '$10', '$100', '0¢', 'below minimum', 'VETO from 3¢']) expect(texts).to.include(text);
    expect(texts.filter((text) => text.startsWith('safe size $'))).to.have.length(1);
    const dotAt = () => alive.locator('.plane .here').getAttribute('cx');
    const before = await dotAt();
    await alive.fill('#size', '20');
    await alive.locator(`.plane .here:not([cx="${before}"])`).waitFor({ ...SOON, state: 'attached' });
    expect(Number.parseFloat((await dotAt())!)).to.be.below(Number.parseFloat(before!));
  });
}

/** Lets the page see one market, with the few levels of the free example. */
async function oneThinBook(page: Page): Promise<void> {
  const { market, book } = DEMO_EXAMPLE;
  const token_id = market.outcomes[0]!.token_id;
  const data = { sequence: 1, server_time_ms: Date.now(), token_id, book, market_status: market.status };
  const body = `event: book\ndata: ${JSON.stringify(data)}\n\n`;
  await page.route('**/demo/markets', (route: Route) => route.fulfill({ json: { markets: [market] } }));
  await page.route('**/demo/books/**', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
}
