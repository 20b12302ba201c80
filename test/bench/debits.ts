import { join } from 'node:path';
import { open } from 'lmdb';
import type { WalletAddress } from '#domain/ids';
import { walletOf } from '#local/venue/deterministic-ids';
import type { Credits } from '#services/credits';
import { openCredits } from '#src/compose-store';
import { withDataDir } from './support/data-dir.js';
import { atLeast, type Goal, type Section, show, table } from './support/report.js';
import { interleave, medians, percentile, type Variant } from './support/rounds.js';

const CALLERS = [1, 16, 64, 256] as const;
const RUN_MS = 600;
const ROUNDS = 3;
const CREDITS = 1_000_000_000;

const PUT = 'LMDB put';
const TRANSACTION = 'LMDB transaction(() => put)';
const DURABLE = 'LMDB transaction(() => put), on disk';
const CHARGE = 'credits.charge, on disk';

/** What concurrent callers of one operation saw. */
interface Rate {
  readonly perSecond: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
}

/** One durable operation of one caller; `caller` counts from 0. */
type Operation = (caller: number) => Promise<unknown>;

/** Measures durable debits beside the least that LMDB can do. */
export function benchDebits(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const raw = openRaw(join(dataDir, 'raw'));
    const { credits, store } = openCredits(dataDir);
    const charging = await openCharging(credits);
    const operations = { ...raw.operations, [CHARGE]: charging.charge };
    const rates = new Map<string, Rate>();
    for (const callers of CALLERS) {
      const variants = Object.entries(operations).map(([name, operation]) => rateOf(name, operation, callers));
      const results = await interleave(`debits, ${callers} callers`, variants, ROUNDS);
      for (const [name, all] of results) rates.set(`${name} ${callers}`, medians(all));
    }
    await charging.verify();
    await store.close();
    await raw.close();
    return section(rates);
  });
}

/** A bare database: rows of about the size of a ledger entry under keys that grow, as in the ledger. */
function openRaw(path: string) {
  const options = { path, safeRestore: true };
  const db = open<unknown, string>(options);
  let position = 0;
  const put = () => {
    const key = `ledger/${String(++position).padStart(15, '0')}`;
    return db.put(key, [
      1,
      `0x${'ab'.repeat(20)}`,
      position,
      1,
      1,
      CREDITS,
      1_784_000_000_000,
      'preflight_trade',
      'r'.repeat(24),
    ]);
  };
  const operations: Record<string, Operation> = {
    [PUT]: put,
    [TRANSACTION]: () => db.transaction(() => void put()),
    [DURABLE]: () => db.transaction(() => void put()).then(() => db.flushed),
  };
  return { operations, close: () => db.close() };
}

/** A wallet for each caller, and the check that every charge that was answered is gone from the balance, and no other. */
async function openCharging(credits: Credits) {
  const wallets = Array.from({ length: CALLERS.at(-1)! }, (_, i) => walletOf(`caller ${i}`));
  for (const wallet of wallets) await credits.grant(wallet, CREDITS, 30, 'benchmark');
  let charged = 0;
  const request = (wallet: WalletAddress) => ({
    wallet,
    tool: 'preflight_trade',
    credits: 1,
    requestId: 'r'.repeat(24),
    idempotency: null,
    render: ({ creditsRemaining }: { creditsRemaining: number }) => `{"paid":${creditsRemaining}}`,
  });
  return {
    async charge(caller: number) {
      const { kind } = await credits.charge(request(wallets[caller]!));
      if (kind !== 'charged') throw new Error(`a charge was ${kind}`);
      charged++;
    },
    async verify() {
      let left = 0;
      for (const wallet of wallets) left += (await credits.balanceOf(wallet)).balance;
      const gone = wallets.length * CREDITS - left;
      if (gone !== charged) throw new Error(`${gone} credits are gone after ${charged} charges`);
    },
  };
}

function rateOf(name: string, operation: Operation, callers: number): Variant<Rate> {
  return {
    name,
    async run() {
      const tookMs: number[] = [];
      const startedMs = performance.now();
      const call = async (caller: number) => {
        for (let now = performance.now(); now - startedMs < RUN_MS; ) {
          await operation(caller);
          const endedMs = performance.now();
          tookMs.push(endedMs - now);
          now = endedMs;
        }
      };
      await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
      const perSecond = (tookMs.length / (performance.now() - startedMs)) * 1e3;
      const sorted = Float64Array.from(tookMs).sort();
      return { perSecond, p50Micros: percentile(sorted, 0.5) * 1e3, p99Micros: percentile(sorted, 0.99) * 1e3 };
    },
  };
}

function section(rates: ReadonlyMap<string, Rate>): Section {
  const rate = (name: string, callers: number) => rates.get(`${name} ${callers}`)!;
  const ratio = (floor: string, callers: number) => rate(CHARGE, callers).perSecond / rate(floor, callers).perSecond;
  const cell = ({ perSecond, p50Micros, p99Micros }: Rate) =>
    `${show(perSecond)} · ${show(p50Micros)}/${show(p99Micros)}`;
  const rows = [PUT, TRANSACTION, DURABLE, CHARGE].map((name) => [name, ...CALLERS.map((n) => cell(rate(name, n)))]);
  const ratios = [TRANSACTION, DURABLE].map((floor) => [
    `charge, of ${floor}`,
    ...CALLERS.map((n) => show(ratio(floor, n))),
  ]);
  const head = ['operations/s · p50/p99 µs', ...CALLERS.map((n) => `${n} caller${n === 1 ? '' : 's'}`)];
  const goals = CALLERS.map((n): Goal => {
    const path = `durable debit, ${n} callers, of raw LMDB transactions on disk`;
    return { path, goal: atLeast(0.9), measured: ratio(DURABLE, n), unit: 'x' };
  });
  const what = 'One debit reads the account, writes it and appends to the ledger; its promise waits for the disk.';
  return { title: 'Durable debit', texts: [what, table(head, [...rows, ...ratios])], goals };
}
