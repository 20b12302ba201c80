import { type Backoff, backoffMs } from '#domain/backoff';
import type { PaymentStepInputs, PaymentSteps } from '#machines/payment-events';
import type { PaymentDeps } from './contract.js';
import { settlerFor } from './facilitators.js';
import type { PaymentInWork } from './in-work.js';
import { toAttemptEvent, toChainEvent } from './outcomes.js';
import { writeIntent } from './records.js';

/** The RPC endpoint that gave the newest block may be ahead of the one that is asked next. */
const RPC_LAG_BLOCKS = 3;
/** A longer part of the chain is hardly made anew; an endpoint that is further behind is not asked. */
const REORGANIZED_BLOCKS_MAX = 20;
/** Pauses between attempts while a client waits; half of each is by chance. */
const PAUSE: Backoff = { minMs: 250, maxMs: 2_000 };
/**
 * While no client waits all payments look at the chain in the same moment, once in a block: what is
 * asked together is one question.
 */
const RECONCILE_INTERVAL_MS = 2_000;

/**
 * Writes the intent, with the block from which on the transfer will be looked for. What is unspent
 * now is spent later, in whatever block: a reorganization may put the transfer far below the newest
 * one of now. What is spent already was it before its request, or in its last moments.
 */
export async function recordIntent(
  inWork: PaymentInWork,
  { epoch, answer }: PaymentStepInputs['recordIntent'],
  deps: PaymentDeps,
): ReturnType<PaymentSteps['recordIntent']> {
  const state = await deps.chain.stateAtHead(inWork.payment, inWork.recorded.demand);
  if (state === null) return { type: 'payment.unavailable', reason: 'the chain cannot be read' };
  const back = state.isSpent === false ? REORGANIZED_BLOCKS_MAX : RPC_LAG_BLOCKS;
  const intentBlock = Math.max(0, state.blockNumber - back);
  return writeIntent(inWork, { epoch, answer, intentBlock }, deps);
}

/**
 * Sends the authorization to the next facilitator of the list, which goes round. The owner alone
 * does so: a process that was paused looks first whether it still is.
 */
export async function settle(
  inWork: PaymentInWork,
  { epoch, facilitator: turn }: PaymentStepInputs['settle'],
  deps: PaymentDeps,
): ReturnType<PaymentSteps['settle']> {
  const { ids, payment, signer, recorded } = inWork;
  const { lease, facilitators, log } = deps;
  const facilitator = settlerFor(signer, facilitators, turn);
  if (facilitator === undefined) return { type: 'attempt.not_sent', reason: 'no facilitator is configured' };
  const mayBeTaken = lease.term !== inWork.term || recorded.isUnattended === true;
  if (mayBeTaken && !(await isStillOurs(inWork, epoch, deps))) return { type: 'payment.lost' };
  if (!lease.isHeld()) return { type: 'attempt.not_sent', reason: 'this process could not renew its lease' };
  const outcome = await facilitator.settle(payment, recorded.demand, signer);
  log.info({ ...ids, facilitator: facilitator.name, ...outcome }, 'settlement attempted');
  return toAttemptEvent(outcome, facilitator.name);
}

/**
 * Others may have taken this process for dead, or the payment for left, since it became the owner.
 */
async function isStillOurs(inWork: PaymentInWork, epoch: number, { store, lease }: PaymentDeps): Promise<boolean> {
  const { term } = lease;
  const row = await store.payment(inWork.key);
  if (row?.owner !== lease.id || row.epoch !== epoch) return false;
  inWork.term = term;
  return true;
}

/** Asks the chain what became of the authorization since the intent. */
export async function resolve(
  { payment, recorded }: PaymentInWork,
  { chain }: PaymentDeps,
): ReturnType<PaymentSteps['resolve']> {
  return toChainEvent(await chain.resolve(payment, recorded.demand, recorded.intentBlock));
}

/** Lets time pass: little after few attempts while a client waits. */
export async function pause(
  { attempts, clientWaiting }: Omit<PaymentStepInputs['pause'], 'key' | 'epoch'>,
  { clock, timers, random }: Pick<PaymentDeps, 'clock' | 'timers' | 'random'>,
  signal: AbortSignal,
): ReturnType<PaymentSteps['pause']> {
  const ms = clientWaiting
    ? backoffMs(PAUSE, Math.max(0, attempts - 1), random.next())
    : RECONCILE_INTERVAL_MS - (clock.elapsedMs() % RECONCILE_INTERVAL_MS);
  await timers.sleep(ms, signal);
  return { type: 'pause.ended' };
}
