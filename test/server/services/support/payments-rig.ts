import type { Host } from '#adapters/process/host';
import { systemRandom } from '#adapters/process/system-random';
import { CREDIT_PACK_AMOUNT_MICROS } from '#api/prices';
import type { WalletAddress } from '#domain/ids';
import { PAYMENT_WINDOW_S, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { PaymentRow } from '#domain/payment/payment-row';
import type { TransferPosition } from '#domain/payment/proof';
import type { paymentMachineWith } from '#machines/payment.machine';
import type { Log } from '#ports/log';
import type {
  ChainReader,
  CodePresence,
  Facilitator,
  ReceiptReading,
  Resolution,
  SettleOutcome,
  VerifyOutcome,
  WalletWord,
} from '#ports/settlement';
import type { Store } from '#ports/store';
import type { AnswerWork, PackWork, PaymentDeps, PaymentOutcome } from '#services/payments/contract';
import { Lease } from '#services/payments/lease';
import { Payments } from '#services/payments/payments';
import { RefusedPayments } from '#services/payments/refused-payments';
import { type BelievedTime, trusted } from '#services/time/believed-clock';
import type { StoreFixture } from '#test/contract/store.contract';
import { makeLmdbFixture } from '#test/contract/support/lmdb-fixture';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { DEMAND, PAYEE, USDC } from '#test/support/signed-payments';
import { paymentSecrets } from '#test/support/store-secrets';

/** One answer, or several in turn: the last one stays. */
type Script<T> = T | readonly T[];

/** A facilitator that says what it is told to say, and remembers what it was asked. */
class ScriptedFacilitator implements Facilitator {
  verifies: Script<VerifyOutcome | Promise<VerifyOutcome>> = { kind: 'valid' };
  settles: Script<SettleOutcome | Promise<SettleOutcome>> = { kind: 'settled', transaction: TX };
  readonly requested: string[] = [];
  isAlone = false;

  isResting(): boolean {
    return this.isAlone;
  }

  constructor(readonly name: string) {}

  async verify(): Promise<VerifyOutcome> {
    return this.#take('verify', this.verifies);
  }

  async settle(): Promise<SettleOutcome> {
    return this.#take('settle', this.settles);
  }

  health() {
    return { name: this.name, ok: true, lastOkAtMs: null, lastError: null };
  }

  #take<T>(what: string, script: Script<T>): T {
    const before = this.requested.filter((one) => one === what).length;
    this.requested.push(what);
    return Array.isArray(script) ? script[Math.min(before, script.length - 1)] : (script as T);
  }
}

export const TX = `0x${'7a'.repeat(32)}`;
export const HEAD = 1_000;
export const paid: Resolution = { kind: 'paid', transaction: TX, blockNumber: HEAD, logIndex: 3 };
/** The place of each payment in the block is its own, whatever transaction it is in. */
const logIndexOf = ({ authorization }: SignedPayment) => Number(BigInt(authorization.nonce) % 1_000_000n);
export const timedOut: SettleOutcome = { kind: 'unknown', reason: 'no answer within 12000 ms', transaction: null };
export const rpcDown: Resolution = { kind: 'unknown', reason: 'endpoint 1 timed out' };

/** The chain as a test wants it to be; null where it cannot be asked. */
interface ScriptedChain {
  head: number | null;
  /** Whether authorizations are spent when their intent is recorded. */
  isSpent: boolean | null;
  says: Resolution;
  /** What receipts show; 'paid': the payment that was asked about, with a block on top. */
  receipt: 'paid' | ReceiptReading;
  /** What they show of one payment; null: what all show. */
  receiptOf: (payment: SignedPayment) => ReceiptReading | null;
  /** Of every payer. */
  code: CodePresence;
  /** Of every smart wallet. */
  wallet: WalletWord;
  /** Wallets without money. */
  readonly poor: Set<string>;
  /** To the payee, in the last hour. */
  transfers: readonly TransferPosition[] | null;
  /** How often it was asked about a payment, and from which block. */
  readonly requested: number[];
}

type GivenOrder = Partial<AnswerWork>;
type GivenPack = Partial<PackWork> & Pick<PackWork, 'kind'>;

/**
 * Payments over a real store, with scripted facilitators and chain, in time that passes only when
 * the test says so.
 */
