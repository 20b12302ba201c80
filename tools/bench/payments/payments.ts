import { recoverTypedDataAddress } from 'viem';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { tuneEngine } from '#compose/tune-engine';
import { paymentKey } from '#domain/payment/payment';
import { claim } from '#services/payments/claim';
import { PaymentInWork } from '#services/payments/in-work';
import { recordSettled, writeIntent } from '#services/payments/records';
import { DEMAND, toTypedData, USDC } from '#test/support/signed-payments';
import { readPayment } from '#wire/x402/x402-payment';
import { withDataDir } from '../support/data-dir.js';
import { atMost, type Section, show, table } from '../support/report.js';
import { type Cost, costOf, interleave, median, type Variant } from '../support/rounds.js';
import { profileCalls } from './call-parts.js';
import { type FreeOutside, freeOutside } from './free-outside.js';
import { ANSWER, openPaying, type Paying, type Signed } from './paying.js';

const PAYMENTS = 128;
const CONCURRENT = 64;
/** Calls of a round: several times as many as at once. */
const CALLS = 512;
const PROFILED = 1_024;
/** Before the first round, so that its code is compiled. */
const WARM_UP = 1_536;
const ROUNDS = 9;
/** Viem's check takes long, and blocks whatever else the process has to do. */
const VIEM_CHECKS = 16;
const TX = `0x${'7a'.repeat(32)}`;
const CALL = 'a paid call, 64 at once: header to answer';
const COPY = 'a copy of a running payment: header to answer';

/**
 * Measures a paid call from its header to its answer, without the time of chain and facilitator;
 * the steps on its way by themselves; a copy of a payment that is in work; and where the CPU goes.
 */
export function benchPayments(): Promise<Section> {
  tuneEngine();
  return withDataDir(async (dataDir) => {
    const store = openLmdbStore({ path: lmdbPath(dataDir) });
    const outside = freeOutside();
    const paying = await openPaying(store, outside);
    try {
      await payAll(paying, await paying.sign(WARM_UP));
      const results = await interleave('payments', variants(paying, outside), ROUNDS);
      const signed = await paying.sign(PROFILED);
      const parts = await profileCalls(PROFILED, () => payAll(paying, signed));
      return section(results, parts);
    } finally {
      await paying.end();
      await store.close();
    }
  });
}

/** A step of many payments: what has to be there before is made first, and is not measured. */
interface Step {
  readonly name: string;
  readonly count?: number;
  prepare?(signed: readonly Signed[]): void;
  work(index: number, signed: Signed): unknown;
}

function variants(paying: Paying, outside: FreeOutside): Variant<Cost>[] {
  const { deps } = paying;
  const stepped = ({ name, count = PAYMENTS, prepare, work }: Step): Variant<Cost> => ({
    name,
    async run() {
      const signed = await paying.sign(count);
      prepare?.(signed);
      return perCall(count, await costOf(async () => void (await Promise.all(signed.map((one, i) => work(i, one))))));
    },
  });
  let inWork: readonly PaymentInWork[] = [];
  const take = (signed: readonly Signed[]) => {
    inWork = signed.map(({ payment }) => toInWork(paying, payment));
  };
  const claimAll = () => Promise.all(inWork.map((one) => claim(one, deps)));
  return [
    stepped({
      name: 'decode PAYMENT-SIGNATURE',
      work: (_, { header }) => readPayment({ paymentSignature: header, xPayment: undefined }, USDC),
    }),
    stepped({ name: 'signature check', work: (_, { payment }) => deps.signatures.check(payment) }),
    stepped({
      name: "signature check by viem's recoverTypedDataAddress",
      count: VIEM_CHECKS,
      work: (_, { payment: { authorization, signature } }) =>
        recoverTypedDataAddress({ ...toTypedData(authorization), signature: signature as `0x${string}` }),
    }),
    stepped({ name: 'claim', prepare: take, work: (i) => claim(inWork[i]!, deps) }),
    {
      name: 'W1: intent on disk',
      async run() {
        take(await paying.sign(PAYMENTS));
        await claimAll();
        return perCall(PAYMENTS, await costOf(async () => void (await Promise.all(inWork.map(writeOne)))));
      },
    },
    {
      name: 'W2: settled on disk',
      async run() {
        take(await paying.sign(PAYMENTS));
        await claimAll();
        await Promise.all(inWork.map(writeOne));
        return perCall(PAYMENTS, await costOf(async () => void (await Promise.all(inWork.map(settleOne)))));
      },
    },
    {
      name: CALL,
      async run() {
        const signed = await paying.sign(CALLS);
        return perCall(CALLS, await costOf(() => payAll(paying, signed)));
      },
    },
    { name: COPY, run: () => payCopies(paying, outside) },
  ];

  function writeOne(one: PaymentInWork) {
    return writeIntent(one, { epoch: 1, answer: ANSWER, intentBlock: 1 }, deps);
  }

  function settleOne(one: PaymentInWork) {
    const { name: facilitator } = outside.facilitator;
    return recordSettled(one, { kind: 'word', facilitator, transaction: TX }, deps);
  }
}

function perCall(count: number, { wallMicros, cpuMicros }: Cost): Cost {
  return { wallMicros: wallMicros / count, cpuMicros: cpuMicros / count };
}

function toInWork({ deps }: Paying, payment: Signed['payment']): PaymentInWork {
  const inWork = new PaymentInWork({ key: paymentKey(payment), payment, fingerprint: 'f' }, deps.signatures);
  inWork.work = {
    kind: 'answer',
    operation: 'preflight_trade',
    requestId: 'r',
    caller: '127.0.0.1',
    secret: null,
    names: [],
    isBuyer: () => true,
    fingerprint: 'f',
    demand: DEMAND,
    compute: async () => ANSWER,
    isCached: () => true,
  };
  return inWork;
}

/** Pays for one call with each, so many at once. */
async function payAll(paying: Paying, signed: readonly Signed[]): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < signed.length) await paying.call(signed[next++]!.header);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, caller));
}

/** The first is at the facilitator while its copies come; they are answered with it. */
async function payCopies(paying: Paying, outside: FreeOutside): Promise<Cost> {
  const [{ header }] = (await paying.sign(1)) as [Signed];
  const { held, letGo } = outside.holdNext();
  const first = paying.call(header);
  await held;
  const cost = await costOf(async () => {
    const copies = Array.from({ length: PAYMENTS }, () => paying.call(header));
    letGo();
    await Promise.all(copies);
  });
  await first;
  return perCall(PAYMENTS, cost);
}

function section(results: ReadonlyMap<string, readonly Cost[]>, parts: string): Section {
  const of = (name: string, part: keyof Cost) => median(results.get(name)!.map((cost) => cost[part]));
  const rows = [...results.keys()].map((name) => [
    name,
    show(of(name, 'cpuMicros')),
    show(1e6 / of(name, 'wallMicros')),
  ]);
  const what =
    'Header to answer: the header is decoded, the signature checked, the payment claimed, its intent and its end written to ' +
    'disk; chain and facilitator answer at once and cost nothing, nor does the tool. The rows above it are steps of it.';
  return {
    title: 'Payments: one x402 call',
    texts: [what, table(['', 'CPU µs per call', 'per second'], rows), parts],
    goals: [
      {
        path: 'x402 lane without chain time, CPU per paid call',
        goal: atMost(0.6),
        measured: of(CALL, 'cpuMicros') / 1e3,
        unit: 'ms',
      },
      {
        path: 'copy of a running payment, CPU',
        goal: atMost(0.1),
        measured: of(COPY, 'cpuMicros') / 1e3,
        unit: 'ms',
      },
    ],
  };
}
