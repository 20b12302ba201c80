import type { ChainReader, ReceiptReading, Resolution } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import { askSeveral } from '#system/ask-several';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { type AuthorizationQuestion, type Reading, readAuthorization } from './authorization-reading.js';
import { type AuthorizationStates, createAuthorizationStates } from './authorization-states.js';
import { BASE_RPC_LIMITS, type BaseRpc, type BaseRpcLimits, createBaseRpc } from './base-rpc.js';
import { type CodeLimits, createCodeLookup } from './code-lookup.js';
import { TRANSFER, toWord } from './payment-logs.js';
import { combineReceipts, readReceipt } from './payment-receipt.js';
import { createBalanceCheck } from './wallet-balance.js';
import { createWalletSignatures, type WalletCallLimits } from './wallet-signature.js';

export interface BaseChainOptions {
  /** One endpoint, or two: then a "no" for good needs both. More are not asked. */
  readonly rpcUrls: readonly string[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits?: Partial<BaseRpcLimits & CodeLimits & WalletCallLimits>;
}

const ENDPOINTS_MAX = 2;
const NAME = 'base-rpc';
/** A block comes every two seconds. */
const HOUR_BLOCKS = 1_800;
/** One question to all endpoints together; sooner where it was known that none of them answers. */
const ANSWER_MAX_MS = 1_600;
const SILENT_ANSWER_MAX_MS = 800;
/** What became of an authorization takes several questions, and logs of an hour take long. */
const READING_MAX_MS = 2_400;

/**
 * Returns the reader of Base. What needs one answer is asked of the endpoint that answers, and of
 * the next beside it when that is silent; what became of an authorization is asked of all.
 */
export function createBaseChain({ rpcUrls, clock, timers, limits }: BaseChainOptions): ChainReader & Upstream {
  const endpoints = rpcUrls.slice(0, ENDPOINTS_MAX).map((url, index) => {
    const rpc = createBaseRpc(url, clock, { ...BASE_RPC_LIMITS, ...limits });
    return { index, rpc, states: createAuthorizationStates(rpc, timers) };
  });
  type Endpoint = (typeof endpoints)[number];
  const failures: (string | null)[] = endpoints.map(() => null);
  let lastOkAtMs: number | null = null;

  /**
   * Those that answered last before those that failed; one that is silent is asked only if all are.
   */
  function inOrder(): readonly Endpoint[] {
    const talking = endpoints.filter(({ rpc }) => !rpc.isSilent());
    const asked = talking.length > 0 ? talking : endpoints;
    return asked.toSorted((a, b) => Number(failures[a.index] !== null) - Number(failures[b.index] !== null));
  }

  /** Remembers how an endpoint stands: null if it answered. */
  function note(index: number, failure: string | null): void {
    failures[index] = failure === null ? null : `endpoint ${index + 1} ${failure}`;
    if (failure === null) lastOkAtMs = clock.nowMs();
  }

  async function read(question: AuthorizationQuestion, { rpc, states, index }: Endpoint): Promise<Reading> {
    const reading = await readAuthorization(rpc, states, question);
    note(index, reading.kind === 'unavailable' ? reading.reason : null);
    return reading.kind === 'unavailable' ? { ...reading, reason: failures[index]! } : reading;
  }

  /** One that is silent, while another one is not, is not waited for: it cannot tell. */
  async function readInTime(question: AuthorizationQuestion, endpoint: Endpoint): Promise<Reading> {
    const isAsked = inOrder().includes(endpoint);
    const one = { ask: (each: Endpoint) => read(question, each), isLast: () => true, timers };
    const said = await askSeveral({ ...one, endpoints: isAsked ? [endpoint] : [], answerMaxMs: READING_MAX_MS });
    return said[0] ?? { kind: 'unavailable', reason: `endpoint ${endpoint.index + 1} is silent` };
  }

  /** Asks one endpoint after the other, or beside it; null: none of them answers. */
  async function first<T>(
    ask: (rpc: BaseRpc, states: AuthorizationStates) => Promise<T>,
    givenMs?: number,
  ): Promise<T | null> {
    async function askOne({ rpc, states, index }: Endpoint): Promise<{ readonly value: T } | null> {
      try {
        const value = await ask(rpc, states);
        note(index, null);
        return { value };
      } catch (failure) {
        note(index, (failure as Error).message);
        return null;
      }
    }
    const areSilent = endpoints.every(({ rpc }) => rpc.isSilent());
    const answerMaxMs = givenMs ?? (areSilent ? SILENT_ANSWER_MAX_MS : ANSWER_MAX_MS);
    const isLast = (answer: unknown) => answer !== null;
    const said = await askSeveral({ endpoints: inOrder(), ask: askOne, isLast, timers, answerMaxMs });
    return said.at(-1)?.value ?? null;
  }

  const codeAt = createCodeLookup({
    ask: (address) => first((rpc) => rpc.hasCode(address)),
    stopwatch: clock,
    ...(limits === undefined ? {} : { limits }),
  });

  const isSignedByWallet = createWalletSignatures({
    first,
    stopwatch: clock,
    ...(limits === undefined ? {} : { limits }),
  });

  return {
    async head() {
      const newest = await first((rpc) => rpc.block(null));
      return newest && { blockNumber: newest.number, timestampS: newest.timestamp };
    },
    stateAtHead: (payment, demand) =>
      first(async (rpc, states) => {
        // Of several nodes behind one endpoint the next may not know the newest block yet.
        const state = await states({ payment, demand }).catch(() => null);
        const { number: blockNumber } = state?.head ?? (await rpc.block(null));
        return { blockNumber, isSpent: state?.isSpent ?? null };
      }),
    hasCode: codeAt,
    isSignedByWallet,
    holds: createBalanceCheck(first, clock),
    transfersTo: (payTo, asset) =>
      first(async (rpc) => {
        const { number: toBlock } = await rpc.block(null);
        const topics = [TRANSFER, null, toWord(payTo)];
        const fromBlock = Math.max(0, toBlock - HOUR_BLOCKS);
        const logs = await rpc.logs({ address: asset, topics, fromBlock, toBlock });
        return logs.map(({ transactionHash: transaction, blockNumber, logIndex }) => ({
          transaction,
          blockNumber,
          logIndex,
        }));
      }, READING_MAX_MS),
    async resolve(payment, demand, fromBlock) {
      const question = { payment, demand, fromBlock };
      const [one, other] = endpoints.map((endpoint) => readInTime(question, endpoint));
      if (one === undefined) return unknown('no endpoint is configured');
      const firstWord = await one;
      // A transfer to us in a receipt is proof; nobody has to confirm it.
      return firstWord.kind === 'paid' ? firstWord : combine(firstWord, (await other) ?? null);
    },
    async receipt(transaction, payment, demand) {
      async function ask({ rpc, index }: Endpoint): Promise<ReceiptReading> {
        const reading = await readReceipt(rpc, transaction, { payment, demand });
        note(index, reading.kind === 'unknown' ? reading.reason : null);
        return reading;
      }
      const isLast = ({ kind }: ReceiptReading) => kind === 'paid';
      const said = await askSeveral({ endpoints: inOrder(), ask, isLast, timers, answerMaxMs: READING_MAX_MS });
      const last = said.at(-1);
      if (last?.kind === 'paid') return last;
      const isComplete = said.length === endpoints.length;
      return combineReceipts(isComplete ? said : [...said, { kind: 'unknown', reason: 'an endpoint is silent' }]);
    },
    async probe() {
      const ask = ({ rpc, index }: Endpoint) =>
        rpc.probe().then(
          () => note(index, null),
          (failure: Error) => note(index, failure.message),
        );
      await Promise.all(endpoints.map(ask));
    },
    health() {
      const lastError = failures.find((failure) => failure !== null) ?? null;
      const isRequested = lastOkAtMs !== null || lastError !== null;
      return {
        name: NAME,
        ok: isRequested ? lastOkAtMs !== null && failures.includes(null) : null,
        lastOkAtMs,
        lastError,
      };
    },
  };
}

/** Readings by which the authorization will never pay us. */
const isNever = ({ kind }: Reading) => kind === 'expired' || kind === 'cancelled' || kind === 'consumed_elsewhere';

/**
 * Returns what one or two endpoints say together. `paid` needs one witness, a "no" for good needs
 * all there are, and `unused` is only a look at the moment: an endpoint that is away, or has not
 * yet seen the end, does not stand against it.
 */
export function combine(first: Reading, second: Reading | null): Resolution {
  const readings = second === null ? [first] : [first, second];
  const paid = readings.find(({ kind }) => kind === 'paid');
  if (paid !== undefined) return readings.some(isNever) ? disagreement(readings) : (paid as Resolution);
  const spent = readings.find((reading) => reading.kind === 'spent');
  if (spent !== undefined) return unknown(spent.reason);
  const unused = readings.filter((reading) => reading.kind === 'unused');
  if (unused.length > 0) {
    const isContradicted = readings.some(({ kind }) => kind === 'cancelled' || kind === 'consumed_elsewhere');
    const chainTimeS = Math.max(...unused.map((reading) => reading.chainTimeS));
    return isContradicted ? disagreement(readings) : { kind: 'unused', chainTimeS };
  }
  const away = readings.flatMap((reading) => (reading.kind === 'unavailable' ? [reading.reason] : []));
  if (away.length > 0) return unknown(away.join('; '));
  return readings.every(({ kind }) => kind === first.kind) ? (first as Resolution) : disagreement(readings);
}

function disagreement(readings: readonly Reading[]): Resolution {
  return unknown(`the endpoints disagree: ${readings.map(({ kind }) => kind).join(' and ')}`);
}

function unknown(reason: string): Resolution {
  return { kind: 'unknown', reason };
}
