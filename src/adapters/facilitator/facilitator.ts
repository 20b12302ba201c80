import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  circuitBreaker,
  handleWhenResult,
  type IBreaker,
} from 'cockatiel';
import { OutsideError } from '#domain/errors';
import type { PaymentDemand, SignedPayment } from '#domain/payment/payment';
import type { Clock } from '#ports/clock';
import type { Facilitator, SettleOutcome, VerifyOutcome } from '#ports/settlement';
import type { Stopwatch } from '#ports/stopwatch';
import type { Upstream } from '#ports/venue';
import { toFacilitatorRequest } from '#wire/x402/facilitator';
import { breakerPause } from '../http-client/breaker-pause.js';
import { toHealth } from '../http-client/health.js';
import { createThrottle } from '../http-client/throttle.js';
import { callFacilitator, type FacilitatorCall } from './call.js';
import { isFault, toSettleOutcome, toVerifyOutcome } from './outcome.js';

export interface FacilitatorLimits {
  readonly verifyTimeoutMs: number;
  readonly verifyAttemptsMax: number;
  /** A settlement waits for a block; it is never repeated here, because the chain has to be asked first. */
  readonly settleTimeoutMs: number;
  /** So many failures in so long, with no success between them, and the facilitator is left alone for the pause. */
  readonly breakerFailures: number;
  readonly breakerWindowMs: number;
  readonly breakerPauseMs: number;
  /** The longest Retry-After that is believed. */
  readonly throttleMaxMs: number;
}

const LIMITS: FacilitatorLimits = {
  verifyTimeoutMs: 3_000,
  verifyAttemptsMax: 2,
  settleTimeoutMs: 12_000,
  breakerFailures: 3,
  breakerWindowMs: 30_000,
  breakerPauseMs: 30_000,
  throttleMaxMs: 30_000,
};

export interface FacilitatorOptions {
  /** `/verify`, `/settle` and `/supported` are under it. */
  readonly baseUrl: string;
  /** Headers by which the facilitator knows us, made anew for every request. */
  readonly authorize?: (method: 'GET' | 'POST', url: string) => Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly limits?: Partial<FacilitatorLimits>;
}

/** Returns the way to one facilitator: its name is its host. While its circuit is open it is not asked. */
export function createFacilitator(options: FacilitatorOptions): Facilitator & Upstream {
  const { clock, authorize = () => ({}) } = options;
  const limits = { ...LIMITS, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const name = new URL(baseUrl).host;
  const throttle = createThrottle({ upstream: name, clock, waitMaxMs: 0, pauseMaxMs: limits.throttleMaxMs });
  const circuit = createCircuit(clock, limits);
  let lastOkAtMs: number | null = null;
  let lastError: string | null = null;

  async function post(path: string, body: string, timeoutMs: number): Promise<FacilitatorCall> {
    const url = baseUrl + path;
    const call = await callFacilitator({ url, headers: authorize('POST', url), body, timeoutMs });
    if (call.kind === 'answer' && call.status === 429) throttle.begin(call.retryAfter);
    note(call, `POST ${path}`, !isFailure(call));
    return call;
  }

  /**
   * Asked beside the circuit: an answer says that the facilitator is there and knows us, not that it settles. A 404 is an
   * answer of one that does not list what it supports.
   */
  function supported(): Promise<FacilitatorCall> {
    const url = `${baseUrl}/supported`;
    const { verifyTimeoutMs: timeoutMs } = limits;
    return callFacilitator({ url, headers: authorize('GET', url), body: null, timeoutMs });
  }

  function note(call: FacilitatorCall, what: string, isWell: boolean): void {
    if (isWell) {
      lastOkAtMs = clock.nowMs();
      lastError = null;
    } else {
      lastError = `${what}: ${call.kind === 'answer' ? `answered ${call.status}` : call.reason}`;
    }
  }

  /** What goes wrong here goes wrong before anything is sent: `post` itself does not reject. */
  async function ask(path: string, body: string, timeoutMs: number): Promise<FacilitatorCall> {
    try {
      await throttle.pass();
      return await circuit.execute(() => post(path, body, timeoutMs));
    } catch (error) {
      if (error instanceof BrokenCircuitError) return { kind: 'not_sent', reason: 'failed too often; left alone' };
      if (error instanceof OutsideError) return { kind: 'not_sent', reason: 'wants fewer calls (429)' };
      return { kind: 'not_sent', reason: 'the request could not be made' };
    }
  }

  const bodyOf = (payment: SignedPayment, demand: PaymentDemand) =>
    JSON.stringify(toFacilitatorRequest(payment, demand));

  return {
    name,
    async verify(payment, demand): Promise<VerifyOutcome> {
      const body = bodyOf(payment, demand);
      let call = await ask('/verify', body, limits.verifyTimeoutMs);
      for (let attempts = 1; attempts < limits.verifyAttemptsMax && isFailure(call); attempts++) {
        call = await ask('/verify', body, limits.verifyTimeoutMs);
      }
      if (call.kind !== 'answer') return { kind: 'unavailable', reason: call.reason };
      return toVerifyOutcome(call, payment.authorization.from);
    },
    async settle(payment, demand): Promise<SettleOutcome> {
      const call = await ask('/settle', bodyOf(payment, demand), limits.settleTimeoutMs);
      if (call.kind === 'answer') return toSettleOutcome(call, payment.authorization.from);
      return call.kind === 'not_sent' ? call : { kind: 'unknown', reason: call.reason, transaction: null };
    },
    async probe() {
      const call = await supported();
      note(call, 'GET /supported', call.kind === 'answer' && (call.status < 300 || call.status === 404));
    },
    health: () => toHealth(name, lastOkAtMs, lastError),
  };
}

function isFailure(call: FacilitatorCall): boolean {
  return call.kind !== 'answer' || isFault(call);
}

function createCircuit(stopwatch: Stopwatch, limits: FacilitatorLimits): CircuitBreakerPolicy {
  const policy = handleWhenResult((call) => isFailure(call as FacilitatorCall));
  return circuitBreaker(policy, {
    halfOpenAfter: breakerPause(stopwatch, limits.breakerPauseMs),
    breaker: new RecentFailures(stopwatch, limits),
  });
}

type BreakerLimits = Pick<FacilitatorLimits, 'breakerFailures' | 'breakerWindowMs'>;

/**
 * Opens after so many failures in so long. A success takes them back: else anybody whose payments make the facilitator
 * stumble could close it for everybody.
 */
class RecentFailures implements IBreaker {
  readonly #stopwatch: Stopwatch;
  readonly #limits: BreakerLimits;
  state: number[] = [];

  constructor(stopwatch: Stopwatch, limits: BreakerLimits) {
    this.#stopwatch = stopwatch;
    this.#limits = limits;
  }

  success(): void {
    this.state = [];
  }

  failure(): boolean {
    const nowMs = this.#stopwatch.elapsedMs();
    this.state = [...this.state.filter((atMs) => nowMs - atMs < this.#limits.breakerWindowMs), nowMs];
    return this.state.length >= this.#limits.breakerFailures;
  }
}
