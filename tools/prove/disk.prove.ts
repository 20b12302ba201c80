import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lmdbPath } from '#adapters/lmdb/money/store';
import { openCredits } from '#compose/credits';
import { type LocalFacilitator, startLocalFacilitator } from '#local/chain/local-facilitator';
import { checkStore } from '#services/integrity/check';
import { SILENCE_MS_MAX } from '#services/payments/payment-run';
import { walletNumber } from '#test/contract/support/wallet-number';
import { needAnvil } from '#test/local/support/chain-harness';
import { PAID_OPERATIONS } from '#test/payments/matrix/cells';
import { ask } from '#test/payments/matrix/payer';
import { until } from '#test/support/live-verdicts';
import { makeDisk, type OwnDisk } from '#test/support/own-disk';
import { PaymentWorld } from '#test/support/payment-world';
import { type ServiceProcess, startServiceProcess } from '#test/support/service-process';
import { skipLoudly } from '#test/support/skipped';
import { ROOT } from '#test/support/source-tree';
import { Callers, DOORS, type Door, type Seen } from './disk/callers.js';

const SERVICE = join(ROOT, 'dist/bundle/service/main.cjs');
const PAGE = join(ROOT, 'tools/prove/measured.md');
/** The table goes on from here to the next empty line. */
const HEAD = `| The disk | ${DOORS.join(' | ')} | then |`;
const CREDITS = 2_000;
const WALLET = walletNumber(7);
const CODE = 'DISK-1';
const PAYMENTS = 30;
/** A test that fails must not leave the disk frozen. */
const THAW_AFTER_S = 60;
/** docs/reliability.md, "Degradation". */
const ANSWER_MS_MAX = 4_000;
/** A payment that was sent when the room ended is waited for. */
const LIMIT_MS: Partial<Record<Door, number>> = { '/healthz': 1_000, x402: SILENCE_MS_MAX + 1_500 };
const WELL_AGAIN_MS_MAX = 15_000;

/** How a disk fails, and what ends that. */
interface Fault {
  readonly name: string;
  readonly ms: number;
  readonly begin: (at: { readonly disk: OwnDisk; readonly path: string; readonly pid: number }) => () => unknown;
  /** Whether the service ends by itself, and starts anew. */
  readonly endsIt: boolean;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'does not answer for 14 s',
    ms: 14_000,
    endsIt: false,
    begin({ disk }) {
      disk.freeze();
      // By another process: this one waits with all others if it touches the disk.
      const late = spawn('sh', ['-c', `sleep ${THAW_AFTER_S}; fsfreeze --unfreeze ${disk.path}`], { detached: true });
      return () => {
        process.kill(-late.pid!, 'SIGKILL');
        disk.thaw();
      };
    },
  },
  {
    name: 'is full for 8 s',
    ms: 8_000,
    endsIt: false,
    begin({ disk }) {
      disk.fill();
      return () => disk.empty();
    },
  },
  { name: 'fails to write and to sync (EIO)', ms: 5_000, endsIt: true, begin: ({ path, pid }) => inject(pid, path) },
  {
    name: 'has another file in the place of the store',
    ms: 3_000,
    endsIt: true,
    begin({ path }) {
      const aside = `${path}.aside`;
      copyFileSync(path, `${path}.new`);
      renameSync(path, aside);
      renameSync(`${path}.new`, path);
      return () => {
        unlinkSync(path);
        renameSync(aside, path);
      };
    },
  },
  {
    name: 'has the store no more',
    ms: 3_000,
    endsIt: true,
    begin({ path }) {
      renameSync(path, `${path}.aside`);
      return () => renameSync(`${path}.aside`, path);
    },
  },
];

/** Lets the system calls that change the file fail, for a process that runs. */
function inject(pid: number, path: string): () => unknown {
  const calls = 'pwrite64,pwritev,writev,fdatasync,fsync';
  const options = ['-qq', '-f', '-p', String(pid), '-P', path, '-e', `trace=${calls}`, '-o', '/dev/null'];
  const tracer = spawn('strace', [...options, '-e', `inject=${calls}:error=EIO`], { stdio: 'ignore' });
  return async () => {
    if (tracer.exitCode !== null || tracer.signalCode !== null) return;
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
  };
}

