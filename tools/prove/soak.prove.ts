import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { bytesToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { systemRandom } from '#adapters/process/system-random';
import type { StatusReport } from '#api/status';
import { freeLowPort } from '#local/free-low-port';
import { needAnvil } from '#test/local/support/chain-harness';
import { until } from '#test/support/live-verdicts';
import { type LocalProcess, newDataDir, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { readExposition } from '#test/support/metrics/exposition';
import { PAYING_CLIENTS } from '#test/support/paying-clients';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 30);
const CALLERS = 4;
const THINK_MS = 40;
const SAMPLE_MS = 5_000;
/** A code gives each wallet 500 credits: a caller goes on as another wallet before they end. */
const CALLS_OF_WALLET = 400;
const PAY_EVERY_CALLS = 50;
const GROWTH_MAX = 1.1;
/** What is kept for a time, like answers of keys, goes on growing for as long as that. */
const WARM_SHARE = 1 / 3;

interface Sample {
  readonly heapMb: number;
  /** Without the pages of mapped files: those of the store are as many as the machine has room for. */
  readonly memoryMb: number;
  readonly openFds: number;
}

/**
 * The local profile for half an hour under a mixed load (SOAK_MINUTES): what it holds at the end is
 * what it held when it was warm. The simulated venue and its history are in the same process. It
 * runs as a replica does: the queries of the tape take more with every trade that is recorded, up to
 * a limit of their own.
 */
describe(`${MINUTES} minutes of mixed calls`, function () {
  this.timeout(0);
  let local: LocalProcess;
  let metricsUrl: string;
  const samples: Sample[] = [];
  const statuses = new Map<number, number>();

  before(async function () {
    needAnvil(this);
    const port = await freeLowPort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    const dataDir = newDataDir();
    local = await startLocalProcess({ dataDir, env: { WALLET_JOBS: 'on' } });
    const status = async () => (await (await fetch(`${local.facts.url}/status.json`)).json()) as StatusReport;
    await until('a board is in force', async () => (await status()).ratings.data_through !== null);
    await local.end('SIGTERM');
    local = await startLocalProcess({ dataDir, env: { METRICS_PORT: String(port) } });
  });
  after(() => local?.end('SIGKILL'));

  it('leave memory and open files as they were', async () => {
    const endsAtMs = Date.now() + MINUTES * 60_000;
    const callers = Array.from({ length: CALLERS }, (_, index) => call(index, endsAtMs));
    while (Date.now() < endsAtMs) {
      await sleep(SAMPLE_MS);
      samples.push(await sample());
      if (samples.length % 12 === 0) report();
    }
    await Promise.all(callers);
    report();
    expect([...statuses.keys()]).to.have.members([200]);
    const warm = samples.slice(Math.floor(samples.length * WARM_SHARE));
    const [early, late] = [warm.slice(0, warm.length / 2), warm.slice(warm.length / 2)];
    // The lowest: right after a collection. What is used once and given back late makes no growth.
    for (const name of ['heapMb', 'memoryMb', 'openFds'] as const) {
      const [before, after] = [early, late].map((samples) => Math.min(...samples.map((one) => one[name])));
      expect(after, `${name}, from ${before} on`).to.be.below(before! * GROWTH_MAX);
    }
  });

  async function call(index: number, endsAtMs: number): Promise<void> {
    const { url, exampleSlug, exampleWallets, demoWallet } = local.facts;
    const trade = `${url}/api/preflight_trade?slug=${exampleSlug}`;
    const paths = [trade, `${trade}&plan=1`, `${trade}&evidence=1`, `${url}/status.json`, `${url}/api/leaderboard`];
    const account = privateKeyToAccount(demoWallet.privateKey);
    let token = '';
    for (let count = 0; Date.now() < endsAtMs; count++) {
      if (count % CALLS_OF_WALLET === 0) token = await redeemLocal(local.facts, bytesToHex(systemRandom.bytes(20)));
      const key = `soak-${index}-${count}`;
      const authorization = { authorization: `Bearer ${token}` };
      note(await statusOf(paths[count % paths.length]!, { ...authorization, 'idempotency-key': key }));
      if (count % PAY_EVERY_CALLS === index) {
        note((await PAYING_CLIENTS[0]!.buy(account, { url: trade })).answer.status);
        note(await statusOf(`${url}/api/preflight_copy?wallet=${exampleWallets.skilled}`, authorization));
      }
      await sleep(THINK_MS);
    }
  }

  function note(status: number): void {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  async function sample(): Promise<Sample> {
    const text = await (await fetch(metricsUrl)).text();
    const found = readExposition(text).flatMap((family) => family.samples);
    const sampled = (name: string) => found.find((one) => one.name === name)!.value;
    return {
      heapMb: sampled('nodejs_heap_size_used_bytes') / 1e6,
      memoryMb: anonymousMb(local.pid) ?? sampled('process_resident_memory_bytes') / 1e6,
      openFds: sampled('process_open_fds'),
    };
  }

  function report(): void {
    const { heapMb, memoryMb, openFds } = samples.at(-1)!;
    const answered = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
    process.stderr.write(
      `  soak: ${answered}; heap ${heapMb.toFixed(0)} MB, memory ${memoryMb.toFixed(0)} MB, ${openFds} files\n`,
    );
  }
});

/** Returns null where the system does not tell them apart. */
function anonymousMb(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  const [, kb] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return kb === undefined ? null : Number(kb) / 1e3;
}

async function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { headers });
  await answer.text();
  return answer.status;
}
