import { nextRefreshOf, nextRefreshOfText, textOf, withPaid } from '#api/written-answer';
import type { Bearer } from '#domain/credits/token';
import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import { type AnswerLookup, answerKeys, type CallIdentity, type ChargeRequest } from '../credits/charges.js';
import type { Credits } from '../credits/credits.js';
import type { GateResult } from './call.js';
import { idempotencyKeyFault } from './idempotency.js';
import { RunningRequests } from './running-requests.js';
import { FreeAnswer, toFree } from './tool.js';
import type { ToolCall } from './tool-call.js';
import type { Turn, UnpaidWork } from './unpaid-work.js';

/** What the lane needs of the credits service. */
export type LaneCredits = Pick<Credits, 'authenticate' | 'balanceOf' | 'findAnswer' | 'charge'>;

export interface CreditsLane {
  /**
   * Answers a call with a valid token. Throws or rejects with a Problem, or with whatever the tool
   * or the store rejected with.
   */
  run(bearer: Bearer, called: ToolCall): MaybePromise<GateResult>;
  /**
   * Returns the answer that a call with this payment has been debited for; null: none. Rejects as
   * the store does.
   */
  findPaid(called: ToolCall): Promise<GateResult | null>;
}

/**
 * One call whose parameters are understood: what will be charged, and the work. Every wait of the
 * work has its own limit.
 */
interface LaneCall {
  readonly bearer: Bearer;
  readonly tool: string;
  readonly credits: number;
  readonly requestId: string;
  readonly work: () => MaybePromise<object | FreeAnswer>;
  readonly isCached: () => boolean;
  readonly isGone: () => boolean;
  /** Waits for the turn to work that is not at hand; null: there are no turns. */
  readonly turn: (() => Promise<Turn>) | null;
}

const refuse = (problem: Problem): GateResult => ({ kind: 'bad_request', problem });
const conflict = (): GateResult =>
  refuse(
    new Problem(
      'idempotency_conflict',
      'this Idempotency-Key was used for another request: use a new key for a new request',
    ),
  );
/** Nobody reads it: the client has left before anything was charged. */
const clientLeft = (): GateResult =>
  refuse(new Problem('malformed_request', 'the connection was closed before the answer; nothing was charged'));
const replayed = ({ body, madeAtMs }: { readonly body: string; readonly madeAtMs: number }): GateResult => ({
  kind: 'answered',
  body,
  nextRefreshS: nextRefreshOfText(body),
  replayed: true,
  madeAtMs,
});

/**
 * Returns the credits lane: parameters, repeat, balance (before work that is not at hand), work,
 * debit. Only an answer is charged, and a request with an Idempotency-Key or a payment is answered
 * and charged once, however often and at whatever moment it is repeated.
 */
export function createCreditsLane(credits: LaneCredits, unpaid: UnpaidWork): CreditsLane {
  const running = new RunningRequests<GateResult>();

  function run(bearer: Bearer, called: ToolCall): MaybePromise<GateResult> {
    const { name, tool, call, request } = called;
    if (request instanceof Problem) return refuse(request);
    const { requestId, idempotencyKey: key, payment, isGone = () => false } = call;
    const holder = holderOf(bearer);
    const { isCached } = request;
    const work = () => request.run(holder);
    const turn = tool.countsUnpaid ? () => unpaid.turn({ bearer: holder, caller: call.caller }) : null;
    const laneCall = { bearer, tool: name, credits: tool.credits, requestId, work, isCached, isGone, turn };
    if (key === null && payment.kind !== 'payment') return answer(credits, laneCall, null);
    const keyFault = idempotencyKeyFault(key);
    if (keyFault !== null) return refuse(keyFault);
    const identity = identityOf(called);
    const joined = running.join(joinedBy(bearer, identity), identity.fingerprint, () =>
      answerOnce(credits, laneCall, identity),
    );
    if (joined.kind === 'conflict') return conflict();
    return joined.kind === 'joined' ? repeated(joined.result) : joined.result;
  }

  return {
    run,
    async findPaid(called) {
      const { paymentAnswer } = called;
      if (paymentAnswer === null) return null;
      const found = await credits.findAnswer(paymentAnswer, called.fingerprint);
      return found.kind === 'found' ? replayed(found) : null;
    },
  };
}

function identityOf({ call: { idempotencyKey: key }, fingerprint, paymentAnswer: payment }: ToolCall): CallIdentity {
  return payment === null ? { key, fingerprint } : { key, fingerprint, payment };
}

/** Names what copies of a call wait for: its key, or else its payment. */
function joinedBy(bearer: Bearer, identity: CallIdentity): string {
  const { wallet, code, key } = answerKeys(bearer, identity)[0]!;
  return `${wallet} ${code ?? ''} ${key}`;
}

async function repeated(running: Promise<GateResult>): Promise<GateResult> {
  const result = await running;
  return result.kind === 'answered' ? { ...result, replayed: true } : result;
}

