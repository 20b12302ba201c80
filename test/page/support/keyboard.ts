import type { Page } from 'playwright-core';

/** No page has more places to stop at than this. */
const TABS_MAX = 90;

/** Goes on by tab until the element with the focus is one of these; `text` is what it says. */
export async function tabTo(page: Page, selector: string, text = /(?:)/): Promise<void> {
  const isThere = `(() => {
    const { activeElement: at } = document;
    return at.matches(${JSON.stringify(selector)}) && ${text}.test(at.textContent.trim());
  })()`;
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(isThere)) return;
  }
  throw new Error(`no tab leads to ${selector} ${text}`);
}

/** Goes to another page by its link at the top. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Home');
  await tabTo(page, `nav a[href="${path}"]`);
  await Promise.all([page.waitForURL(`**${path}`), page.keyboard.press('Enter')]);
}
