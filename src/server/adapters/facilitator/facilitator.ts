import { type PaymentDemand, paymentKey, type SignedPayment } from '#domain/payment/payment';
import type { Log } from '#ports/log';
import type { Facilitator, SettleOutcome, Signer, VerifyOutcome } from '#ports/settlement';
import type { Upstream } from '#ports/venue';
import type { Clock } from '#system/clock';
import { toFacilitatorRequest } from '#wire/x402/facilitator';
import { callFacilitator, type FacilitatorCall } from './call.js';
import { createEndpointHealth } from './endpoint-health.js';
import { createWordsLog } from './foreign-words.js';
import { type CallPace, createLane, isFailure, isThrottled, type Lane, type LaneLimits } from './lane.js';
import { toSettleOutcome, toVerifyOutcome } from './outcome.js';

export interface FacilitatorLimits extends Omit<LaneLimits, 'callsInFlightMax' | 'pace'> {
  readonly verifyTimeoutMs: number;
  readonly verifyAttemptsMax: number;
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
  verifyTimeoutMs: 3_000,
  verifyAttemptsMax: 2,
  settleTimeoutMs: 12_000,
  callsInFlightMax: { key: 1_000, contract: 8 },
  // Far below what a facilitator allows, some ten calls a second: it counts both lanes together.
  pace: { key: null, contract: { atOnceMax: 4, perSecondMax: 2 } },
  breakerFailures: 3,
  breakerWindowMs: 30_000,
  breakerPauseMs: 1_000,
  throttleMaxMs: 30_000,
};

export interface FacilitatorOptions {
  /** `/verify`, `/settle` and `/supported` are under it. */
  readonly baseUrl: string;
  /** Headers by which the facilitator knows us, made anew for every request. */
  readonly authorize?: (method: 'GET' | 'POST', url: string) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For what it says in its own words; absent: nobody reads it. */
  readonly log?: Pick<Log, 'warn'>;
  readonly limits?: Partial<FacilitatorLimits>;
}

/**
 * Returns the way to one facilitator: its name is its host. Payments that may be a smart wallet's
 * have a lane of their own, because anybody can send them without end: what goes wrong there holds
 * up nobody else.
 */
export function createFacilitator(options: FacilitatorOptions): Facilitator & Upstream {
  const { clock, authorize = () => ({}) } = options;
  const limits = { ...LIMITS, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const name = new URL(baseUrl).host;
  const laneOf = (signer: Signer) =>
    createLane(name, clock, {
      ...limits,
      callsInFlightMax: limits.callsInFlightMax[signer],
      pace: limits.pace[signer],
    });
  const lanes: Readonly<Record<Signer, Lane>> = { key: laneOf('key'), contract: laneOf('contract') };
  const endpoints = createEndpointHealth(clock);
  const logWords = options.log === undefined ? null : createWordsLog(options.log, clock, name);

  async function post(path: string, body: string, timeoutMs: number, signer: Signer): Promise<FacilitatorCall> {
    const url = baseUrl + path;
    const call = await callFacilitator({ url, headers: authorize('POST', url), body, timeoutMs });
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
   * settles. A 404 is an answer of one that does not list what it supports.
   */
  function supported(): Promise<FacilitatorCall> {
    const url = `${baseUrl}/supported`;
    const { verifyTimeoutMs: timeoutMs } = limits;
    return callFacilitator({ url, headers: authorize('GET', url), body: null, timeoutMs });
  }

  function note(endpoint: string, call: FacilitatorCall, isWell: boolean): void {
    endpoints.note(endpoint, isWell ? null : describe(call));
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
      const verifying = () => ask('/verify', limits.verifyTimeoutMs, { payment, demand, signer });
      let call = await verifying();
      for (let attempts = 1; attempts < attemptsMax && isFailure(call); attempts++) call = await verifying();
      if (call.kind !== 'answer') return { kind: 'unavailable', reason: call.reason };
      return toVerifyOutcome(call, payment.authorization.from);
    },
    async settle(payment, demand, signer): Promise<SettleOutcome> {
      const call = await ask('/settle', limits.settleTimeoutMs, { payment, demand, signer });
      if (call.kind === 'answer') return toSettleOutcome(call, payment.authorization.from);
      return call.kind === 'not_sent' ? call : { kind: 'unknown', reason: call.reason, transaction: null };
    },
    async probe() {
      const call = await supported();
      const isWell = call.kind === 'answer' && (call.status === 404 || (call.status < 300 && call.body !== undefined));
      note('GET /supported', call, isWell);
      if (!isWell) logWords?.('/supported', call);
    },
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
