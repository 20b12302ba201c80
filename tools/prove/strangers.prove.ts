import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { toTable } from '#test/payments/matrix/table';
import { type LocalProcess, newDataDir, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { percentile } from '#tools/bench/support/rounds';

const CHILD = fileURLToPath(new URL('./support/stranger-child.js', import.meta.url));
const CONNECTIONS = 500;
/**
 * Each connection asks again so long after its last request, or when it was answered: 50 times a
 * second together.
 */
const STRANGER_INTERVAL_MS = 10_000;
const HONEST = 20;
/** A look-up of what is not known yet takes four of these. */
const VENUE_MS = 400;
const ROUNDS = 3;
const ROUND_MS = 15_000;
const RATIO_MAX = 2;
/** Between two requests of one honest caller. */
const THINK_MS = 500;
/** What takes longer is not answered at all. */
const ANSWER_MS_MAX = 30_000;

describe('500 connections without money beside 20 honest callers', () => {
  let local: LocalProcess;
  let tokens: string[];
  let requested = 0;

  before(async function () {
    needAnvil(this);
    // Behind a proxy, so that each caller has an address of its own.
    local = await startLocalProcess({ dataDir: newDataDir(), env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const wallets = Array.from({ length: HONEST }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`);
    tokens = await Promise.all(wallets.map((wallet) => redeemLocal(local.facts, wallet)));
    const command = { restSlowMs: { gamma: VENUE_MS, clob: VENUE_MS } };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(command);
    const answer = await fetch(`${local.facts.venue.controlUrl}/faults`, { method: 'POST', headers, body });
    expect(answer.status).to.equal(200);
  });
  after(() => local?.end('SIGKILL'));

  /**
   * Honest callers ask for markets that nobody looked up before: each costs four questions to the
   * venue.
   */
  async function honest(): Promise<{ readonly tookMs: Float64Array; readonly wrong: readonly string[] }> {
    const tookMs: number[] = [];
    const wrong: string[] = [];
    const endsAtMs = performance.now() + ROUND_MS;
    async function caller(token: string, n: number): Promise<void> {
      while (performance.now() < endsAtMs) {
        const startedMs = performance.now();
        const url = `${local.facts.url}/api/preflight_trade?slug=honest-${++requested}`;
        const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `203.0.113.${n + 1}` };
        const said = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_MS_MAX) }).then(
          async (answer) => `${answer.status} ${await answer.text()}`,
          String,
        );
        tookMs.push(performance.now() - startedMs);
        if (!/^400 .*unknown_market/.test(said)) wrong.push(said);
        await sleep(THINK_MS);
      }
    }
    await Promise.all(tokens.map(caller));
    return { tookMs: Float64Array.from(tookMs).sort(), wrong };
  }

  async function besideStrangers<T>(act: () => Promise<T>): Promise<T> {
    const { url, payee, exampleSlug } = local.facts;
    const shop = JSON.stringify({ url, payee, exampleSlug });
    const args = ['--enable-source-maps', CHILD, shop, String(CONNECTIONS), String(STRANGER_INTERVAL_MS)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let received = '';
    child.stdout.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    try {
      await sleep(STRANGER_INTERVAL_MS);
      return await act();
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
      console.log(`        strangers were answered ${received}`);
    }
  }

  /**
   * A machine that is busy with something else makes a round slower and never faster: the fastest
   * rounds are compared.
   */
  it('honest callers wait at most twice as long as alone at the 99th percentile, and get no 5xx', async () => {
    await honest();
    const rows: number[][] = [];
    const aloneMs: number[] = [];
    const besideMs: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const alone = await honest();
      const beside = await besideStrangers(honest);
      aloneMs.push(percentile(alone.tookMs, 0.99));
      if (beside.wrong.length === 0) besideMs.push(percentile(beside.tookMs, 0.99));
      const figures = [alone, beside].flatMap(({ tookMs, wrong }) => [
        Math.round(percentile(tookMs, 0.5)),
        Math.round(percentile(tookMs, 0.99)),
        wrong.length,
      ]);
      rows.push([round, ...figures]);
    }
    const columns = ['p50 ms', 'p99 ms', 'wrong'];
    const head = ['round', ...columns.map((name) => `alone ${name}`), ...columns];
    console.log(toTable([head, ...rows.map((row) => row.map(String))]));
    expect(Math.min(...besideMs) / Math.min(...aloneMs)).to.be.at.most(RATIO_MAX);
  });
});
