import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { OrderVerdictSchema } from '#api/order-verdict';
import { PRICES } from '#api/prices';
import { findPostgres } from '#local/postgres/find-postgres';
import { needAnvil } from '#test/local/support/chain-harness';
import { connectOver } from '#test/server/mcp/support/mcp-clients';
import { until } from '#test/support/live-verdicts';
import { type LocalMoney, moneyOf } from '#test/support/local-money';
import { type LocalFacts, type LocalProcess, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { SHORT_LIVED } from '#test/support/short-lived';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { rollUnderLoad } from './support/rolling.js';

const run = promisify(execFile);
const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

describe('npm run cluster', function () {
  this.timeout(PROCESS_TEST_MS);
  let cluster: LocalProcess;
  let money: LocalMoney;

  before(async function () {
    needAnvil(this);
    const found = findPostgres();
    if (found.kind === 'absent') skipLoudly(this, found.why);
    cluster = await startLocalProcess({ script: 'dist/bundle/service/cluster.js' });
    money = moneyOf(cluster);
  });
  after(() => cluster?.end('SIGTERM'));

  const facts = (): LocalFacts => JSON.parse(readFileSync(join(cluster.dataDir, 'local.json'), 'utf8'));
  const replica = (id: string) => facts().replicas!.find((each) => each.id === id)!;
  const verdictPath = () => `/api/preflight_trade?slug=${cluster.facts.exampleSlug}&usd=250`;
  const balanceOf = async (token: string, url = cluster.facts.url) => {
    const answer = await fetch(`${url}/api/credits`, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { balance: number }).balance;
  };

  it('shows what npm start shows, and which replicas there are', () => {
    const commands = cluster.output().match(/^ {2}(TOKEN=|curl ).*$/gm) ?? [];
    expect(commands).to.have.length(6);
    expect(cluster.output()).to.include('LOCAL SIMULATION');
    const { url, replicas } = facts();
    expect(url).to.equal(`http://127.0.0.1:${cluster.port}`);
    expect(replicas!.map(({ id }) => id)).to.deep.equal(['a', 'b', 'c']);
    for (const { id, url: own, pid } of replicas!) expect(cluster.output()).to.include(`  ${id}  ${own}  pid ${pid}\n`);
    expect(statSync(join(cluster.dataDir, 'local.json')).mode & 0o077).to.equal(0);
  });

  it('is one service to clients of MCP: its calls go to all replicas, and each counts once', async () => {
    const token = await redeemLocal(cluster.facts, wallet(1));
    const served: (string | null)[] = [];
    const watched: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      served.push(answer.headers.get('x-served-by'));
      return answer;
    };
    const headers = { authorization: `Bearer ${token}` };
    const endpoint = new URL(`${cluster.facts.url}/mcp`);
    const transport = new StreamableHTTPClientTransport(endpoint, { requestInit: { headers }, fetch: watched });
    const client = await connectOver(transport, 'auto');
    const slug = cluster.facts.exampleSlug;
    for (let n = 1; n <= 3; n++) {
      const { structuredContent } = await client.call({ name: 'preflight_trade', arguments: { slug, usd: n } });
      expect(OrderVerdictSchema.parse(structuredContent).paid).to.deep.include({ credits_remaining: 500 - n });
    }
    await client.close();
    expect(new Set(served)).to.deep.equal(new Set(['a', 'b', 'c']));
    for (const { url } of facts().replicas!) expect(await balanceOf(token, url)).to.equal(497);
  });

  it('charges an Idempotency-Key once that goes to all replicas at the same time', async () => {
    const token = await redeemLocal(cluster.facts, wallet(2));
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'order-1' };
    const answers = await Promise.all(
      facts().replicas!.map(async ({ url }) => (await fetch(url + verdictPath(), { headers })).text()),
    );
    expect(new Set(answers).size).to.equal(1);
    expect(await balanceOf(token)).to.equal(499);
  });

  it('gives the same bytes at the others when the replica that was paid is killed, and takes nothing again', async () => {
    const { address } = cluster.facts.demoWallet;
    const [before, { pid }] = [await money.balanceOf(address), replica('a')];
    const env = { PATH: process.env.PATH, DATA_DIR: cluster.dataDir };
    const { stdout } = await run(
      process.execPath,
      [...SHORT_LIVED, join(ROOT, 'dist/bundle/service/cluster-demo.js')],
      { env },
    );
    const calls = stdout.match(/^MCP call \d: replica [abc], (OK|CAUTION|VETO), \d+ credits left$/gm) ?? [];
    expect(calls.map((line) => Number(/(\d+) credits/.exec(line)![1]))).to.deep.equal([499, 498, 497, 496, 495, 494]);
    expect(stdout).to.match(/^paid at replica a: 200, \d+ bytes, transaction 0x[0-9a-f]{64}$/m);
    expect(stdout).to.include(`kill -9 ${pid}: replica a is gone\n`);
    for (const id of ['b', 'c']) expect(stdout).to.include(`the same payment at replica ${id}: 200, the same bytes\n`);
    expect(await money.balanceOf(address)).to.equal(before - PRICES.preflight_trade.amountMicros);
    await until('it is up again', () => replica('a')?.pid !== undefined && replica('a').pid !== pid);
    const died = `preflight: replica a (pid ${pid}) ended by SIGKILL: the others go on, and it is started again\n`;
    expect(cluster.output()).to.include(died);
  });

  it('is restarted one replica after the other while it is used: no call fails, and each counts once', async () => {
    const report = await rollUnderLoad({ cluster, money, callers: { credits: 2, payers: 1 }, rolls: 1 });
    const { credits, payments } = report;
    expect(report.wrong).to.deep.equal([]);
    expect(credits.charged).to.equal(credits.answered);
    expect(payments.settled).to.equal(payments.answered).and.be.above(0);
    expect(payments.chargedMicros).to.equal(BigInt(payments.answered) * PRICES.preflight_trade.amountMicros);
    expect(Object.keys(report.served).toSorted()).to.deep.equal(['a', 'b', 'c']);
  });
});
