import { join } from 'node:path';
import { open } from 'lmdb';
import { openCredits } from '#compose/credits';
import { walletOf } from '#local/venue/deterministic-ids';
import { CREDITS, chargedWallets, creditsGone, grantAll, openCharging, REQUEST_ID } from './support/charging.js';
import { type Operation, type Rate, rateOf } from './support/concurrency.js';
import { withDataDir } from './support/data-dir.js';
import { atLeast, type Goal, type Section, show, table } from './support/report.js';
import { interleave, medianRatio, medians } from './support/rounds.js';

const CALLERS = [1, 16, 64, 256] as const;
const RUN_MS = 400;
const ROUNDS = 5;
const AT_MS = 1_784_000_000_000;
const ADDRESS = walletOf('raw');

const PUT = 'LMDB put';
const TRANSACTION = 'LMDB transaction(() => put)';
const SAME_ROWS = 'LMDB transaction(() => get, put, put)';
const CHARGE = 'credits.charge';

/** Measures durable debits beside the least that LMDB can do. */
export function benchDebits(): Promise<Section> {
  return withDataDir(async (dataDir) => {
    const raw = openRaw(join(dataDir, 'raw'));
    const { credits, store } = openCredits(dataDir);
    const wallets = chargedWallets(CALLERS.at(-1)!);
    await grantAll(credits, wallets);
    const charging = openCharging(credits, wallets);
    const operations = { ...raw.operations, [CHARGE]: charging.chargeMany };
    const rates: Rates = new Map();
    for (const callers of CALLERS) {
      const variants = Object.entries(operations).map(([name, operation]) => rateOf(name, operation, callers, RUN_MS));
      const results = await interleave(`debits, ${callers} callers`, variants, ROUNDS);
      for (const [name, all] of results) rates.set(`${name} ${callers}`, all);
    }
    const gone = await creditsGone(credits, wallets);
    if (gone !== charging.charged()) throw new Error(`${gone} credits are gone after ${charging.charged()} charges`);
    await store.close();
    await raw.close();
    return section(rates);
  });
}

/**
 * A bare database, each operation awaited to the disk. The rows are about as large as ours: ledger entries under keys that
 * grow, and an account for each caller.
 */
function openRaw(path: string) {
  const options = { path, safeRestore: true };
  const db = open<unknown, string>(options);
  let position = 0;
  const append = () => {
    const key = `ledger/${String(++position).padStart(15, '0')}`;
    return db.put(key, [1, ADDRESS, position, 1, 1, CREDITS, AT_MS, 'preflight_trade', REQUEST_ID, [1, 1], position]);
  };
  const debit = (caller: number) => {
    const key = `account/${ADDRESS}${caller}`;
    db.get(key);
    append();
    db.put(key, [1, position, position, [[1, 2, CREDITS, CREDITS - position, AT_MS, AT_MS, 'benchmark']]]);
  };
  const onDisk = (commit: Promise<unknown>) => commit.then(() => db.flushed);
  const operations: Record<string, Operation> = {
    [PUT]: () => onDisk(append()),
    [TRANSACTION]: () => onDisk(db.transaction(() => void append())),
    [SAME_ROWS]: (caller) => onDisk(db.transaction(() => debit(caller))),
  };
  return { operations, close: () => db.close() };
}

/** The rates of all rounds, by operation and number of callers. */
type Rates = Map<string, readonly Rate[]>;

function section(rates: Rates): Section {
  const rate = (name: string, callers: number) => rates.get(`${name} ${callers}`)!;
  const ratio = (floor: string, callers: number) =>
    medianRatio(rate(CHARGE, callers), rate(floor, callers), ({ perSecond }) => perSecond);
  const cell = (all: readonly Rate[]) => {
    const { perSecond, p50Micros, p99Micros } = medians(all);
    return `${show(perSecond)} · ${show(p50Micros)}/${show(p99Micros)}`;
  };
  const rows = [PUT, TRANSACTION, SAME_ROWS, CHARGE].map((name) => [name, ...CALLERS.map((n) => cell(rate(name, n)))]);
  const ratios = [TRANSACTION, SAME_ROWS].map((floor) => [
    `charge, of ${floor}`,
    ...CALLERS.map((n) => show(ratio(floor, n))),
  ]);
  const head = ['operations/s · p50/p99 µs', ...CALLERS.map((n) => `${n} caller${n === 1 ? '' : 's'}`)];
  const goals = CALLERS.map((n): Goal => {
    const path = `durable debit, ${n} caller${n === 1 ? '' : 's'}, of raw LMDB transactions of the same rows`;
    return { path, goal: atLeast(0.85), stretch: atLeast(0.95), measured: ratio(SAME_ROWS, n), unit: 'x' };
  });
  const what =
    'A debit reads the account, writes it and appends to the ledger, so its floor is the transaction of the same rows. ' +
    'Every row here waits for the disk.';
  return { title: 'Durable debit', texts: [what, table(head, [...rows, ...ratios])], goals };
}
