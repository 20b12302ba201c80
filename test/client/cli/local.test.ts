import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { needAnvil } from '#test/local/support/chain-harness';
import { connectOver } from '#test/server/mcp/support/mcp-clients';
import { type LocalProcess, newDataDir, startLocalProcess } from '#test/support/local-process';
import { publishSampleBoard } from '#test/support/rated-data-dir';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { markdownPages, ROOT } from '#test/support/source-tree';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { hurried } from '../support/hurried.js';
import { runInProcess } from './support/test-world.js';

const MAIN = fileURLToPath(new URL('../../../src/client/cli/main.js', import.meta.url));
const textOf = (page: string) => markdownPages().find(({ path }) => path === page)!.text;
const [README, PAGE] = [textOf('README.md'), textOf('docs/client.md')];
const VERDICTS = [0, 10, 20];

/**
 * What each command may end with against the local profile, whose books move. Also the list of all
 * commands.
 */
const ENDS: Readonly<Record<string, readonly number[]>> = {
  verdict: VERDICTS,
  copy: VERDICTS,
  watch: VERDICTS,
  leaderboard: [0],
  'red-list': [0],
  verify: [0],
  limits: [0],
  freeze: [0],
  unfreeze: [0],
  reconcile: [0],
  explain: [0],
  probe: [0],
  status: [0, 10],
  credits: [0],
  redeem: [0],
  buy: [0],
  token: [0],
  mcp: [0],
  completion: [0],
  evaluate: VERDICTS,
};