describe('a service whose disk fails', function () {
  this.timeout(5 * 60_000);
  let world: PaymentWorld;
  let facilitator: LocalFacilitator;
  let disk: OwnDisk;
  const rows = new Map<Fault, string>();

  before(async function () {
    needAnvil(this);
    try {
      disk = makeDisk();
    } catch {
      skipLoudly(this, 'a disk of its own can be mounted and frozen by root on Linux alone');
    }
    world = await PaymentWorld.start();
    facilitator = await startLocalFacilitator({ chain: world.chain });
  });
  after(async () => {
    await facilitator?.stop();
    await world?.stop();
    disk?.unmount();
    if (FAULTS.every((fault) => rows.has(fault))) writeTable();
  });

  for (const [at, fault] of FAULTS.entries()) {
    it(`which ${fault.name}`, async () => {
      const dataDir = join(disk.path, `data-${at}`);
      mkdirSync(dataDir);
      const opened = openCredits(dataDir);
      await opened.credits.createPromo({ code: CODE, credits: CREDITS, walletsMax: 9, days: 30 });
      const redeemed = await opened.credits.redeem(CODE, WALLET);
      await opened.store.close();
      if (redeemed.kind !== 'redeemed') throw new Error(redeemed.kind);
      let service = await start(dataDir);
      const callers = new Callers(service.url!, redeemed.token);
      await callers.sign(world, PAYMENTS);
      // A first call pays for what the process has not done before.
      await callers.warm();
      const end = fault.begin({ disk, path: lmdbPath(dataDir), pid: service.pid });
      await callers.callUntil(Promise.race([sleep(fault.ms), fault.endsIt ? service.gone : sleep(fault.ms)]));
      const how = fault.endsIt ? await Promise.race([service.gone, sleep(fault.ms, 'lives')]) : 'lives';
      await end();
      const words = service.output();
      if (how !== 'lives') service = await start(dataDir);
      const fromMs = performance.now();
      await until('it is well', async () => (await health(service)) === 200, WELL_AGAIN_MS_MAX);
      const wellInS = ((performance.now() - fromMs) / 1_000).toFixed(1);
      try {
        await expectCharged(callers, service);
      } finally {
        await service.kill();
      }
      await expectSound(dataDir, callers);
      rmSync(dataDir, { recursive: true });
      const then =
        how === 'lives'
          ? `well ${wellInS} s after it`
          : `ended (${how}): "${lastWords(words).replaceAll(dataDir, 'DATA_DIR')}"`;
      for (const door of DOORS) {
        const slowest = Math.max(...callers.seen.get(door)!.map(({ ms }) => ms));
        expect(slowest, door).to.be.at.most(LIMIT_MS[door] ?? ANSWER_MS_MAX);
      }
      rows.set(
        fault,
        `| ${fault.name} | ${DOORS.map((door) => shown(callers.seen.get(door)!)).join(' | ')} | ${then} |`,
      );
      console.log(rows.get(fault));
    });
  }

  function start(dataDir: string): Promise<ServiceProcess> {
    return startServiceProcess(SERVICE, { env: world.serviceEnv(dataDir, [facilitator.url]) });
  }

  async function health({ url }: ServiceProcess): Promise<number | 'cut'> {
    return (await ask(url!, { method: 'GET', path: '/healthz' })).status;
  }

  /** Every call is repeated: what was answered has the same bytes, and what was not is answered now. */
  async function expectCharged({ debits, payments }: Callers, { url }: ServiceProcess): Promise<void> {
    for (const { call, answer } of debits) {
      const again = await ask(url!, call);
      expect(again.status, again.body).to.equal(200);
      if (answer.status === 200 && answer.body !== '') expect(again.body).to.equal(answer.body);
    }
    for (const { call, answer, account } of payments) {
      let again = await ask(url!, call);
      for (let tries = 0; again.status === 500 && tries < 10; tries++) {
        await sleep(500);
        again = await ask(url!, call);
      }
      if (answer.status === 200) expect(again.body).to.equal(answer.body);
      const sent = (await world.transfersFrom(account.address)).map(({ micros }) => micros);
      expect(sent, `${answer.status}, then ${again.status} ${again.body}`).to.deep.equal(
        again.status === 200 ? [PAID_OPERATIONS[0]!.priceMicros] : [],
      );
    }
  }

  async function expectSound(dataDir: string, { debits }: Callers): Promise<void> {
    const { store } = openCredits(dataDir);
    const { faults } = await checkStore({ store, ratings: null }, () => undefined);
    const lots = (await store.account(WALLET))!.lots;
    await store.close();
    expect(faults).to.deep.equal([]);
    expect(lots.reduce((sum, { remaining }) => sum + remaining, 0)).to.equal(CREDITS - debits.length);
  }

  function writeTable(): void {
    const table = [HEAD, `|${' --- |'.repeat(DOORS.length + 2)}`, ...rows.values()].join('\n');
    const page = readFileSync(PAGE, 'utf8');
    const from = page.indexOf(HEAD);
    expect(from, 'the table of tools/prove/measured.md').to.be.at.least(0);
    writeFileSync(PAGE, page.slice(0, from) + table + page.slice(page.indexOf('\n\n', from)));
  }
});

/** How many of which status, and how long the slowest took. */
function shown(seen: readonly Seen[]): string {
  const counts = new Map<Seen['status'], number>();
  for (const { status } of seen) counts.set(status, (counts.get(status) ?? 0) + 1);
  const slowest = Math.max(...seen.map(({ ms }) => ms)) / 1_000;
  return `${[...counts].map(([status, count]) => `${status} × ${count}`).join(', ')}; ≤ ${slowest.toFixed(2)} s`;
}

/** What an operator reads last: a sentence of its own, or the message of a log line. */
function lastWords(output: string): string {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? (JSON.parse(last) as { readonly msg: string }).msg : last;
}
