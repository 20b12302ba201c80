import { join } from 'node:path';
import { migrate } from '#adapters/postgres/migrate';
import { openCredits, openStore } from '#compose/credits';
import { startEmbeddedPostgres } from '#local/postgres/embedded';
import { type Charging, chargedWallets, creditsGone, grantAll, openCharging } from '../support/charging.js';
import { type Child, startChild } from '../support/children.js';
import { type Rate, rateOf } from '../support/concurrency.js';
import { withDataDir, withServerDir } from '../support/data-dir.js';
import { atLeast, type Goal, type Section, show, table } from '../support/report.js';
import { interleave, medianRatio, medians, type Variant } from '../support/rounds.js';
import { openCallByCall } from './call-by-call.js';
import type { ReplicaOptions } from './replica.js';
import { verdictsByReplicas } from './verdicts.js';

const CALLERS = [1, 16, 64, 256] as const;
const WALLETS = CALLERS.at(-1)!;
const REPLICAS = [1, 2, 4] as const;
/** Of all replicas together. */
const SPREAD_CALLERS = [64, 256] as const;
const RUN_MS = 400;
const ROUNDS = 3;
/** Writers and readers of one replica. */
const CONNECTIONS = 6;

const CALL_BY_CALL = 'PostgreSQL, a transaction per call';
const SHARED = 'credits.charge, PostgreSQL';
const EMBEDDED = 'credits.charge, LMDB';
const KINDS = ['one', 'many'] as const;
type Kind = (typeof KINDS)[number];
const WHOSE: Readonly<Record<Kind, string>> = { one: 'one wallet', many: 'a wallet each' };

/** The rates of all rounds by name. */
type Rates = Map<string, readonly Rate[]>;

/**
 * Measures durable debits on a database that replicas share, beside those of a transaction per call
 * and of one node.
 */
export function benchNodes(): Promise<Section> {
  return withDataDir((dataDir) =>
    withServerDir(async (folder) => {
      const started = await startEmbeddedPostgres({ folder });
      if (started.kind === 'absent') throw new Error(`no PostgreSQL runs here: ${started.why}`);
      try {
        return await measure(started.server.url, dataDir);
      } finally {
        await started.server.kill();
      }
    }),
  );
}

async function measure(storeUrl: string, dataDir: string): Promise<Section> {
  await migrate(storeUrl);
  const wallets = chargedWallets(WALLETS);
  const shared = await openStore({ storeUrl, dataDir, keysDir: dataDir });
  const embedded = openCredits(join(dataDir, 'one-node'));
  for (const { credits } of [shared, embedded]) await grantAll(credits, wallets);
  const charging = openCharging(shared.credits, wallets);
  const rates: Rates = new Map();
  await compareStores(rates, { storeUrl, charging, embedded: openCharging(embedded.credits, wallets) });
  await shared.credits.settleDebits();
  const elsewhere = await compareReplicas(rates, { storeUrl, dataDir });
  const gone = await creditsGone(shared.credits, wallets);
  const answered = charging.charged() + elsewhere;
  if (gone !== answered) throw new Error(`${gone} credits are gone after ${answered} charges`);
  await shared.store.close();
  await embedded.store.close();
  return section(rates, await verdictsByReplicas(storeUrl, dataDir));
}

async function compareStores(
  rates: Rates,
  on: { readonly storeUrl: string; readonly charging: Charging; readonly embedded: Charging },
): Promise<void> {
  const plain = await openCallByCall(on.storeUrl, WALLETS, CONNECTIONS);
  const operations = {
    [`${CALL_BY_CALL}, one`]: plain.debitOne,
    [`${CALL_BY_CALL}, many`]: plain.debitMany,
    [`${SHARED}, one`]: on.charging.chargeOne,
    [`${SHARED}, many`]: on.charging.chargeMany,
    [`${EMBEDDED}, one`]: on.embedded.chargeOne,
    [`${EMBEDDED}, many`]: on.embedded.chargeMany,
  };
  for (const callers of CALLERS) {
    const variants = Object.entries(operations).map(([name, operation]) => rateOf(name, operation, callers, RUN_MS));
    const results = await interleave(`stores, ${callers} callers`, variants, ROUNDS);
    for (const [name, all] of results) rates.set(`${name} ${callers}`, all);
  }
  await plain.close();
}

