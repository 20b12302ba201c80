import { encodePaymentSignatureHeader } from '@x402/core/http';
import { recoverTypedDataAddress } from 'viem';
import { createSignatureCheck } from '#adapters/chain/signature-check';
import { lmdbPath, openLmdbStore } from '#adapters/lmdb/money/store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { BASE_NETWORK, PAYMENT_WINDOW_S, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { ChainReader, Facilitator, SignatureCheck } from '#ports/settlement';
import type { Store } from '#ports/store';
import { claim } from '#services/payments/claim';
import type { PaidWork, PaymentDeps } from '#services/payments/contract';
import { PaymentInWork } from '#services/payments/in-work';
import { Lease } from '#services/payments/lease';
import { Payments } from '#services/payments/payments';
import { recordSettled, writeIntent } from '#services/payments/records';
import { DEMAND, signPayment, toTypedData, USDC } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';
import { readPayment } from '#wire/x402/x402-payment';
import { withDataDir } from './support/data-dir.js';
import { atMost, type Section, show, table } from './support/report.js';
import { type Cost, costOf, interleave, median, type Variant } from './support/rounds.js';

const PAYMENTS = 256;
const CONCURRENT = 64;
/** The code of the first rounds is not compiled yet; the median has to lie after them. */
const ROUNDS = 15;
const TX = `0x${'7a'.repeat(32)}`;
/** As long as a real answer. */
const ANSWER = JSON.stringify({ ok: true, verdict: 'OK', text: 'x'.repeat(1_200) });
const LANE = 'whole lane, 64 at once, chain and facilitator at no cost';

const health = () => ({ name: 'none', ok: true, lastOkAtMs: null, lastError: null });
/** Payments on the word of one facilitator: fewer than need a proof first. */
const PER_FACILITATOR = 32;
let settled = 0;
/** The outside at no cost: what is left is ours. */
const facilitator: Facilitator = {
  get name() {
    return `none-${Math.floor(settled++ / PER_FACILITATOR)}`;
  },
  isResting: () => false,
  verify: async () => ({ kind: 'valid' }),
  settle: async () => ({ kind: 'settled', transaction: TX }),
  health,
};
const chain: ChainReader = {
  head: async () => ({ blockNumber: 1_000, timestampS: 0 }),
  resolve: async () => ({ kind: 'unknown', reason: 'not asked' }),
  receipt: async (transaction, { authorization }) => {
    const logIndex = Number(BigInt(authorization.nonce) % 1_000_000_007n);
    return { kind: 'paid', transaction, blockNumber: 999, logIndex };
  },
  hasCode: async () => 'unknown',
  health,
};
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Measures a paid call by its parts, and the whole lane without the time of chain and facilitator.
 */
export async function benchPayments(): Promise<Section> {
  const validBefore = String(Math.floor(Date.now() / 1e3) + PAYMENT_WINDOW_S);
  const signed = await Promise.all(Array.from({ length: PAYMENTS }, () => signPayment({ validBefore })));
  const results = await withDataDir(async (dataDir) => {
    const store = openLmdbStore({ path: lmdbPath(dataDir) });
    try {
      const lease = new Lease({
        leases: store.leases,
        othersMax: 1,
        stopwatch: systemClock,
        timers: systemTimers,
        random: systemRandom,
        log: silent,
      });
      await lease.start();
      const results = await interleave('payments', variants(store, lease, signed), ROUNDS);
      await lease.end();
      return results;
    } finally {
      await store.close();
    }
  });
  return section(results);
}

