import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { DOCS_PATHS } from '#api/docs-paths';
import { tokenRequestText } from '#domain/credits/token-request';
import { toWallet } from '#domain/ids';
import { expectAccessible } from '#test/page/support/accessible';
import type { PageWorld } from '#test/page/support/page-world';
import { redeemLocal } from '#test/support/local-process';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const run = promisify(execFile);
/** What a caller is told whose request is not as it should be. */
const WRONG = ['400', '401', '404', '405', '409', '413', '415'];

/** Does what the page says, as it says it. */
export function docsCommands(world: PageWorld): void {
  it('shows commands and programs that do what they say when they are typed in', async () => {
    const blocks = await blocksOf(world);
    const env = await callerEnv(world);
    const programs = blocks.filter((block) => block.includes('new Preflight'));
    const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('curl '));
    expect([programs.length >= 2, lines.length >= 15]).to.deep.equal([true, true]);
    for (const line of new Set(lines)) {
      const received = line.replace('curl -s', "curl -s -o /dev/null -w '%{http_code}'");
      // A wallet redeems a code once, and this one has.
      const requested = line.includes('/api/redeem') ? { ...env, WALLET: env.OTHER_WALLET } : env;
      const { stdout: status } = await run('bash', ['-c', received], { env: requested });
      expect(WRONG, `${line} answered ${status}`).to.not.include(status);
    }
    await runSamples(blocks, env);
    // In its own folder a package finds itself by its name.
    const cwd = join(ROOT, 'dist/client');
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', programs[0]!], { cwd, env });
    expect(stdout).to.match(/^(send it before \d|CAUTION: \w|VETO: \w)/);
  });
}

/** The samples in TypeScript and Python end well, and print an answer of the service. */
async function runSamples(blocks: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const typeScript = blocks.filter((block) => block.includes('await fetch(url'));
  const python = blocks.filter((block) => block.includes('import requests'));
  expect([typeScript.length >= 8, python.length >= 10]).to.deep.equal([true, true]);
  for (const block of typeScript) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', block], { env });
    expect(JSON.parse(stdout), block).to.be.an('object');
  }
  const hasRequests = await run('python3', ['-c', 'import requests']).then(
    () => true,
    () => false,
  );
  for (const block of hasRequests ? python : []) {
    const { stdout } = await run('python3', ['-c', block], { env });
    expect(stdout, block).to.match(/^\d{3} \{/);
  }
}

/** Everything that the pages show to be copied, of the tabs that are not open too. */
async function blocksOf(world: PageWorld): Promise<readonly string[]> {
  const { page } = await world.open('/docs', { javaScript: false });
  const blocks: string[] = [];
  for (const path of DOCS_PATHS) {
    await page.goto(world.local.facts.url + path);
    blocks.push(...(await page.locator('pre').allTextContents()));
  }
  return blocks;
}

const HEIGHT_MAX_PX = 8_000;

/** The pages as they are read. */
export function docsPages(world: PageWorld): void {
  it('are short, and fit into the width of a phone', async () => {
    const { page } = await world.open('/docs');
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of DOCS_PATHS) {
        await page.goto(world.local.facts.url + path);
        const height = await page.evaluate('document.documentElement.scrollHeight');
        expect(height, `${path} at ${width}`).to.be.below(HEIGHT_MAX_PX);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.be.at.most(width);
      }
    }
  });

  it('have the same request in each language, one at a time, without script', async () => {
    const { page } = await world.open('/docs/check-order', { javaScript: false });
    for (const language of ['curl', 'TypeScript', 'Python', 'MCP']) {
      await page.getByRole('radio', { name: language }).check({ force: true });
      expect(await page.locator('.tab:visible').evaluateAll(languages)).to.deep.equal([language]);
    }
    for (const width of [1440, 320]) {
      await expectAccessible((await world.open('/docs/check-order', { width })).page, `/docs/check-order ${width}`);
    }
  });

  it('are searched in the browser, by the name of a parameter or a code, and by a word that is misspelled', async () => {
    const { page } = await world.open('/docs');
    const search = page.getByRole('searchbox');
    for (const [words, url] of [
      ['max_slippage_c', '/docs/check-order#checkOrder'],
      ['rate_limited', '/docs/errors#rate_limited'],
      ['idempotnt', '/docs/'],
    ] as const) {
      await search.fill(words);
      await page
        .locator(`.found a[href^="${url}"]`)
        .first()
        .waitFor({ timeout: PROCESS_TEST_MS / 4 });
    }
    await search.fill('rate_limited');
    await page.locator('.found a').first().waitFor();
    await expectAccessible(page, 'a search');
    await search.press('Enter');
    await page.waitForURL('**/docs/errors#rate_limited');
    await page.getByRole('searchbox').fill('qqqqqqqq');
    await page.getByText('Nothing has “qqqqqqqq” in it.').waitFor({ timeout: PROCESS_TEST_MS / 4 });
  });
}

function languages(tabs: readonly unknown[]): readonly string[] {
  return (tabs as readonly { readonly dataset: { readonly language: string } }[]).map(
    ({ dataset }) => dataset.language,
  );
}

/** The variables that the examples name, of a wallet with credits. */
async function callerEnv({ local: { facts } }: PageWorld): Promise<NodeJS.ProcessEnv> {
  const account = privateKeyToAccount(generatePrivateKey());
  const TOKEN = await redeemLocal(facts, account.address);
  const [NONCE, ISSUED_AT] = [crypto.randomUUID(), new Date().toISOString()];
  const request = { domain: new URL(facts.url).host, wallet: toWallet(account.address), nonce: NONCE };
  const SIGNATURE = await account.signMessage({ message: tokenRequestText({ ...request, issuedAt: ISSUED_AT }) });
  const WALLET = account.address;
  const { promoCode: CODE, exampleSlug: SLUG } = facts;
  const OTHER_WALLET = privateKeyToAccount(generatePrivateKey()).address;
  return { PATH: process.env.PATH, TOKEN, SLUG, NONCE, ISSUED_AT, SIGNATURE, WALLET, CODE, OTHER_WALLET };
}