describe('the command line against the service', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let dir: string;
  let env: Readonly<Record<string, string>>;
  before(async function () {
    needAnvil(this);
    const dataDir = newDataDir();
    await publishSampleBoard(dataDir);
    local = await startLocalProcess({ dataDir });
    dir = tempFolder('cli-local');
    writeFileSync(join(dir, 'wallet.key'), local.facts.demoWallet.privateKey, { mode: 0o600 });
    env = {
      PATH: `${dir}:${process.env.PATH}`,
      PREFLIGHT_URL: local.facts.url,
      PREFLIGHT_HOME: join(dir, 'home'),
    };
    writeFileSync(
      join(dir, 'preflight'),
      `#!/bin/sh\nexec '${process.execPath}' ${SHORT_LIVED.join(' ')} '${MAIN}' "$@"\n`,
    );
    chmodSync(join(dir, 'preflight'), 0o700);
    const book = await fetch(`${local.facts.venue.clobUrl}/book?token_id=${local.facts.exampleTokenId}`);
    writeFileSync(join(dir, 'book.json'), await book.text());
    symlinkSync(join(ROOT, 'dist'), join(dir, 'dist'));
    // As an installed package has it.
    mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(dir, 'preflight'), join(dir, 'node_modules/.bin/preflight'));
  });
  after(() => local?.end('SIGKILL'));

  /** Runs commands as they are typed into a shell. */
  const typed = (script: string, more: Readonly<Record<string, string>> = {}) =>
    runProgram('bash', ['--norc', '--noprofile', '-c', script], { cwd: dir, env: { ...env, ...more } });
  const keyed = () => ({ ...env, PREFLIGHT_KEY_FILE: join(dir, 'wallet.key') });
  const ofThisInstance = (text: string) =>
    text.replaceAll(/LOCAL-[0-9A-F]{8}/g, local.facts.promoCode).replaceAll('http://127.0.0.1:4021', local.facts.url);

  it('does with every command what its --help shows', async () => {
    const { stdout: all } = await runInProcess(['--help'], {});
    const names = [...all.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map(([, name]) => name!);
    expect(names.filter((name) => name !== 'help')).to.have.members(Object.keys(ENDS));
    for (const name of Object.keys(ENDS)) {
      const { stdout: help } = await runInProcess([name, '--help'], {});
      const examples = [...help.matchAll(/^ {2}\$ preflight (.*)$/gm)].map(([, line]) => line!);
      expect(examples, name).to.not.deep.equal([]);
      for (const example of examples) await runExample(name, ofThisInstance(example));
    }
  });

  /** In this process, but for the one that serves on its own standard input. */
  async function runExample(name: string, example: string): Promise<void> {
    const [, line, from] = /^(.*?)(?: < (\S+))?$/.exec(example)!;
    const inDir = (word: string) => (/^[\w.-]+\.(token|json)$/.test(word) ? join(dir, word) : word);
    const words = [...line!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => inDir((quoted ?? bare)!));
    // The venue that is asked is the simulated one.
    if (words.includes('--against-venue')) words.push('--data-url', local.facts.venue.dataUrl);
    const input = from === undefined || name === 'mcp' ? '' : readFileSync(inDir(from), 'utf8');
    const ended =
      name === 'mcp'
        ? await typed(`preflight ${example}`)
        : await runInProcess(words, { env: keyed(), input, system: hurried(10) });
    const received = `${example}: ${ended.stdout}${ended.stderr}`;
    expect(ENDS[name], received).to.include(ended.exitCode);
    if (!words.includes('--json')) return;
    expect(() => JSON.parse(ended.stdout), received).to.not.throw();
    // What `verify` shows is checked with the answer of `verdict`.
    if (name === 'verdict') writeFileSync(join(dir, 'verdict.json'), ended.stdout);
    if (name === 'copy') writeFileSync(join(dir, 'wallet.json'), ended.stdout);
  }

  it('brings a new token for a lost one, in a file of its own or as JSON, and takes no budget', async () => {
    const key = join(dir, 'owner.key');
    const privateKey = generatePrivateKey();
    writeFileSync(key, privateKey, { mode: 0o600 });
    const wallet = privateKeyToAddress(privateKey).toLowerCase();
    const run = (...words: string[]) => runInProcess(words, { env });
    const redeem = () => run('redeem', local.facts.promoCode, wallet);
    expect((await redeem()).exitCode).to.equal(0);
    const again = await redeem();
    expect(again.exitCode).to.equal(1);
    expect(again.stderr).to.match(/already redeemed.*next: .*POST \/api\/credits\/token \(preflight token\)/s);
    const file = join(dir, 'owner.token');
    const renewed = await run('token', '--key-file', key, '--save-token', file);
    expect(renewed.exitCode, renewed.stderr).to.equal(0);
    expect(renewed.stdout).to.match(new RegExp(`credits of ${wallet}.*token in ${file}`, 's'));
    const token = readFileSync(file, 'utf8').trim();
    expect([renewed.stdout.includes(token), statSync(file).mode & 0o777]).to.deep.equal([false, 0o600]);
    const { stdout } = await run('credits', '--token-file', file, '--json');
    const { balance } = JSON.parse(stdout);
    const json = JSON.parse((await run('token', '--key-file', key, '--json')).stdout);
    expect(json).to.include({ ok: true, wallet, balance }).and.to.not.have.property('credits_added');
    expect(json.token).to.match(/^tk_/).and.to.not.equal(token);
    const spent = JSON.parse((await run('limits', '--payer', wallet, '--json')).stdout);
    expect(spent).to.deep.include({ spent_24h: { usd: 0, packs: 0 }, open: [] });
    const there = await run('token', '--key-file', key, '--save-token', file);
    expect([there.exitCode, readFileSync(file, 'utf8').trim()]).to.deep.equal([2, token]);
  });

  it('has every documented example for whoever asks, also without a key and a token, as the service has it', async () => {
    for (const { tool, parameter, value } of SANDBOX_INPUTS) {
      const words = [tool === 'preflight_trade' ? 'verdict' : 'copy', value, '--json'];
      const { exitCode, stdout, stderr } = await runInProcess(words, { env, system: hurried(10) });
      const answer = await fetch(`${local.facts.url}/api/${tool}?${parameter}=${value}&sandbox=1`);
      const body = (await answer.json()) as { readonly verdict?: string; readonly candidates?: readonly string[] };
      // A wallet that was queued is rated for whoever comes back.
      if (answer.status === 200 && !stdout.includes('QUEUED')) expect(JSON.parse(stdout), value).to.deep.equal(body);
      else expect(stdout + stderr, value).to.match(/QUEUED|Blue.*Green/s);
      expect(exitCode, value).to.be.oneOf([1, 10, 20, 30]);
    }
    const chosen = await runInProcess(['verdict', 'sandbox-candidates', '--outcome', 'Green', '--json'], { env });
    expect(JSON.parse(chosen.stdout)).to.deep.include({ verdict: 'OK', sandbox: true });
    const waited = await runInProcess(['copy', `0x${'4'.padStart(40, '0')}`, '--wait', '--json'], { env });
    expect(JSON.parse(waited.stdout)).to.deep.include({ verdict: 'COPY', sandbox: true });
  });

  it('prints what the session of the README shows', async () => {
    const [, session] = /```\n(\$ preflight\(\).*?)```/s.exec(README) ?? [];
    expect(session, 'a session').to.be.a('string');
    const commands = [...session!.matchAll(/^\$ (.*)$/gm)].map(([, line]) => ofThisInstance(line!));
    const { exitCode, stdout, stderr } = await typed(commands.join('\n'));
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(shapesOf(stdout)).to.deep.equal(shapesOf(session!.replaceAll(/^\$ .*\n/gm, '')));
  });

  it('guards an order with the five lines of its page', async () => {
    const [, gate] = /```sh\n(#!\/bin\/sh\n.*?)```/s.exec(PAGE) ?? [];
    expect(gate?.trimEnd().split('\n')).to.have.length(5);
    writeFileSync(join(dir, 'gate'), gate!);
    writeFileSync(join(dir, 'send-order'), '#!/bin/sh\necho "sent $1 for $2 USD"\n');
    for (const name of ['gate', 'send-order']) chmodSync(join(dir, name), 0o700);
    const key = { PREFLIGHT_KEY_FILE: join(dir, 'wallet.key') };
    const slug = local.facts.exampleSlug;
    expect(await typed(`./gate ${slug} 5`, key)).to.deep.equal({
      exitCode: 0,
      stdout: `sent ${slug} for 5 USD\n`,
      stderr: '',
    });
    const closed = await typed('./gate did-arcadia-hold-a-referendum-in-2025 5', key);
    expect([closed.exitCode, closed.stdout, closed.stderr]).to.deep.equal([20, '', 'not sent: exit code 20\n']);
    const penniless = await typed(`./gate ${slug} 5`);
    expect([penniless.exitCode, penniless.stdout]).to.deep.equal([2, '']);
  });

  it('is what npm installs from the service, with the integrity that /agent.json names', async () => {
    const home = tempFolder('cli-installed');
    const npm = await runProgram('npm', ['install', '--no-audit', '--no-fund', `${local.facts.url}/client.tgz`], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(npm.exitCode, npm.stderr).to.equal(0);
    const { packages } = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
    const { client } = (await (await fetch(`${local.facts.url}/agent.json`)).json()) as {
      readonly client: { readonly install: string; readonly integrity: string };
    };
    expect(client.install).to.equal(`npm install ${local.facts.url}/client.tgz`);
    const installed = Object.values(packages as Record<string, { readonly integrity?: string }>);
    expect(installed.map(({ integrity }) => integrity)).to.include(client.integrity);
    const shown = await runProgram(join(home, 'node_modules/.bin/preflight'), ['status', '--url', local.facts.url], {
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(shown.exitCode, shown.stderr).to.be.oneOf([0, 10]);
  });

  it('serves MCP to an official client, paid by the key that it was started with', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...SHORT_LIVED, MAIN, 'mcp'],
      env: keyed(),
      stderr: 'pipe',
    });
    const client = await connectOver(transport, 'auto');
    expect((await client.tools()).map(({ name }) => name)).to.include.members(['preflight_trade', 'limits']);
    const { structuredContent } = await client.call({
      name: 'preflight_trade',
      arguments: { slug: local.facts.exampleSlug },
    });
    expect(structuredContent.paid.price_paid_usdc).to.equal('0.02');
    await client.close();
  });
});

/**
 * The lines of a session without what differs each time: figures, verdicts, reasons, and how many
 * levels are taken.
 */
function shapesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*[\d.…]+ +[\d.,]+ +[\d.,]+ |^(- | {2}\S|not filled)/.test(line))
    .map((line) =>
      line
        .replace(/^(OK|CAUTION|VETO) /, 'VERDICT ')
        .replaceAll(/[\dTZ.,:-]*\d[\dTZ.,:-]*/g, '#')
        .trim(),
    );
}