/**
 * Whose free work it is: the wallet's, wherever it calls from. Anybody can have a promo token of
 * any wallet, so its code is named.
 */
function holderOf({ wallet, code }: Bearer): string {
  return code === null ? wallet : `${wallet} ${code}`;
}

async function answerOnce(credits: LaneCredits, call: LaneCall, identity: CallIdentity): Promise<GateResult> {
  const earlier = await findEarlier(credits, call, identity);
  if (earlier.kind === 'found') return replayed(earlier);
  return earlier.kind === 'conflict' ? conflict() : answer(credits, call, identity);
}

/** Looks under the call's key first, and then under its payment. */
async function findEarlier(credits: LaneCredits, { bearer }: LaneCall, identity: CallIdentity): Promise<AnswerLookup> {
  let found: AnswerLookup = { kind: 'none' };
  for (const answerKey of answerKeys(bearer, identity)) {
    found = await credits.findAnswer(answerKey, identity.fingerprint);
    if (found.kind !== 'none') break;
  }
  return found;
}

function answer(credits: LaneCredits, call: LaneCall, idempotency: CallIdentity | null): Promise<GateResult> {
  // Work at hand costs nobody anything, and the debit refuses as well as the balance does.
  return call.isCached()
    ? answerNow(credits, call, idempotency, { isCached: true })
    : answerInTurn(credits, call, idempotency);
}

async function answerInTurn(
  credits: LaneCredits,
  call: LaneCall,
  idempotency: CallIdentity | null,
): Promise<GateResult> {
  const turn = (await call.turn?.()) ?? null;
  try {
    const work = () => {
      turn?.begun();
      return call.work();
    };
    const result = await answerNow(credits, { ...call, work }, idempotency, { isCached: false });
    if (result.kind === 'answered' && !result.replayed) turn?.charged();
    return result;
  } finally {
    turn?.end();
  }
}

async function answerNow(
  credits: LaneCredits,
  call: LaneCall,
  idempotency: CallIdentity | null,
  { isCached }: { readonly isCached: boolean },
): Promise<GateResult> {
  const exhausted = isCached ? null : await findExhausted(credits, call, idempotency);
  if (exhausted !== null) return exhausted;
  // With a key or a payment the answer can be had again, and copies of other clients may wait for it.
  const isLost = () => idempotency === null && call.isGone();
  if (isLost()) return clientLeft();
  let made: object | FreeAnswer;
  try {
    const work = call.work();
    made = work instanceof Promise ? await work : work;
  } catch (error) {
    const alsoExhausted = isCached ? await findExhausted(credits, call, idempotency) : null;
    if (alsoExhausted === null) throw error;
    return alsoExhausted;
  }
  if (made instanceof FreeAnswer) return toFree(made);
  return isLost() ? clientLeft() : await debit(credits, { ...call, isGone: isLost }, idempotency, made);
}

async function debit(
  credits: LaneCredits,
  { bearer, tool, credits: cost, requestId, isGone }: LaneCall,
  idempotency: CallIdentity | null,
  made: object,
): Promise<GateResult> {
  const render = renderer(made);
  const charge = await credits.charge({ bearer, tool, credits: cost, requestId, idempotency, isGone, render });
  switch (charge.kind) {
    case 'charged': {
      const { body, madeAtMs } = charge;
      return { kind: 'answered', body, nextRefreshS: nextRefreshOf(made), replayed: false, madeAtMs };
    }
    case 'replayed':
      return replayed(charge);
    case 'conflict':
      return conflict();
    case 'gone':
      return clientLeft();
    case 'insufficient':
      return insufficient(charge.balance, charge.required);
  }
}

/** Returns the answer to a call that the balance does not pay for, or null if it does. */
async function findExhausted(
  credits: LaneCredits,
  call: LaneCall,
  idempotency: CallIdentity | null,
): Promise<GateResult | null> {
  const { bearer, credits: cost } = call;
  const { balance } = await credits.balanceOf(bearer);
  if (balance >= cost) return null;
  if (idempotency === null) return insufficient(balance, cost);
  // Another replica may have charged this call after it was looked up here: that took the credits
  // which are missing now.
  const earlier = await findEarlier(credits, call, idempotency);
  return earlier.kind === 'found' ? replayed(earlier) : insufficient(balance, cost);
}

/** The answer becomes text here, before the store's write lock is taken. */
function renderer(answer: object): ChargeRequest['render'] {
  const text = textOf(answer);
  return ({ creditsUsed, creditsRemaining }) =>
    withPaid(text, { credits_used: creditsUsed, credits_remaining: creditsRemaining });
}

function insufficient(balance: number, required: number): GateResult {
  const reason =
    `credits are exhausted: this token has ${balance} left and the call costs ${required}; buy credits at POST /api/credits ` +
    'or redeem a code at POST /api/redeem, or pay for this call';
  return { kind: 'payment_required', code: 'insufficient_credits', reason, credits: { balance, required } };
}
