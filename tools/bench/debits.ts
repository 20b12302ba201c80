import { join } from 'node:path';
import { openCredits } from '#compose/credits';
import { tuneEngine } from '#compose/tune-engine';
import { chargedWallets, creditsGone, grantAll, openCharging } from './support/charging.js';
import { type Rate, rateOf } from './support/concurrency.js';
import { withDataDir } from './support/data-dir.js';
import { openRaw, PUT, SAME_ROWS, TRANSACTION } from './support/raw-rows.js';
import { atLeast, type Goal, type Section, show, table } from './support/report.js';
import { interleave, medianRatio, medians } from './support/rounds.js';

const CALLERS = [1, 16, 64, 256] as const;
const RUN_MS = 400;
const ROUNDS = 5;
/**
 * Before anything counts, so that the first rows are not those of code that is still interpreted.
 */
const WARM_UP_MS = 1_000;

const CHARGE = 'credits.charge';

/** Measures durable debits beside the least that LMDB can do. */
export function benchDebits(): Promise<Section> {
  tuneEngine();
  return withDataDir(async (dataDir) => {
    const raw = openRaw(join(dataDir, 'raw'));
    const { credits, store } = openCredits(dataDir);
    const wallets = chargedWallets(CALLERS.at(-1)!);
    await grantAll(credits, wallets);
    const charging = openCharging(credits, wallets);
    const operations = { ...raw.operations, [CHARGE]: charging.chargeMany };
    for (const [name, operation] of Object.entries(operations))
      await rateOf(name, operation, CALLERS[1], WARM_UP_MS).run();
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
    return { path, goal: atLeast(0.75), measured: ratio(SAME_ROWS, n), unit: 'x' };
  });
  const what =
    'A debit reads the account, writes it and appends to the ledger, so its floor is the transaction of the same rows. ' +
    'Every row here waits for the disk.';
  return { title: 'Durable debit', texts: [what, table(head, [...rows, ...ratios])], goals };
}
