import { type PaymentDemand, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { Log } from '#ports/log';
import type { Facilitator, SettleOutcome, Signer, VerifyOutcome } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import { HEDGE_AFTER_MS } from '#system/ask-several';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { listsOurTerms, toFacilitatorRequest } from '#wire/x402/facilitator';
import { callFacilitator, type FacilitatorCall } from './call.js';
import { createEndpointHealth } from './endpoint-health.js';
import { createWordsLog } from './foreign-words.js';
import { type CallPace, createLane, isFailure, isLate, isThrottled, type Lane, type LaneLimits } from './lane.js';
import { toSettleOutcome, toVerifyOutcome } from './outcome.js';

export interface FacilitatorLimits extends Omit<LaneLimits, 'callsInFlightMax' | 'pace'> {
  /** All tries of one verification together. */
  readonly verifyTimeoutMs: number;
  readonly verifyAttemptsMax: number;
  /** What is listed without work is listed at once, or nobody is there. */
  readonly supportedTimeoutMs: number;
  /**
   * A settlement waits for a block; it is never repeated here, because the chain has to be asked
   * first.
   */
  readonly settleTimeoutMs: number;
  /** Calls to one endpoint under way at once, by who signed, and how fast they may come. */
  readonly callsInFlightMax: Readonly<Record<Signer, number>>;
  readonly pace: Readonly<Record<Signer, CallPace | null>>;
}

const LIMITS: FacilitatorLimits = {
  verifyTimeoutMs: 2_000,
  verifyAttemptsMax: 2,
  supportedTimeoutMs: 800,
  settleTimeoutMs: 12_000,
  callsInFlightMax: { key: 1_000, contract: 8 },
  // Far below what a facilitator allows, some ten calls a second: it counts both lanes together.
  pace: { key: null, contract: { atOnceMax: 4, perSecondMax: 2 } },
  breakerFailures: 3,
  breakerWindowMs: 30_000,
  breakerPauseMs: 1_000,
  throttleMaxMs: 30_000,
};

/** Statuses by which what is no payment is turned away unread. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 404, 405]);
/** How often a facilitator is asked whether it is there, while a settlement waits for its block. */
const THERE_INTERVAL_MS = 1_000;

export interface FacilitatorOptions {
  /** What it is called in logs, metrics and sums; absent: its host. */
  readonly name?: string;
  /** `/verify`, `/settle` and `/supported` are under it. */
  readonly baseUrl: string;
  /** Headers by which the facilitator knows us, made anew for every request. */
  readonly authorize?: (method: 'GET' | 'POST', url: string) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** For what it says in its own words; absent: nobody reads it. */
  readonly log?: Pick<Log, 'warn'>;
  readonly limits?: Partial<FacilitatorLimits>;
}

/**
 * Returns the way to one facilitator. Payments that may be a smart wallet's
 * have a lane of their own, because anybody can send them without end: what goes wrong there holds
 * up nobody else.
 */
export function createFacilitator(options: FacilitatorOptions): Facilitator & Upstream {
  const { clock, timers, authorize = () => ({}) } = options;
  const limits = { ...LIMITS, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { name = new URL(baseUrl).host } = options;
  const laneOf = (signer: Signer) =>
    createLane(name, clock, {
      ...limits,
      callsInFlightMax: limits.callsInFlightMax[signer],
      pace: limits.pace[signer],
    });
  const lanes: Readonly<Record<Signer, Lane>> = { key: laneOf('key'), contract: laneOf('contract') };
  const endpoints = createEndpointHealth(clock);
  let heardAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<FacilitatorCall> | null = null;
  const logWords = options.log === undefined ? null : createWordsLog(options.log, clock, name);

  async function post(path: string, body: string, timeoutMs: number, signer: Signer): Promise<FacilitatorCall> {
    const url = baseUrl + path;
    const call = await callFacilitator({ url, headers: authorize('POST', url), body, timeoutMs });
    if (!isLate(call)) heardAtMs = clock.elapsedMs();
    if (isThrottled(call)) pause(call, signer);
    if (signer === 'key') logWords?.(path, call);
    const isWell = !isFailure(call) && !isThrottled(call);
    // What a stranger's signature made fail says nothing about the endpoint.
    if (isWell || signer === 'key') note(`POST ${path}`, call, isWell);
    return call;
  }

  /** Those whose signature is proven wait only if it was one of them that was too much. */
  function pause(call: FacilitatorCall, signer: Signer): void {
    const retryAfter = call.kind === 'answer' ? call.retryAfter : null;
    lanes.contract.pause(retryAfter);
    if (signer === 'key') lanes.key.pause(retryAfter);
  }

  /**
   * Asked beside the lanes: an answer says that the facilitator is there and knows us, not that it
   * settles. A 404 is an answer of one that does not list what it supports, but verifies.
   */
  async function askSupported(): Promise<FacilitatorCall> {
    const url = `${baseUrl}/supported`;
    const { supportedTimeoutMs: timeoutMs } = limits;
    for (const lane of Object.values(lanes)) lane.noteAsked();
    const call = await callFacilitator({ url, headers: authorize('GET', url), body: null, timeoutMs });
    const isListed = call.kind === 'answer' && call.status < 300 && call.body !== undefined;
    const isOther = isListed && listsOurTerms(call.body) === false;
    const isWell = (isListed && !isOther) || (call.kind === 'answer' && call.status === 404 && (await verifies()));
    if (!isLate(call)) {
      heardAtMs = clock.elapsedMs();
      for (const lane of Object.values(lanes)) lane.noteHeard();
    }
    if (isWell) {
      endpoints.noteThere();
      for (const lane of Object.values(lanes)) lane.noteThere();
    } else logWords?.('/supported', call);
    note(
      'GET /supported',
      call,
      isWell,
      isOther ? 'lists no exact payments on Base in x402 version 2' : describe(call),
    );
    return call;
  }

  /** Whether it answers a request that is none as an API does. */
  async function verifies(): Promise<boolean> {
    const url = `${baseUrl}/verify`;
    const { supportedTimeoutMs: timeoutMs } = limits;
    const call = await callFacilitator({ url, headers: authorize('POST', url), body: '{}', timeoutMs });
    return call.kind === 'answer' && call.body !== undefined && !TURNED_AWAY.has(call.status);
  }

  /** One question serves all who have it. */
  function supported(): Promise<FacilitatorCall> {
    looking ??= askSupported().finally(() => {
      looking = null;
    });
    return looking;
  }

  /**
   * Resolves as a settlement does, which waits for a block; but as lost once the facilitator does
   * not even say what it supports. The call itself goes on, and what it does the chain shows.
   */
  function unlessSilent(settling: Promise<FacilitatorCall>): Promise<FacilitatorCall> {
    return new Promise((resolve) => {
      let isOver = false;
      let cancel = timers.after(HEDGE_AFTER_MS, look);
      const end = (call: FacilitatorCall) => {
        isOver = true;
        cancel();
        resolve(call);
      };
      void settling.then(end);
      async function look(): Promise<void> {
        const isThere = clock.elapsedMs() - heardAtMs < HEDGE_AFTER_MS || !isLate(await supported());
        if (isOver) return;
        if (isThere) cancel = timers.after(THERE_INTERVAL_MS, look);
        else end({ kind: 'lost', reason: 'it is silent: not even /supported is answered', isLate: true });
      }
    });
  }

  function note(endpoint: string, call: FacilitatorCall, isWell: boolean, fault = describe(call)): void {
    endpoints.note(endpoint, isWell ? null : fault, call.kind !== 'answer');
  }

  const ask = (path: string, timeoutMs: number, { payment, demand, signer }: Requested) => {
    const body = () => JSON.stringify(toFacilitatorRequest(payment, demand));
    return lanes[signer].call(path, paymentKey(payment), async () => post(path, body(), timeoutMs, signer));
  };

  return {
    name,
    isResting: (signer) => lanes[signer].isResting(),
    async verify(payment, demand, signer): Promise<VerifyOutcome> {
      // One that is asked for want of a better is asked once.
      const attemptsMax = lanes[signer].isResting() ? 1 : limits.verifyAttemptsMax;
      const endMs = clock.elapsedMs() + limits.verifyTimeoutMs;
      const leftMs = () => Math.ceil(endMs - clock.elapsedMs());
      const verifying = () => ask('/verify', leftMs(), { payment, demand, signer });
      let call = await verifying();
      for (let tries = 1; tries < attemptsMax && isFailure(call) && leftMs() > 0; tries++) call = await verifying();
      if (call.kind !== 'answer') return { kind: 'unavailable', reason: call.reason };
      return toVerifyOutcome(call, payment.authorization.from);
    },
    async settle(payment, demand, signer): Promise<SettleOutcome> {
      const call = await unlessSilent(ask('/settle', limits.settleTimeoutMs, { payment, demand, signer }));
      if (call.kind === 'answer') return toSettleOutcome(call, payment.authorization.from);
      return call.kind === 'not_sent' ? call : { kind: 'unknown', reason: call.reason, transaction: null };
    },
    probe: async () => void (await supported()),
    health: () => endpoints.health(name),
  };
}

/** Only a verdict of the protocol is a word about a payment. */
function describe(call: FacilitatorCall): string {
  if (call.kind !== 'answer') return call.reason;
  const isOdd = !isThrottled(call) && call.status < 500;
  return isOdd ? `answered ${call.status} with something else than x402` : `answered ${call.status}`;
}

interface Requested {
  readonly payment: SignedPayment;
  readonly demand: PaymentDemand;
  readonly signer: Signer;
}
