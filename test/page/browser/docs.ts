import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { tokenRequestText } from '#domain/credits/token-request';
import { toWallet } from '#domain/ids';
import type { PageWorld } from '#test/page/support/page-world';
import { redeemLocal } from '#test/support/local-process';
import { ROOT } from '#test/support/source-tree';

const run = promisify(execFile);
/** What a caller is told whose request is not as it should be. */
const WRONG = ['400', '401', '404', '405', '409', '413', '415'];

/** Does what the page says, as it says it. */
export function docsCommands(world: PageWorld): void {
  it('shows commands and programs that do what they say when they are typed in', async () => {
    const { page } = await world.open('/docs', { javaScript: false });
    const blocks = await page.locator('pre').allInnerTexts();
    const env = await callerEnv(world);
    const programs = blocks.filter((block) => block.includes('new Preflight'));
    const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('curl '));
    expect([programs.length, lines.length >= 15]).to.deep.equal([2, true]);
    for (const line of new Set(lines)) {
      const received = line.replace('curl -s', "curl -s -o /dev/null -w '%{http_code}'");
      // A wallet redeems a code once, and this one has.
      const requested = line.includes('/api/redeem') ? { ...env, WALLET: env.OTHER_WALLET } : env;
      const { stdout: status } = await run('bash', ['-c', received], { env: requested });
      expect(WRONG, `${line} answered ${status}`).to.not.include(status);
    }
    // In its own folder a package finds itself by its name.
    const cwd = join(ROOT, 'dist/client');
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', programs[0]!], { cwd, env });
    expect(stdout).to.match(/^(send it before \d|CAUTION: \w|VETO: \w)/);
  });
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