export interface PaymentsRig {
  readonly payments: Payments;
  /** What payments are wired to. */
  readonly deps: PaymentDeps;
  /** Returns the secret of fresh terms. */
  readonly newSecret: () => string;
  readonly store: Store;
  readonly chain: ScriptedChain;
  readonly facilitators: readonly ScriptedFacilitator[];
  readonly clock: ManualClock;
  /** Messages of errors in the log. */
  readonly alarms: string[];
  /** Facts in the log at debug. */
  readonly lines: object[];
  /** Runs of the handler. */
  readonly runs: { count: number };
  /** Pays for an order, unless the work says something else. */
  pay(payment: SignedPayment, work?: GivenOrder | GivenPack): Promise<PaymentOutcome>;
  unused(): Resolution;
  row(payment: SignedPayment): Promise<PaymentRow | null>;
  /**
   * Lets so many milliseconds pass, in steps short enough for everything that is due to happen in
   * its turn.
   */
  pass(ms: number): Promise<void>;
  /** Lets time pass until it is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
  /** The process ends in good order, and another one takes up what it left. */
  restart(): Promise<PaymentsRig>;
  /** The process ends in good order. */
  stop(): Promise<void>;
  /** Another process on the same rows, with the same facilitators and chain. */
  beside(): Promise<PaymentsRig>;
  /** Stops the process where it is, as SIGSTOP does: no time passes for it until it goes on. */
  pause(): void;
  goOn(): void;
  close(): Promise<void>;
}

const STEP_MS = 100;
const STEPS_MAX = 2_000;

/** What payments touch. */
export type Outside = Pick<PaymentDeps, 'store' | 'facilitators' | 'chain'>;

export interface RigOptions {
  /** What the service takes for the time; its machine's clock unless given. */
  readonly time?: (clock: ManualClock) => BelievedTime;
  readonly facilitators?: number;
  /** Puts something around what payments touch. */
  readonly around?: (outside: Outside, clock: ManualClock) => Outside;
  readonly store?: (store: Store) => Store;
  /** Where the rows lie; a home of its own unless one is given. */
  readonly fixture?: StoreFixture;
  readonly signatures?: PaymentDeps['signatures'];
  readonly isDebugOn?: boolean;
  /** false: the test starts to take up and to check what is left; true unless given. */
  readonly isStarted?: boolean;
  readonly meter?: PaymentDeps['meter'];
  /** Makes the machine of its steps. */
  readonly provide?: typeof paymentMachineWith;
}

export async function startPaymentsRig(options: RigOptions = {}): Promise<PaymentsRig> {
  const clock = new ManualClock();
  const fixture = options.fixture ?? (await makeLmdbFixture(manualHost(clock)));
  const names = ['first', 'second'].slice(0, options.facilitators ?? 2);
  const world: World = {
    chain: {
      head: HEAD,
      isSpent: false,
      says: rpcDown,
      receipt: 'paid',
      receiptOf: () => null,
      code: 'code',
      wallet: 'signed',
      poor: new Set(),
      transfers: [],
      requested: [],
    },
    facilitators: names.map((name) => new ScriptedFacilitator(name)),
    clock,
    running: new Set(),
    alarms: [],
    lines: [],
    runs: { count: 0 },
    writing: new Set(),
    open: fixture.open,
    close: fixture.remove,
  };
  return openRig(world, await world.open(), options);
}

interface World extends Pick<PaymentsRig, 'chain' | 'facilitators' | 'clock' | 'alarms' | 'lines' | 'runs' | 'close'> {
  /** The timers of the processes for which time passes. */
  readonly running: Set<ManualTimers>;
  /** Changes that are being written. */
  readonly writing: Set<Promise<unknown>>;
  open(): Promise<Store>;
}

