import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusReport } from '#api/status';
import { boardInForce } from '#test/page/support/board';
import { THEMES } from '#test/page/support/open-page';
import { PageWorld } from '#test/page/support/page-world';
import { ROOT } from '#test/support/source-tree';
import { smallerPng } from './smaller-png.js';

/**
 * `npm run screenshots`: writes the pages as a desk and a phone show them, in both themes, into
 * docs/screenshots in the place of what was there, from the local profile.
 */
const FOLDER = join(ROOT, 'docs/screenshots');
const FORMS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
/** What a page asks for once it is open has come by then, and a book has moved. */
const SETTLE_MS = 3_000;

/** By the name of the file. */
const SUBJECTS = {
  landing: '/',
  wallet: '/wallet',
  'wallet-locked': `/wallet?address=0x${'12'.repeat(20)}`,
  wallets: '/wallets',
  verify: '/verify',
  status: '/status',
  docs: '/docs',
  'docs-endpoint': '/docs/check-order',
} as const;

async function untilWell(): Promise<void> {
  const read = async () => (await (await fetch(`${world.local.facts.url}/status.json`)).json()) as StatusReport;
  while ((await read()).status !== 'ok') await sleep(500);
}

function removeOld(): void {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of readdirSync(FOLDER)) rmSync(join(FOLDER, file));
}

const world = new PageWorld();
await world.start({ WALLET_JOBS: 'on' });
try {
  // Until the first board is in force the service says that it is degraded.
  await boardInForce(world.local);
  await untilWell();
  removeOld();
  for (const [name, path] of Object.entries(SUBJECTS)) {
    for (const form of FORMS) {
      for (const theme of THEMES) {
        const { page } = await world.open(path, { theme, ...form, reducedMotion: true });
        await page.waitForTimeout(SETTLE_MS);
        const file = `${name}-${form.width}-${theme}.png`;
        const bytes = smallerPng(await page.screenshot());
        writeFileSync(join(FOLDER, file), bytes);
        console.log(`docs/screenshots/${file}: ${Math.round(bytes.length / 1e3)} kB`);
        await page.context().close();
      }
    }
  }
  await world.endTest('screenshots');
} finally {
  await world.stop();
}
