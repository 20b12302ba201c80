import axe from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** What axe reports, of what is shown when it finds something. */
interface Found {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/**
 * Fails if axe finds anything. It is put into the page by the debugger, whom the policy of the page
 * does not bind, so that the page is looked at as it is served.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run(document).then(({ violations }) => violations)')) as readonly Found[];
  const lines = found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help}: ${target.join(' ')} ${failureSummary}`),
  );
  expect(lines, what).to.deep.equal([]);
}
