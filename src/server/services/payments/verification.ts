import { Problem } from '#domain/errors';
import { notYetValid, type PaymentDemand, START_WAIT_S } from '#domain/payment/payment';
import type { PaymentSteps } from '#machines/payment-events';
import type { Facilitator, VerifyOutcome } from '#ports/settlement';
import { askSeveral } from '#system/ask-several';
import type { PaymentDeps } from './contract.js';
import { verifiersFor } from './facilitators.js';
import type { PaymentInWork } from './in-work.js';
import { freeze, isCached } from './work.js';

type VerifyDeps = Pick<PaymentDeps, 'facilitators' | 'refused' | 'log' | 'chain' | 'clock' | 'timers'>;

/** The newest block is seldom older than this: what began before has begun for the chain too. */
const CHAIN_LAG_S = 10;
const LOOK_MS = 500;
/** All facilitators together. A caller hears of an outage within three seconds. */
const VERIFY_MAX_MS = 2_400;

/** Why a payment is released, or that it is good. */
type Verified =
  | { readonly kind: 'valid' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * Verifies the payment, and makes the answer after that: for somebody who may not pay nothing is
 * queued and nothing asked of the venue. An answer that is at hand is made meanwhile.
 */
export async function prepare(inWork: PaymentInWork, deps: VerifyDeps): ReturnType<PaymentSteps['prepare']> {
  try {
    return await verifyAndAnswer(inWork, deps);
  } finally {
    inWork.giveBack();
  }
}

async function verifyAndAnswer(inWork: PaymentInWork, deps: VerifyDeps): ReturnType<PaymentSteps['prepare']> {
  const work = inWork.requested;
  const notYet = await awaitStart(inWork, deps);
  const early = isCached(work) ? freeze(work) : null;
  // It is looked at below, if the payment is good.
  early?.catch(() => undefined);
  const verified = await verify(inWork, work.demand, deps);
  if (verified.kind === 'refused') {
    deps.refused.noteRefused(inWork.sender);
    return { type: 'payment.refused', reason: notYet ?? verified.reason };
  }
  if (verified.kind === 'unavailable') return { type: 'payment.unavailable', reason: verified.reason };
  try {
    const answer = await (early ?? freeze(work));
    return { type: 'payment.prepared', answer };
  } catch (cause) {
    // Verified and looked for in vain: that costs as much as a refusal.
    if (cause instanceof Problem) deps.refused.noteRefused(inWork.sender);
    else deps.refused.noteFree(inWork.sender);
    return { type: 'answer.declined', cause };
  }
}

/**
 * Verification is read-only, so any facilitator may be asked, and several at once. An authorization
 * that was spent before its request came pays nothing here, whoever spent it: it may have bought at
 * another shop of the same payee.
 */
async function verify(inWork: PaymentInWork, demand: PaymentDemand, deps: VerifyDeps): Promise<Verified> {
  const { payment, signer } = inWork;
  const endpoints = verifiersFor(signer, deps.facilitators);
  if (endpoints.length === 0) return { kind: 'unavailable', reason: 'no facilitator is configured' };
  async function ask(facilitator: Facilitator): Promise<VerifyOutcome> {
    const verified = await facilitator.verify(payment, demand, signer);
    const facts = { ...inWork.ids, facilitator: facilitator.name, ...verified };
    // Whoever may pay is told of; all others can be as many as they like.
    deps.log[verified.kind === 'valid' ? 'info' : 'debug'](facts, 'payment verified');
    return verified;
  }
  const isLast = ({ kind }: VerifyOutcome) => kind !== 'unavailable';
  const said = await askSeveral({ endpoints, ask, isLast, timers: deps.timers, answerMaxMs: VERIFY_MAX_MS });
  const last = said.at(-1) ?? { kind: 'unavailable', reason: `no answer within ${VERIFY_MAX_MS} ms` };
  return last.kind === 'invalid' ? { kind: 'refused', reason: last.reason } : last;
}

/**
 * Waits until the chain's clock, by which the token judges, has come to `validAfter`: a client that
 * lets it be now is right by its own clock, and a facilitator's simulation of the newest block
 * would fail. Returns why a refusal that follows is no wonder, or null.
 */
async function awaitStart({ payment }: PaymentInWork, { chain, clock, timers }: VerifyDeps): Promise<string | null> {
  const validAfterS = BigInt(payment.authorization.validAfter);
  if (validAfterS < BigInt(Math.floor(clock.nowMs() / 1e3) - CHAIN_LAG_S)) return null;
  const endMs = clock.elapsedMs() + START_WAIT_S * 1e3;
  for (;;) {
    const head = await chain.head();
    if (head === null || BigInt(head.timestampS) > validAfterS) return null;
    const waitS = validAfterS - BigInt(head.timestampS);
    if (clock.elapsedMs() >= endMs) return notYetValid(waitS, `the chain's time ${head.timestampS}`);
    await timers.sleep(LOOK_MS);
  }
}
