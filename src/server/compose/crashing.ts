import type { PaymentRow } from '#domain/payment/payment-row';
import type { EndBody } from '#http/answers/answer';
import type { CrashPoints } from '#ports/crash-point';
import type { RatingsStore } from '#ports/ratings-store';
import type { ChainReader, Facilitator } from '#ports/settlement';
import type { Rows, Store, Writes } from '#ports/store';
import type { Tape } from '#ports/tape';

/** What a payment touches outside the store, to the last byte of its answer. */
export interface PaidPath {
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
    facilitators: path.facilitators.map((facilitator) => crashingFacilitator(facilitator, crash)),
    chain: crashingChain(path.chain, crash),
    endPaid: crashingEnd(path.endPaid, crash),
  };
}

/** The writes of a payment, by the state that the row comes to. */
const STEPS = { CLAIMED: 'claim', SETTLING: 'intent', SETTLED: 'confirm', FAILED: null } as const;

/**
 * Returns the same store with crash points. Before a write is inside its transaction, with the
 * decision made and nothing written; after it, it is on disk, or in the case of a claim to be seen
 * by other processes.
 */
export function crashingStore(store: Store, crash: CrashPoints): Store {
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
    async sweepAnswers(nowMs, limit) {
      crash.hit('sweep.before');
      const swept = await store.sweepAnswers(nowMs, limit);
      if (swept.removed > 0) crash.hit('sweep.after');
      return swept;
    },
  };
}

/** Returns the same ratings with crash points around the moment at which a board comes into force. */
export function crashingRatings(store: RatingsStore, crash: CrashPoints): RatingsStore {
  return {
    ...store,
    async publish(board, hold, followed) {
      crash.hit('publish.before');
      await store.publish(board, hold, followed);
      crash.hit('publish.after');
    },
  };
}

/** Returns the same tape with crash points around a compaction; its insides: every-step.test.ts. */
export function crashingTape(tape: Tape, crash: CrashPoints): Tape {
  return {
    ...tape,
    async compact(beforeS, progress) {
      crash.hit('compact.before');
      await tape.compact(beforeS, progress);
      crash.hit('compact.after');
    },
  };
}

/** How a draft, or a part of it, gets its name. */
export type Rename = (from: string, to: string) => Promise<void>;

/** Returns the same renaming with crash points around it. */
export function crashingRename(rename: Rename, crash: CrashPoints): Rename {
  return async (from, to) => {
    crash.hit('backup.before');
    await rename(from, to);
    crash.hit('backup.after');
  };
}

function stepOf(rows: Rows, writes: Writes) {
  if (writes.payment !== undefined) return stepOfPayment(rows, writes.payment);
  if (writes.redemption !== undefined) return 'redeem';
  // A token by itself, with the nonce of the message that asked for it.
  if (writes.tokens !== undefined && writes.answer !== undefined) return 'mint';
  return writes.change?.entries.some(({ kind }) => kind === 'debit') ? 'debit' : null;
}

/**
 * A row that is proven is written again in its state: that may be done twice, and is no step of its
 * payment. The claim and the intent find their payment by its place among the open ones.
 */
function stepOfPayment({ payment: row, openPayment }: Rows, after: PaymentRow) {
  const before = row ?? openPayment;
  if (before === null || after.state !== before.state) return STEPS[after.state];
  return after.owner === before.owner ? null : 'take-over';
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
    head: () => chain.head(),
    async stateAtHead(payment, demand) {
      crash.hit('chain.before');
      return chain.stateAtHead(payment, demand);
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
