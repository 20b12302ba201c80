import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { clientSystem } from '#client/system';
import { ManualClock } from '#test/support/manual-clock';
import { runProgram } from '#test/support/run-program';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { answer, startHostileServer, type Trick } from '../support/hostile-server.js';
import { CATEGORIES, OTHERS } from '../support/tricks.js';
import { runInProcess } from './support/test-world.js';

const MAIN = fileURLToPath(new URL('../../../src/client/cli/main.js', import.meta.url));
/** One of each way in which a command ends. */
const TRICKS = ['recipient_redirect', 'prose_payment', 'a drop after the payment', 'a redirect after the payment'];
const DAY_MS = 24 * 3_600_000;

describe('secrets of the command line', function () {
  this.timeout(PROCESS_TEST_MS);
  const realFetch = globalThis.fetch;
  const key = generatePrivateKey();
  const token = `tk_${privateKeyToAddress(key)}_c0ffee5ecret0f0ne70ken`;
  let dir: string;
  beforeEach(() => {
    dir = tempFolder('cli-secrets');
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  const filesIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${name}: ${readFileSync(join(parentPath, name), 'utf8')}`)
      .join('\n');

  it('are in nothing that it prints and in no file that it leaves, whatever a service does', async () => {
    const signatures = new Set<string>();
    globalThis.fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      const paid = headers.get('payment-signature') ?? headers.get('x-payment');
      if (paid !== null) signatures.add(JSON.parse(atob(paid)).payload.signature.slice(2));
      return realFetch(url, init);
    };
    const clock = new ManualClock(Date.now());
    const sleep = async () => clock.advance(30_000);
    const system = { ...clientSystem, clock, timers: { ...clientSystem.timers, sleep } };
    const home = join(dir, 'home');
    const printed: string[] = [];
    const run = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const { stdout, stderr } = await runInProcess(args, { env: { ...env, PREFLIGHT_HOME: home }, system });
      printed.push(stdout, stderr);
    };
    const honest: Trick = { paid: (response) => answer(response, 'v2', { ok: true, verdict: 'OK' }) };
    const tricks = [...CATEGORIES, ...OTHERS].filter(({ name }) => TRICKS.includes(name));
    expect(tricks).to.have.length(TRICKS.length);
    const payers = [{ PREFLIGHT_PRIVATE_KEY: key }, { PREFLIGHT_TOKEN: token }];
    for (const trick of [honest, ...tricks]) {
      const server = await startHostileServer(trick, 'v2');
      for (const payer of payers) {
        await run(['verdict', 'a'], { ...payer, PREFLIGHT_URL: server.url });
        await run(['limits'], payer);
        await run(['limits', '--json'], payer);
      }
      clock.advance(DAY_MS);
      // What was left open is looked at once more, and is over by now.
      await server.close();
      for (const payer of payers) await run(['verdict', 'a', '--json'], { ...payer, PREFLIGHT_URL: server.url });
      clock.advance(DAY_MS);
    }
    await run(['buy', '--yes', '--nonsense'], { PREFLIGHT_PRIVATE_KEY: key });
    await run(['verdict', key], { PREFLIGHT_TOKEN: token });
    expect(signatures.size).to.equal(4);
    expect(printed.join('')).to.include('may be charged until').and.to.include('charged: not known yet');
    const files = filesIn(home);
    expect(files).to.include('"outcome":"answered"').and.to.include('"outcome":"expired"');
    for (const secret of [key.slice(2), token.split('_')[2]!, ...signatures]) {
      expect(printed.join('')).to.not.include(secret);
      expect(files).to.not.include(secret);
    }
  });

  it('are not shown by a terminal when they are typed at the prompt, however early', async function () {
    if (spawnSync('script', ['--version']).status !== 0) skipLoudly(this, 'script of util-linux is not installed');
    const command = [process.execPath, ...SHORT_LIVED, MAIN, 'limits', '--key-file', '-'].join(' ');
    const env = { PATH: process.env.PATH, PREFLIGHT_HOME: join(dir, 'home') };
    const child = spawn('script', ['-qfec', command, '/dev/null'], { env });
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
      if (shown.endsWith('(it is not shown): ')) child.stdin.write(`${key}\r`);
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(shown)
      .to.include(`payer ${privateKeyToAddress(key).toLowerCase()}`)
      .and.to.not.include(key.slice(2));
  });

  it('are in no text of a crash: neither on stderr nor in the report of Node', async () => {
    const crash = join(dir, 'crash.mjs');
    const isPaying = join(dir, 'is-paying');
    const server = await startHostileServer({ paid: () => writeFileSync(isPaying, '') }, 'v2');
    // Breaks the process in the middle of a payment.
    writeFileSync(
      crash,
      `import { existsSync } from 'node:fs';
      setInterval(() => { if (existsSync(${JSON.stringify(isPaying)})) throw new Error('broken in the middle') }, 20);`,
    );
    const report = ['--report-uncaught-exception', `--report-directory=${dir}`, '--import', crash];
    const args = [...SHORT_LIVED, ...report, MAIN, 'verdict', 'a', '--url', server.url];
    const env = { PATH: process.env.PATH, PREFLIGHT_HOME: join(dir, 'home'), PREFLIGHT_PRIVATE_KEY: key };
    const { stderr } = await runProgram(process.execPath, args, { env });
    await server.close();
    expect(stderr).to.include('broken in the middle');
    const [name] = readdirSync(dir).filter((file) => file.startsWith('report.'));
    const text = readFileSync(join(dir, name!), 'utf8');
    expect(text).to.include('"environmentVariables"').and.to.include('PREFLIGHT_HOME');
    for (const said of [stderr, text]) expect(said).to.not.include(key.slice(2));
  });
});