function variants(store: Store, lease: Lease, signed: readonly SignedPayment[]): Variant<Cost>[] {
  const headers = signed.map(toHeader);
  const signatures = createSignatureCheck(USDC);
  const lane: PaymentDeps = { ...deps(store, free(signatures)), lease };
  const payments = new Payments(lane);
  const each = (name: string, work: (index: number) => unknown): Variant<Cost> => ({
    name,
    run: () => costOf(async () => void (await Promise.all(signed.map((_, index) => work(index))))),
  });
  // Every round pays with keys of its own: an authorization settles once.
  let round = 0;
  const inWork: PaymentInWork[] = [];
  return [
    each('decode PAYMENT-SIGNATURE', (i) => readPayment({ paymentSignature: headers[i], xPayment: undefined }, USDC)),
    each('signature check', (i) => signatures.check(signed[i]!)),
    each("signature check by viem's recoverTypedDataAddress", (i) =>
      recoverTypedDataAddress({
        ...toTypedData(signed[i]!.authorization),
        signature: signed[i]!.signature as `0x${string}`,
      }),
    ),
    each('claim', (i) => {
      if (i === 0) round++;
      const payment = renamed(signed[i]!, `a${round}`);
      inWork[i] = new PaymentInWork({ key: paymentKey(payment), payment, fingerprint: 'f' }, free(signatures));
      inWork[i].work = work();
      return claim(inWork[i], lane);
    }),
    each('W1: intent on disk', (i) => writeIntent(inWork[i]!, { epoch: 1, answer: ANSWER, intentBlock: 1 }, lane)),
    each('W2: settled on disk', (i) =>
      recordSettled(inWork[i]!, { kind: 'word', facilitator: facilitator.name, transaction: TX }, lane),
    ),
    { name: LANE, run: () => costOf(() => payAll(payments, signed, `b${round++}`)) },
  ];
}

/** The lane without the arithmetic of the curve, which has its own row. */
function free(signatures: SignatureCheck): SignatureCheck {
  return { check: (payment) => (payment.signature === '' ? signatures.check(payment) : 'matches') };
}

async function payAll(payments: Payments, signed: readonly SignedPayment[], name: string): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < signed.length) {
      const outcome = await payments.pay(renamed(signed[next++]!, name), work());
      if (outcome.kind !== 'answered') throw new Error(`a payment was ${outcome.kind}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, caller));
}

function deps(store: Store, signatures: SignatureCheck): Omit<PaymentDeps, 'lease'> {
  const outside = { store, facilitators: [facilitator], chain, signatures };
  return {
    ...outside,
    ...paymentSecrets(),
    explorerUrl: 'https://basescan.org',
    clock: systemClock,
    timers: systemTimers,
    random: systemRandom,
    log: silent,
  };
}

function work(): PaidWork {
  return {
    kind: 'answer',
    operation: 'preflight_trade',
    requestId: 'r',
    secret: null,
    fingerprint: 'f',
    demand: DEMAND,
    compute: async () => ANSWER,
    isAtHand: () => true,
  };
}

/**
 * The same payment under another nonce: its signature fits no more, which only the rows about
 * signatures look at.
 */
function renamed(payment: SignedPayment, name: string): SignedPayment {
  const nonce = `0x${Buffer.from(name).toString('hex').padEnd(64, payment.authorization.nonce.slice(2))}`.slice(0, 66);
  return { ...payment, authorization: { ...payment.authorization, nonce } };
}

function toHeader({ authorization, signature }: SignedPayment): string {
  const accepted = {
    scheme: 'exact',
    network: BASE_NETWORK,
    amount: authorization.value,
    asset: USDC,
    payTo: authorization.to,
    maxTimeoutSeconds: PAYMENT_WINDOW_S,
    extra: { name: 'USD Coin', version: '2' },
  } as const;
  return encodePaymentSignatureHeader({ x402Version: 2, accepted, payload: { signature, authorization } });
}

function section(results: ReadonlyMap<string, readonly Cost[]>): Section {
  const of = (name: string, part: keyof Cost) => median(results.get(name)!.map((cost) => cost[part])) / PAYMENTS;
  const rows = [...results.keys()].map((name) => [
    name,
    show(of(name, 'cpuMicros')),
    show(1e6 / of(name, 'wallMicros')),
  ]);
  const measured =
    (of(LANE, 'cpuMicros') + of('signature check', 'cpuMicros') + of('decode PAYMENT-SIGNATURE', 'cpuMicros')) / 1e3;
  return {
    title: 'Payments: one x402 call by its parts',
    texts: [table(['', 'CPU µs per call', 'per second'], rows)],
    goals: [
      {
        path: 'x402 lane without chain time, CPU per paid call',
        goal: atMost(1),
        stretch: atMost(0.5),
        measured,
        unit: 'ms',
      },
    ],
  };
}
