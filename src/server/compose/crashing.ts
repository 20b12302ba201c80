import type { EndBody } from '#http/answers/answer';
import type { CrashPoints } from '#ports/crash-point';
import type { ChainReader, Facilitator } from '#ports/settlement';
import type { Rows, Store, Writes } from '#ports/store';

/** What a paid call touches, from its first look into the store to the last byte of its answer. */
export interface PaidPath {
  readonly store: Store;
  readonly facilitators: readonly Facilitator[];
  readonly chain: ChainReader;
  readonly endPaid: EndBody;
}

/**
 * Returns the same path with crash points before and after its touches: at the one that is armed
 * the process ends. The services in between know nothing of it, so that what dies in a test is what
 * runs in production.
 */
export function crashing(path: PaidPath, crash: CrashPoints): PaidPath {
  return {
    store: crashingStore(path.store, crash),
    facilitators: path.facilitators.map((facilitator) => crashingFacilitator(facilitator, crash)),
    chain: crashingChain(path.chain, crash),
    endPaid: crashingEnd(path.endPaid, crash),
  };
}

/**
 * The writes of a payment, by the state that the row comes to. A take-over leaves it in its state.
 */
const STEPS = { CLAIMED: 'claim', SETTLING: 'intent', SETTLED: 'confirm', FAILED: null } as const;

/**
 * Before a write is inside its transaction, with the decision made and nothing written; after it,
 * it is on disk, or in the case of a claim to be seen by other processes.
 */
function crashingStore(store: Store, crash: CrashPoints): Store {
  return {
    ...store,
    async transact(keys, decide, options) {
      let step: ReturnType<typeof stepOf> = null;
      const result = await store.transact(
        keys,
        (rows) => {
          const decision = decide(rows);
          step = stepOf(rows, decision.writes);
          if (step !== null) crash.hit(`${step}.before`);
          return decision;
        },
        options,
      );
      if (step !== null) crash.hit(`${step}.after`);
      return result;
    },
  };
}

/**
 * A row that is taken over, or proven, is written again in its state: that may be done twice, and
 * is no step of its payment. The claim and the intent find their payment by its place among the
 * open ones.
 */
function stepOf({ payment: before, openPayment }: Rows, { payment }: Writes) {
  return payment === undefined || payment.state === (before ?? openPayment)?.state ? null : STEPS[payment.state];
}

function crashingFacilitator(facilitator: Facilitator, crash: CrashPoints): Facilitator {
  return {
    name: facilitator.name,
    isResting: (signer) => facilitator.isResting(signer),
    async verify(payment, demand, signer) {
      const outcome = await facilitator.verify(payment, demand, signer);
      crash.hit('verify.after');
      return outcome;
    },
    async settle(payment, demand, signer) {
      crash.hit('settle.before');
      const outcome = await facilitator.settle(payment, demand, signer);
      crash.hit('settle.after');
      return outcome;
    },
    health: () => facilitator.health(),
  };
}

function crashingChain(chain: ChainReader, crash: CrashPoints): ChainReader {
  return {
    async head() {
      crash.hit('head.before');
      return chain.head();
    },
    async resolve(payment, demand, fromBlock) {
      const resolution = await chain.resolve(payment, demand, fromBlock);
      crash.hit('resolve.after');
      return resolution;
    },
    receipt: (transaction, payment, demand) => chain.receipt(transaction, payment, demand),
    hasCode: (address) => chain.hasCode(address),
    isSignedByWallet: (payment) => chain.isSignedByWallet(payment),
    holds: (payment) => chain.holds(payment),
    transfersTo: (payTo, asset) => chain.transfersTo(payTo, asset),
    health: () => chain.health(),
  };
}

/** Headers go out with the first bytes of the body, so before the end nothing has left. */
function crashingEnd(end: EndBody, crash: CrashPoints): EndBody {
  return (res, body) => {
    crash.hit('reply.before');
    res.once('finish', () => crash.hit('reply.after'));
    if (!crash.armed('reply.half')) return end(res, body);
    const middle = Math.floor(body.length / 2);
    res.write(body.slice(0, middle), () => {
      crash.hit('reply.half');
      end(res, body.slice(middle));
    });
  };
}
