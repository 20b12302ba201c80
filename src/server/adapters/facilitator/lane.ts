import { OutsideError } from '#domain/errors';
import type { Clock } from '#system/clock';
import { createSilence } from '../http-client/silence.js';
import { createThrottle } from '../http-client/throttle.js';
import type { FacilitatorCall } from './call.js';
import { type CircuitLimits, createCircuit } from './circuit.js';
import { isFault } from './outcome.js';

/** Calls to one endpoint that may come at once, and in each second from then on. */
export interface CallPace {
  readonly atOnceMax: number;
  readonly perSecondMax: number;
}

export interface LaneLimits extends CircuitLimits {
  /** Calls of the lane to one endpoint under way at once; more are not sent. */
  readonly callsInFlightMax: number;
  /** How fast they may come; null: as fast as they do. */
  readonly pace: CallPace | null;
  /** The longest Retry-After that is believed. */
  readonly throttleMaxMs: number;
}

/** The calls of one kind of payers to one facilitator, with what they alone are held up by. */
export interface Lane {
  /** Whether the next call had better go to another facilitator. */
  isResting(): boolean;
  /**
   * Makes the call unless the lane is full or asked to pause. Never rejects: what `send` rejects
   * with was not sent.
   */
  call(endpoint: string, payment: string, send: () => Promise<FacilitatorCall>): Promise<FacilitatorCall>;
  /** Makes no calls for as long as a 429 said. */
  pause(retryAfter: string | null): void;
  /** Something else that the facilitator answers at once was asked. */
  noteAsked(): void;
  /** The facilitator has answered something: it is not silent. */
  noteHeard(): void;
  /** It has answered that well. */
  noteThere(): void;
}

/** Its answer waits for a block: that it takes long says nothing. */
const SLOW_ENDPOINT = '/settle';

/** Returns a lane on which nothing has failed. */
export function createLane(upstream: string, clock: Clock, limits: LaneLimits): Lane {
  const throttle = createThrottle({ upstream, clock, waitMaxMs: 0, pauseMaxMs: limits.throttleMaxMs });
  const circuit = createCircuit(clock, limits);
  const silence = createSilence(clock);
  const inFlight = new Map<string, number>();
  const hasToken = limits.pace === null ? () => true : createBuckets(clock, limits.pace);
  const countOf = (endpoint: string) => inFlight.get(endpoint) ?? 0;

  async function send(payment: string, make: () => Promise<FacilitatorCall>): Promise<FacilitatorCall> {
    const call = await make();
    if (!isLate(call)) silence.heard();
    if (isFailure(call)) circuit.fail(payment);
    else if (!isThrottled(call)) circuit.succeed();
    return call;
  }

  return {
    isResting: () => circuit.isOpen() || silence.isSilent(),
    async call(endpoint, payment, make) {
      const { callsInFlightMax: max } = limits;
      if (countOf(endpoint) >= max) return { kind: 'not_sent', reason: `${max} such calls are under way` };
      if (!hasToken(endpoint)) return { kind: 'not_sent', reason: 'there were too many such calls just now' };
      inFlight.set(endpoint, countOf(endpoint) + 1);
      // Before anything is waited for: of several that come at once one is let through to see.
      circuit.begin();
      try {
        await throttle.pass();
        if (endpoint !== SLOW_ENDPOINT) silence.asked();
        return await send(payment, make);
      } catch (error) {
        if (error instanceof OutsideError) return { kind: 'not_sent', reason: 'wants fewer calls (429)' };
        return { kind: 'not_sent', reason: 'the request could not be made' };
      } finally {
        inFlight.set(endpoint, countOf(endpoint) - 1);
      }
    },
    pause: (retryAfter) => void throttle.begin(retryAfter),
    noteAsked: silence.asked,
    noteHeard: silence.heard,
    noteThere: circuit.noteThere,
  };
}

/** Returns a way to take a token for a call; false: none is left of this endpoint's. */
function createBuckets(clock: Clock, { atOnceMax, perSecondMax }: CallPace): (endpoint: string) => boolean {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (endpoint) => {
    const nowMs = clock.elapsedMs();
    const { tokens, atMs } = buckets.get(endpoint) ?? { tokens: atOnceMax, atMs: nowMs };
    const left = Math.min(atOnceMax, tokens + ((nowMs - atMs) / 1e3) * perSecondMax);
    buckets.set(endpoint, { tokens: left < 1 ? left : left - 1, atMs: nowMs });
    return left >= 1;
  };
}

/** A 429 is no failure: the facilitator is well and wants a pause. */
export function isFailure(call: FacilitatorCall): boolean {
  return call.kind !== 'answer' || (!isThrottled(call) && isFault(call));
}

/** Whether the endpoint was asked and nothing came back. */
export function isLate(call: FacilitatorCall): boolean {
  return call.kind === 'lost' && call.isLate === true;
}

/** Whether it was answered that there were too many calls. */
export function isThrottled(call: FacilitatorCall): boolean {
  return call.kind === 'answer' && call.status === 429;
}
