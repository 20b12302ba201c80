import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAGE_PATHS, type PageName } from '#api/pages';
import type { StatusReport } from '#api/status';
import { boardInForce } from '#test/page/support/board';
import { THEMES } from '#test/page/support/open-page';
import { PageWorld } from '#test/page/support/page-world';
import { ROOT } from '#test/support/source-tree';
import { smallerPng } from './smaller-png.js';

/**
 * `npm run screenshots`: writes every page in both themes into docs/screenshots, from the local
 * profile.
 */
const FOLDER = join(ROOT, 'docs/screenshots');
const VIEWPORT = { width: 1280, height: 860 };
/** What a page asks for once it is open has come by then, and a book has moved. */
const SETTLE_MS = 3_000;

async function untilWell(): Promise<void> {
  const read = async () => (await (await fetch(`${world.local.facts.url}/status.json`)).json()) as StatusReport;
  while ((await read()).status !== 'ok') await sleep(500);
}

const world = new PageWorld();
await world.start({ WALLET_JOBS: 'on' });
try {
  // Until the first board is in force the service says that it is degraded.
  await boardInForce(world.local);
  await untilWell();
  mkdirSync(FOLDER, { recursive: true });
  for (const name of Object.keys(PAGE_PATHS) as PageName[]) {
    for (const theme of THEMES) {
      const { page } = await world.open(PAGE_PATHS[name], { theme, ...VIEWPORT, reducedMotion: true });
      await page.waitForTimeout(SETTLE_MS);
      const file = `${name}-${theme}.png`;
      const bytes = smallerPng(await page.screenshot());
      writeFileSync(join(FOLDER, file), bytes);
      console.log(`docs/screenshots/${file}: ${Math.round(bytes.length / 1e3)} kB`);
    }
  }
  await world.endTest('screenshots');
} finally {
  await world.stop();
}
