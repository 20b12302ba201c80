import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { needPython, PythonWorld } from './clients/python/support/python-world.js';
import { needAnvil } from './local/support/chain-harness.js';
import { type LocalProcess, redeemLocal, startLocalProcess } from './support/local-process.js';
import { type Run, runProgram } from './support/run-program.js';
import { markdownPages, ROOT } from './support/source-tree.js';
import { tempFolder } from './support/temp-folder.js';
import { PROCESS_TEST_MS } from './support/time-limits.js';

/** A fenced block of a page, as it is printed. */
interface Block {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

const FENCE = /^( *)```(\w*)\n(.*?)^ *```/gms;
const BLOCKS: readonly Block[] = markdownPages()
  .filter(({ path }) => path !== 'CHANGELOG.md')
  .flatMap(({ path, text }) =>
    [...text.matchAll(FENCE)].map(([, indent = '', language = '', body = '']) => ({
      path,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    })),
  );
const PROGRAMS = ['ts', 'js', 'python'];
const NODE_PROGRAMS = ['ts', 'js'];
const SHOWN = 'a picture, or what a program prints or takes';

/** Who runs the other blocks: by page and a part of the block, the file that does, or why none. */
const RUN_BY: readonly (readonly [path: string, part: string, by: string])[] = [
  ['AGENTS.md', 'npm run test:fast', '.ci/run'],
  ['CONTRIBUTING.md', 'freezeSocket', 'test/printed-blocks.test.ts'],
  ['README.md', 'npm install && npm start', 'tools/first-minutes/main.ts'],
  ['README.md', '$ preflight redeem', 'test/client/cli/local.test.ts'],
  ['README.md', 'npm run --silent pay', 'test/printed-blocks.test.ts'],
  ['docs/agents.md', 'claude mcp add', 'test/server/discovery/skill.test.ts'],
  ['docs/agents.md', '"mcpServers"', 'test/server/discovery/skill.test.ts'],
  ['docs/agents.md', '"servers"', 'test/server/discovery/skill.test.ts'],
  ['docs/agents.md', '[mcp_servers.preflight]', 'test/server/discovery/skill.test.ts'],
  ['docs/architecture.md', 'venue WebSocket', SHOWN],
  ['docs/client.md', '#!/bin/sh', 'test/client/cli/local.test.ts'],
  ['docs/client.md', '"mcpServers"', 'test/client/cli/local.test.ts'],
  ['docs/history.md', 'ratings backtest', 'test/server/cli/operate/page-commands.test.ts'],
  ['docs/history.md', 'COPY on all dates together', SHOWN],
  ['docs/interface-paying.md', 'issues a new token', SHOWN],
  ['docs/operate.md', 'npm ci && npm run build:prod', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'deploy/.env.example', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'main.cjs --check', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'systemctl', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'venue check', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'admin backup', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'evidence rotate', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'store init', 'tools/prove/operate/word-by-word.ts'],
  ['docs/operate.md', 'npm run cluster', 'test/local/cluster/cluster.test.ts'],
  ['docs/operate.md', 'cluster:demo', 'test/local/cluster/cluster.test.ts'],
  ['docs/operate.md', 'store migrate', 'test/server/cli/store/migrate.test.ts'],
  ['docs/operate.md', 'store copy', 'test/server/cli/store/copy.test.ts'],
  ['docs/operate.md', 'tape status', 'tools/prove/operate/incidents/board-late.ts'],
  ['docs/operate.md', 'tape backfill', 'tools/prove/operate/incidents/board-late.ts'],
  ['docs/operate.md', 'store check', 'tools/prove/operate/incidents/store-down.ts'],
  ['docs/payments.md', 'CLAIMING', SHOWN],
  ['src/client/package/about.in.md', 'npm install https:', 'test/client/cli/local.test.ts'],
  ['src/local/README.md', '$FACILITATOR/faults', 'test/printed-blocks.test.ts'],
  ['src/server/adapters/tape/README.md', 'tape backfill', 'test/server/cli/operate/page-commands.test.ts'],
  ['tools/bench/README.md', 'npm run bench', 'test/pages.test.ts'],
];

describe('blocks that pages print', () => {
  const others = BLOCKS.filter(({ language }) => !PROGRAMS.includes(language));
  const isOf = ({ path, text }: Block, [page, part]: (typeof RUN_BY)[number]) => path === page && text.includes(part);

  it('are each run by something, or shown', () => {
    const unknown = others.filter((block) => !RUN_BY.some((row) => isOf(block, row)));
    expect(unknown.map(({ path, text }) => `${path}: ${text.split('\n')[0]}`)).to.deep.equal([]);
    expect(RUN_BY.filter((row) => !others.some((block) => isOf(block, row)))).to.deep.equal([]);
    expect(RUN_BY.filter(([, , by]) => by !== SHOWN && !existsSync(join(ROOT, by)))).to.deep.equal([]);
  });
});

/** What a reader of the TypeScript blocks has: the names that they do not make themselves. */
const PRELUDE = `
import { Chain, ClobClient } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
const { BASE_URL: baseUrl, TOKEN: token, KEY: key, SLUG: slug } = process.env;
const account = privateKeyToAccount(key);
const [host, chain] = [baseUrl, Chain.POLYGON];
const signer = createWalletClient({ account, chain: polygon, transport: http(baseUrl) });
const creds = { key: '00000000-0000-4000-8000-000000000001', secret: 'c2VjcmV0', passphrase: 'pass' };
const order = { slug };
const send = () => console.log('sent');
`;
describe('programs that pages print', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let token: string;
  before(async function () {
    needAnvil(this);
    local = await startLocalProcess();
    token = await redeemLocal(local.facts, `0x${'77'.repeat(20)}`);
  });
  after(() => local?.end('SIGKILL'));

  const { name } = JSON.parse(readFileSync(join(ROOT, 'src/client/package/package.json'), 'utf8')) as { name: string };
  const environment = (dir: string) => ({
    PATH: process.env.PATH,
    HOME: dir,
    PREFLIGHT_HOME: join(dir, 'state'),
    PREFLIGHT_TOKEN: token,
    BASE_URL: local.facts.url,
    TOKEN: token,
    KEY: local.facts.demoWallet.privateKey,
    SLUG: local.facts.exampleSlug,
  });

  /** A folder where the package is installed, and a checkout is beside it. */
  function folder(): string {
    const dir = tempFolder('printed');
    const link = (at: string, to: string) => {
      mkdirSync(dirname(join(dir, at)), { recursive: true });
      symlinkSync(to, join(dir, at));
    };
    link(`node_modules/${name}`, join(ROOT, 'dist/client'));
    for (const one of ['@polymarket', 'viem']) link(`node_modules/${one}`, join(ROOT, 'node_modules', one));
    mkdirSync(join(dir, 'src/client/node'), { recursive: true });
    writeFileSync(join(dir, 'src/client/node/index.js'), `export * from '${name}';\n`);
    return dir;
  }

  async function ran({ text }: Block): Promise<Run> {
    const dir = folder();
    const own = text.replaceAll('PACKAGE_NAME', name);
    // What a block takes for granted, unless it makes it itself.
    const given = [
      /\bguard\b/.test(own) && !/import \{ guard \}/.test(own) ? `import { guard } from '${name}/guard';` : '',
      /import \{ Preflight \}/.test(own) ? '' : `import { Preflight } from '${name}';`,
      /const preflight =/.test(own) ? '' : 'const preflight = new Preflight({ baseUrl, token });',
    ].join('\n');
    writeFileSync(join(dir, 'program.mjs'), `${PRELUDE}${given}\n${own}\nconsole.log('ran');\nprocess.exit(0);\n`);
    return runProgram(process.execPath, [join(dir, 'program.mjs')], { cwd: dir, env: environment(dir) });
  }

  for (const block of BLOCKS.filter(({ language }) => NODE_PROGRAMS.includes(language))) {
    it(`run as they are printed: ${block.path}, ${block.text.trim().split('\n').at(-1)!.slice(0, 60)}`, async () => {
      const { exitCode, stdout, stderr } = await ran(block);
      expect(stdout, stderr).to.match(/ran/);
      expect(exitCode, stderr).to.equal(0);
    });
  }

  const typed = (script: string) =>
    runProgram('bash', ['--norc', '--noprofile', '-ec', script], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: local.dataDir },
    });
  const printedIn = (path: string, part: string) =>
    BLOCKS.find((block) => block.path === path && block.text.includes(part))!.text;

  it('pay a call with the official client, as README shows', async () => {
    const printed = printedIn('README.md', 'npm run --silent pay');
    const { exitCode, stdout, stderr } = await typed(/^\$ (.*)$/m.exec(printed)![1]!);
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    const shape = (line: string) => line.replaceAll(/\d+(?:\.\d+)?/g, '#');
    expect(shape(stdout.trim().split('\n').at(-1)!)).to.equal(shape(printed.trim().split('\n').at(-1)!));
  });

  it('let the local venue and its facilitator misbehave', async () => {
    const { controlUrl } = local.facts.venue;
    const freeze = printedIn('CONTRIBUTING.md', 'freezeSocket').replace(
      'data/local.json',
      join(local.dataDir, 'local.json'),
    );
    expect(await typed(freeze)).to.include({ exitCode: 0, stderr: '' });
    const cleared = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"clear":true}' };
    expect((await fetch(`${controlUrl}/faults`, cleared)).status).to.equal(200);
    const { facilitator } = JSON.parse(readFileSync(join(local.dataDir, 'local.json'), 'utf8'));
    const plan = printedIn('src/local/README.md', '$FACILITATOR/faults');
    const planned = await typed(`FACILITATOR=${facilitator.controlUrl}\n${plan}`);
    expect([planned.exitCode, JSON.parse(planned.stdout)], planned.stdout).to.have.nested.property('[0]', 0);
  });
});

describe('Python programs that pages print', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: PythonWorld;
  before(async function () {
    needPython(this);
    world = await PythonWorld.start();
  });
  after(() => world?.stop());

  for (const block of BLOCKS.filter(({ language }) => language === 'python')) {
    it(`run as they are printed: ${block.path}`, async () => {
      const { stdout, stderr } = await world.runPrinted(
        block.text,
        'will-ada-marlowe-win-the-arcadia-presidential-election',
      );
      expect(stdout + stderr).to.match(/^ran$/m);
    });
  }
});