async function openRig(world: World, opened: Store, options: RigOptions): Promise<PaymentsRig> {
  const { chain, clock, runs } = world;
  const timers = new ManualTimers(clock);
  world.running.add(timers);
  const during = <T>(change: Promise<T>): Promise<T> => {
    const written = change.finally(() => world.writing.delete(written));
    world.writing.add(written);
    return written;
  };
  const watched: Store = {
    ...opened,
    transact: (keys, decide, how) => during(opened.transact(keys, decide, how)),
    leases: {
      hold: (id, othersMax) => during(opened.leases.hold(id, othersMax)),
      end: (id) => during(opened.leases.end(id)),
    },
  };
  const store = options.store?.(watched) ?? watched;
  // The chain has a time of its own, whatever our wall clock is set to.
  const nowS = () => Math.floor(clock.elapsedMs() / 1e3);
  const reader: ChainReader = {
    head: async () => (chain.head === null ? null : { blockNumber: chain.head, timestampS: nowS() }),
    stateAtHead: async () => (chain.head === null ? null : { blockNumber: chain.head, isSpent: chain.isSpent }),
    resolve: async (payment, _demand, fromBlock) => {
      chain.requested.push(fromBlock);
      return chain.says === paid ? { ...paid, logIndex: logIndexOf(payment) } : chain.says;
    },
    receipt: async (transaction, payment) => {
      const shown = chain.receiptOf(payment) ?? chain.receipt;
      if (shown !== 'paid') return shown;
      return { kind: 'paid', transaction, blockNumber: HEAD - 1, logIndex: logIndexOf(payment) };
    },
    hasCode: async () => chain.code,
    isSignedByWallet: async () => chain.wallet,
    holds: async ({ authorization }) => !chain.poor.has(authorization.from),
    transfersTo: async () => chain.transfers,
    health: () => ({ name: 'base-rpc', ok: true, lastOkAtMs: null, lastError: null }),
  };
  const outside: Outside = { store, facilitators: world.facilitators, chain: reader };
  const random = { next: () => 0.5, bytes: systemRandom.bytes };
  const log: Log = {
    debug: (facts) => void world.lines.push(facts),
    info() {},
    warn() {},
    error: (_facts, message) => void world.alarms.push(message),
    isLevelEnabled: () => options.isDebugOn === true,
  };
  const lease = new Lease({ leases: watched.leases, othersMax: 1, stopwatch: clock, timers, random, log });
  const time = options.time?.(clock) ?? trusted(clock);
  const secrets = paymentSecrets(time);
  const deps: PaymentDeps = {
    ...(options.around?.(outside, clock) ?? outside),
    lease,
    signatures: options.signatures ?? { check: () => 'matches' },
    refused: new RefusedPayments(clock),
    ...secrets,
    explorerUrl: 'https://basescan.org',
    clock: time,
    lapses: time.lapses,
    timers,
    random,
    log,
    meter: options.meter ?? null,
  };
  const payments = new Payments(deps, options.provide);
  const request = {
    requestId: 'request-1',
    caller: '192.0.2.1',
    fingerprint: 'order-1',
    demand: DEMAND,
    secret: null,
    names: [],
    isBuyer: () => true,
  };
  const order = (given: GivenOrder): AnswerWork => ({
    ...request,
    kind: 'answer',
    operation: 'preflight_trade',
    compute: async () => JSON.stringify({ ok: true, run: ++runs.count }),
    isCached: () => false,
    ...given,
  });
  const pack = (given: GivenPack): PackWork => ({ ...request, demand: PACK_DEMAND, ...given });

  async function pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
      await quiet();
      clock.advance(STEP_MS);
      for (const each of world.running) each.advance(0);
    }
    await quiet();
  }

  /**
   * Resolves when all that is left waits for time: only a write takes more than one turn of the
   * loop.
   */
  async function quiet(): Promise<void> {
    do {
      // To turn the loop until it is written would take the time of a processor.
      await Promise.allSettled(world.writing);
      await new Promise(setImmediate);
    } while (world.writing.size > 0);
  }

  const others: PaymentsRig[] = [];
  const rig: PaymentsRig = {
    ...world,
    store: opened,
    payments,
    deps,
    newSecret: secrets.purchaseSecrets.issue,
    pay: (payment, given = {}) =>
      given.kind === 'pack' ? payments.pay(forPack(payment), pack(given)) : payments.pay(payment, order(given)),
    unused: () => ({ kind: 'unused', chainTimeS: nowS() }),
    row: (payment) => opened.payment(paymentKey(payment)),
    pass,
    async until(isSo) {
      for (let steps = 0; steps < STEPS_MAX; steps++) {
        if (await isSo()) return;
        await pass(STEP_MS);
      }
      throw new Error(`not so after ${(STEPS_MAX * STEP_MS) / 1e3} s: ${isSo}`);
    },
    async stop() {
      payments.stop();
      await lease.end();
      world.running.delete(timers);
    },
    async restart() {
      await rig.stop();
      return openRig(world, opened, { ...options, isStarted: true });
    },
    async beside() {
      const other = await openRig(world, await world.open(), options);
      others.push(other);
      return other;
    },
    pause: () => void world.running.delete(timers),
    goOn: () => void world.running.add(timers),
    async close() {
      payments.stop();
      for (const other of others) other.payments.stop();
      await world.close();
    },
  };
  await lease.start();
  if (options.isStarted !== false) await payments.start();
  return rig;
}

const PACK_DEMAND = { ...DEMAND, amountMicros: CREDIT_PACK_AMOUNT_MICROS };

/** The same payment, over the price of a pack. */
function forPack(payment: SignedPayment): SignedPayment {
  return { ...payment, authorization: { ...payment.authorization, value: String(CREDIT_PACK_AMOUNT_MICROS) } };
}

/** A machine whose processes share the test's clock, and cannot be seen to end. */
function manualHost(clock: ManualClock): Host {
  return { bootId: 'boot', pid: 1, pidSpace: null, uptimeMs: () => clock.elapsedMs(), hasEnded: () => false };
}

let made = 0;

/**
 * A payment in order, of a wallet of its own unless one is named. The signature is nobody's
 * business here.
 */
export function newPayment(clock: ManualClock, from = address(++made)): SignedPayment {
  const validBefore = String(Math.floor(clock.nowMs() / 1e3) + PAYMENT_WINDOW_S);
  const nonce = `0x${(++made).toString(16).padStart(64, '0')}`;
  return {
    version: 2,
    asset: USDC,
    authorization: { from, to: PAYEE, value: '20000', validAfter: '0', validBefore, nonce },
    signature: `0x${'1b'.repeat(65)}`,
    paymentIdentifier: null,
    resourceUrl: null,
  };
}

export function address(n: number): WalletAddress {
  return `0x${n.toString(16).padStart(40, 'a')}` as WalletAddress;
}