/** Returns how many charges the replicas answered. */
async function compareReplicas(
  rates: Rates,
  { storeUrl, dataDir }: { readonly storeUrl: string; readonly dataDir: string },
): Promise<number> {
  const most = REPLICAS.at(-1)!;
  const replicas = await Promise.all(Array.from({ length: most }, (_, n) => startReplica(storeUrl, dataDir, n)));
  for (const callers of SPREAD_CALLERS)
    for (const kind of KINDS) {
      const variants = REPLICAS.map((count) => together(replicas.slice(0, count), kind, callers));
      const results = await interleave(`replicas, ${callers} callers, ${WHOSE[kind]}`, variants, ROUNDS);
      for (const [name, all] of results) rates.set(name, all);
    }
  let charged = 0;
  for (const replica of replicas) {
    charged += (await replica.ask('charged')) as number;
    await replica.stop();
  }
  return charged;
}

function startReplica(storeUrl: string, dataDir: string, n: number): Promise<Child<object>> {
  const callers = REPLICAS.flatMap((count) => SPREAD_CALLERS.map((all) => all / count));
  const first = (n * WALLETS) / REPLICAS.at(-1)!;
  const options: ReplicaOptions = { storeUrl, dataDir, wallets: WALLETS, first, runMs: RUN_MS, callers };
  return startChild(new URL('./replica.js', import.meta.url), options);
}

/** All of them at once, with their part of the callers each. */
function together(replicas: readonly Child<object>[], kind: Kind, callers: number): Variant<Rate> {
  return {
    name: `${replicas.length} replicas ${kind} ${callers}`,
    async run() {
      const question = `${kind} ${callers / replicas.length}`;
      const rates = (await Promise.all(replicas.map((replica) => replica.ask(question)))) as Rate[];
      const perSecond = rates.reduce((sum, rate) => sum + rate.perSecond, 0);
      return { ...medians(rates), perSecond };
    },
  };
}

function section(rates: Rates, verdicts: string): Section {
  const rate = (name: string, callers: number) => rates.get(`${name} ${callers}`)!;
  const ratio = (of: string, kind: Kind, callers: number) =>
    medianRatio(rate(`${SHARED}, ${kind}`, callers), rate(`${of}, ${kind}`, callers), ({ perSecond }) => perSecond);
  const cell = (all: readonly Rate[]) => {
    const { perSecond, p50Micros, p99Micros } = medians(all);
    return `${show(perSecond)} · ${show(p50Micros / 1e3)}/${show(p99Micros / 1e3)}`;
  };
  const named = (name: string, kind: Kind) => `${name}, ${WHOSE[kind]}`;
  const stores = KINDS.flatMap((kind) => [
    ...[CALL_BY_CALL, SHARED, EMBEDDED].map((name) => [
      named(name, kind),
      ...CALLERS.map((callers) => cell(rate(`${name}, ${kind}`, callers))),
    ]),
    ...[CALL_BY_CALL, EMBEDDED].map((of) => [
      `… of ${named(of, kind)}`,
      ...CALLERS.map((callers) => show(ratio(of, kind, callers))),
    ]),
  ]);
  const replicas = KINDS.flatMap((kind) =>
    SPREAD_CALLERS.map((callers) => [
      `${callers} callers, ${WHOSE[kind]}`,
      ...REPLICAS.map((count) => cell(rates.get(`${count} replicas ${kind} ${callers}`)!)),
    ]),
  );
  const head = (first: string, columns: readonly string[]) => [`${first} · p50/p99 ms`, ...columns];
  const goal: Goal = {
    path: 'durable debit on PostgreSQL, 64 callers of one wallet, of a transaction per call',
    goal: atLeast(5),
    measured: ratio(CALL_BY_CALL, 'one', 64),
    unit: 'x',
  };
  const texts = [
    'Debits on one PostgreSQL with fsync, each durable before it is answered, and on the LMDB of one node.',
    table(
      head(
        'debits/s',
        CALLERS.map((n) => `${n} caller${n === 1 ? '' : 's'}`),
      ),
      stores,
    ),
    'The same by replicas, which are processes of their own and share the callers.',
    table(
      head(
        'debits/s',
        REPLICAS.map((n) => `${n} replica${n === 1 ? '' : 's'}`),
      ),
      replicas,
    ),
    'Verdicts over HTTP, each debited from one wallet. The replicas, the database and the callers share the machine.',
    verdicts,
  ];
  return { title: 'Durable debits on a shared database', texts, goals: [goal] };
}
