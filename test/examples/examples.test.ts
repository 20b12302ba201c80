import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { CREDIT_PACK, CREDIT_PACK_AMOUNT_MICROS, PRICES } from '#api/prices';
import { needAnvil } from '#test/local/support/chain-harness';
import { until } from '#test/support/live-verdicts';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalProcess, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { SHORT_LIVED } from '#test/support/short-lived';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_START_MS, PROCESS_TEST_MS } from '#test/support/time-limits';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'examples');
const EXAMPLES = ['buy-credits', 'check-order', 'check-wallet', 'mcp-client', 'pay-per-call'];
const LINES_MAX = 40;

describe('examples', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  before(async () => {
    local = await startLocalProcess();
  });
  after(() => local?.end('SIGKILL'));

  /** Runs an example as a newcomer would, beside this local profile, and returns what it prints. */
  const printed = async (name: string, ...args: readonly string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: local.dataDir };
    const { stdout } = await run(process.execPath, [...SHORT_LIVED, join(FOLDER, `${name}.mjs`), ...args], {
      cwd: ROOT,
      env,
    });
    return stdout;
  };
  const money = (): LocalMoney => moneyOf(local);

  it('are short, and all of them are run here', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.mjs'));
    expect(files).to.have.members(EXAMPLES.map((name) => `${name}.mjs`));
    for (const file of files) {
      expect(readFileSync(join(FOLDER, file), 'utf8').split('\n').length, file).to.be.at.most(LINES_MAX);
    }
  });

  it('check-order redeems a code and shows verdict, reasons and safe size for one credit', async () => {
    expect(await printed('check-order'))
      .to.match(/^500 credits for 0x[0-9a-f]{40}$/m)
      .and.match(/^(OK|CAUTION|VETO) for 5000 USD\n- .+/m)
      .and.match(/^largest size that is still OK: [\d.]+ USD$/m)
      .and.match(/^1 credit spent, 499 left$/m);
  });

  it('pay-per-call moves the price of one call and shows its receipt', async function () {
    needAnvil(this);
    const earned = await money().earned();
    const text = await printed('pay-per-call');
    expect((await money().earned()) - earned).to.equal(PRICES.preflight_trade.amountMicros);
    expect(text)
      .to.match(/^(OK|CAUTION|VETO): /m)
      .and.match(/^paid 0\.02 USDC, http:\/\/127\.0\.0\.1:\d+\/tx\/0x[0-9a-f]{64}$/m)
      .and.match(/success: true/);
  });

  it('pay-per-call repeats the same payment after a 500, and pays once', async function () {
    needAnvil(this);
    const earned = await money().earned();
    await money().clear();
    // Both tries of one request, and one failure fewer than open the circuit.
    await money().plan({ operation: 'verify', fault: 'error-before', times: 2 });
    expect(await printed('pay-per-call')).to.match(/success: true/);
    const calls = await money().facilitatorCalls();
    expect(calls.map(({ fault }) => fault)).to.include.members(['error-before', 'ok']);
    expect(new Set(calls.map(({ nonce }) => nonce)).size, 'authorizations that were sent').to.equal(1);
    expect((await money().earned()) - earned).to.equal(PRICES.preflight_trade.amountMicros);
  });

  it('buy-credits pays for the pack and reads its balance', async function () {
    needAnvil(this);
    const earned = await money().earned();
    const text = await printed('buy-credits');
    expect((await money().earned()) - earned).to.equal(CREDIT_PACK_AMOUNT_MICROS);
    expect(text)
      .to.include(`${CREDIT_PACK.credits} credits for ${local.facts.demoWallet.address.toLowerCase()}, until `)
      .and.match(/^balance \d+; an order check costs 1, a wallet 5$/m);
  });

  it('check-wallet waits as long as a 202 says and then shows the profile', async () => {
    // What a profile takes is measured with the first one; until then the 202 answers a cautious
    // guess.
    const token = await redeemLocal(local.facts, `0x${'7'.repeat(40)}`);
    const url = `${local.facts.url}/api/preflight_copy?wallet=${local.facts.exampleWallets.loser}`;
    const isRated = async () => (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status === 200;
    await until('a first wallet is rated', isRated, PROCESS_START_MS);
    expect(await printed('check-wallet'))
      .to.match(/^QUEUED, asking again in \d+ s$/m)
      .and.match(new RegExp(`^(COPY|WATCH|VETO) \\(\\w+\\) for ${local.facts.exampleWallets.unseen}\n- .+`, 'm'))
      .and.match(/^5 credits spent, 495 left$/m);
  });

  it('check-wallet asks once when there is nothing to compute, and pays nothing', async () => {
    const text = await printed('check-wallet', local.facts.exampleWallets.neverTraded);
    expect(text)
      .to.match(/^NO_COVERAGE /m)
      .and.not.match(/QUEUED|credits spent/);
  });

  it('mcp-client lists the tools, tries one for free and calls it with a token', async () => {
    expect(await printed('mcp-client'))
      .to.match(/^preflight_trade: /m)
      .and.match(/^preflight_copy: /m)
      .and.match(/^an example: (OK|CAUTION|VETO) .* free$/ms)
      .and.match(/^live: (OK|CAUTION|VETO) .*credits_remaining: 499/ms);
  });
});
