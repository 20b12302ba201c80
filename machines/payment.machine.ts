import { assertEvent, assign, setup } from 'xstate';
import type { PaymentKey } from '#domain/payment/payment';
import type { SettlementEvidence } from '#domain/payment/proof';
import {
  endWith,
  isEnd,
  type PaymentEnd,
  type PaymentEvent,
  type PaymentStepInputs,
  type PaymentSteps,
} from './payment-events.js';
import { fromStep, stepWith } from './step.js';

interface PaymentInput {
  readonly key: PaymentKey;
  /** When the authorization ends, in seconds of chain time. */
  readonly validBeforeS: number;
  /** How many owners it has had, this process included; 0: it is not claimed yet. */
  readonly epoch: number;
  /**
   * true: the row is there from an earlier owner, and is ours now; start with the chain, not with
   * the facilitator.
   */
  readonly restored: boolean;
  /** Why the row is FAILED, when the chain is only watched for a late transfer; else null. */
  readonly refusal: string | null;
  /**
   * Too dear to be settled on a facilitator's word: the chain has to show it, with a block on top.
   */
  readonly waitsForProof: boolean;
}

/** JSON, so that it can be kept, shown and compared. */
interface PaymentContext extends PaymentInput {
  readonly clientWaiting: boolean;
  /** Attempts since a client last began to wait. */
  readonly attempts: number;
  /** Which facilitator of the ordered list is next. */
  readonly facilitator: number;
  /**
   * Whether an earlier attempt may still land: then a facilitator's "no" is no proof, only the
   * chain's clock is.
   */
  readonly mayBeInFlight: boolean;
  /** The definitive reason of a facilitator, until the chain has confirmed it. */
  readonly rejection: string | null;
  readonly lastReason: string | null;
  /** Last known transaction hash, proven or not. */
  readonly transaction: string | null;
  /** The facilitator that reported this transaction as the settlement; null: none did. */
  readonly reportedBy: string | null;
  /** Looks for the receipt since the transaction was last reported. */
  readonly looks: number;
  /**
   * The chain's time when it last showed the authorization unused; null: it was asked again or an
   * attempt was made since.
   */
  readonly unusedAtS: number | null;
}

/** Attempts to settle that one waiting client is worth. */
export const SETTLE_ATTEMPTS_MAX = 5;
/**
 * Looks for a receipt, over some ten seconds; then the chain is asked about the authorization
 * itself.
 */
export const PROOF_LOOKS_MAX = 12;
/** Pauses between two looks grow no further than this: a block comes every two seconds. */
const PROOF_PAUSES_GROW = 3;
/** An authorization that ends sooner than this, by chain time, is not sent any more. */
export const SUBMIT_MARGIN_S = 8;

/**
 * One x402 payment, from its first step to proof (docs/payments.md, "Stations"). Two steps are
 * durable before what follows them: RECORDING (the frozen answer and the intent) before anything is
 * sent to a facilitator, CONFIRMING (the transaction) before a byte of the answer goes out. FAILED
 * needs proof; the chain is asked about all that is unclear, again and again. A facilitator's
 * success is its word: where much hangs on it, PROVING looks for the receipt first. Every step may
 * run twice: the authorization's nonce lets the token move the money at most once.
 *
 * Of all processes on a store one owns the payment. It is claimed before anything else, and given
 * up before a client hears that nothing was charged; whoever finds it owned by another waits for
 * that one's outcome (ELSEWHERE).
 *
 * `output` is how the payment ended; `refusal` in the context is what clients get before that.
 * `paymentMachineWith` provides the steps.
 */
const paymentMachine = setup({
  types: {
    context: {} as PaymentContext,
    input: {} as PaymentInput,
    events: {} as PaymentEvent,
    output: {} as PaymentEnd,
  },
  actors: {
    claim: stepWith<PaymentStepInputs['claim']>(),
    awaitOwner: stepWith<PaymentStepInputs['awaitOwner']>(),
    release: stepWith<PaymentStepInputs['release']>(),
    prepare: stepWith<PaymentStepInputs['prepare']>(),
    recordIntent: stepWith<PaymentStepInputs['recordIntent']>(),
    settle: stepWith<PaymentStepInputs['settle']>(),
    resolve: stepWith<PaymentStepInputs['resolve']>(),
    prove: stepWith<PaymentStepInputs['prove']>(),
    pause: stepWith<PaymentStepInputs['pause']>(),
    recordSettled: stepWith<PaymentStepInputs['recordSettled']>(),
    recordFailed: stepWith<PaymentStepInputs['recordFailed']>(),
  },
  actions: {
    /** An earlier owner's attempts may still land, and its doubts are not ours. */
    noteOwnership: assign(({ event }) => {
      assertEvent(event, ['payment.claimed', 'payment.taken']);
      const { epoch } = event;
      return { epoch, mayBeInFlight: epoch > 1, attempts: 0, rejection: null, unusedAtS: null };
    }),
    noteClient: assign({ clientWaiting: true, attempts: 0 }),
    noteNoClients: assign({ clientWaiting: false }),
    countAttempt: assign(({ context }) => ({ attempts: context.attempts + 1, unusedAtS: null })),
    stopAttempts: assign({ attempts: SETTLE_ATTEMPTS_MAX }),
    takeNextFacilitator: assign(({ context }) => ({ facilitator: context.facilitator + 1 })),
    noteInFlight: assign({ mayBeInFlight: true }),
    noteRejection: assign(({ event }) => {
      assertEvent(event, 'attempt.rejected');
      return { rejection: event.reason };
    }),
    noteReason: assign(({ event }) => {
      assertEvent(event, ['attempt.rejected', 'attempt.not_sent', 'attempt.unknown', 'chain.never', 'proof.refuted']);
      return { lastReason: event.reason };
    }),
    noteTransaction: assign(({ context, event }) => {
      assertEvent(event, ['attempt.settled', 'attempt.unknown', 'chain.paid', 'proof.seen']);
      return { transaction: event.transaction ?? context.transaction };
    }),
    /** What was reported once may land, whatever comes of its receipt. */
    noteReport: assign(({ event }) => {
      assertEvent(event, 'attempt.settled');
      return { transaction: event.transaction, reportedBy: event.facilitator, mayBeInFlight: true, looks: 0 };
    }),
    forgetReport: assign({ reportedBy: null, looks: 0 }),
    countLook: assign(({ context }) => ({ looks: context.looks + 1 })),
    noteUnused: assign(({ event }) => {
      assertEvent(event, 'chain.unused');
      return { unusedAtS: event.chainTimeS };
    }),
    forgetUnused: assign({ unusedAtS: null }),
    noteRefusal: assign(({ event }) => {
      assertEvent(event, 'failure.recorded');
      return { refusal: event.reason, clientWaiting: false };
    }),
  },
  guards: {
    isRestored: ({ context }) => context.restored,
    isAbandoned: ({ context }) => !context.clientWaiting,
    mayBeInFlight: ({ context }) => context.mayBeInFlight,
    waitsForProof: ({ context }) => context.waitsForProof,
    hasLookedEnough: ({ context }) => context.looks >= PROOF_LOOKS_MAX,
    isPending: ({ event }) => {
      assertEvent(event, 'attempt.unknown');
      return event.isPending;
    },
    /** A facilitator's definitive no with which no client was refused yet. */
    isRejected: ({ context }) => context.rejection !== null && context.refusal === null,
    /** Sent this close to its end an authorization could land after the client was refused. */
    endsTooSoon: ({ context }) =>
      context.unusedAtS !== null && context.validBeforeS - context.unusedAtS < SUBMIT_MARGIN_S,
    maySubmit: ({ context }) =>
      context.clientWaiting &&
      context.unusedAtS !== null &&
      context.rejection === null &&
      context.attempts < SETTLE_ATTEMPTS_MAX,
  },
}).createMachine({
  id: 'payment',
  context: ({ input }) => ({
    ...input,
    clientWaiting: !input.restored,
    attempts: 0,
    facilitator: 0,
    mayBeInFlight: input.epoch > 1,
    rejection: null,
    lastReason: null,
    transaction: null,
    reportedBy: null,
    looks: 0,
    unusedAtS: null,
  }),
  output: ({ event }) => {
    if (!isEnd(event.output)) throw new Error('a payment ended without an outcome');
    return event.output;
  },
  initial: 'STARTING',
  on: {
    'client.waiting': { actions: 'noteClient' },
    'clients.gone': { actions: 'noteNoClients' },
  },
  states: {
    STARTING: { always: [{ guard: 'isRestored', target: 'RESOLVING' }, { target: 'CLAIMING' }] },
    CLAIMING: {
      invoke: { id: 'claim', src: 'claim', input: keyOf },
      on: {
        'payment.claimed': [
          { guard: 'isAbandoned', target: 'RELEASING', actions: 'noteOwnership' },
          { target: 'PREPARING', actions: 'noteOwnership' },
        ],
        'payment.taken': { target: 'RESOLVING', actions: 'noteOwnership' },
        'payment.busy': 'NOT_OURS',
        'purchase.conflict': 'RELEASED',
        'settlement.recorded': 'SETTLED',
        'failure.recorded': 'FAILED',
        'payment.refused': 'RELEASED',
        'payment.unavailable': 'RELEASED',
        'step.failed': 'LEFT',
      },
    },
    NOT_OURS: { always: [{ guard: 'isAbandoned', target: 'LEFT' }, { target: 'ELSEWHERE' }] },
    /**
     * Another process owns it, or another authorization pays for its purchase, and what comes of
     * that is the outcome here.
     */
    ELSEWHERE: {
      invoke: { id: 'awaitOwner', src: 'awaitOwner', input: keyOf },
      on: {
        'settlement.recorded': 'SETTLED',
        'failure.recorded': 'FAILED',
        'owner.gone': 'CLAIMING',
        'clients.gone': 'LEFT',
        'step.failed': 'LEFT',
      },
    },
    PREPARING: {
      invoke: { id: 'prepare', src: 'prepare', input: keyOf },
      on: {
        'payment.prepared': 'RECORDING',
        'payment.refused': 'RELEASING',
        'payment.unavailable': 'RELEASING',
        'answer.declined': 'RELEASING',
        'step.failed': 'RELEASING',
      },
    },
    /** What is released is proved to have charged nothing, and only then are clients told so. */
    RELEASING: {
      invoke: {
        id: 'release',
        src: 'release',
        input: ({ context: { key, epoch }, event }) => ({ key, epoch, end: endWith(event) }),
      },
      on: { 'claim.released': 'RELEASED', 'payment.lost': 'NOT_OURS', 'step.failed': 'LEFT' },
    },
    RECORDING: {
      invoke: {
        id: 'recordIntent',
        src: 'recordIntent',
        input: ({ context, event }) => {
          assertEvent(event, 'payment.prepared');
          return { ...ownerOf(context), answer: event.answer };
        },
      },
      on: {
        'intent.recorded': 'SETTLING',
        'payment.lost': 'NOT_OURS',
        'payment.unavailable': 'RELEASING',
        'step.failed': 'RELEASING',
      },
    },
    SETTLING: {
      entry: 'countAttempt',
      invoke: {
        id: 'settle',
        src: 'settle',
        input: ({ context }) => ({ ...ownerOf(context), facilitator: context.facilitator }),
      },
      on: {
        'payment.lost': 'NOT_OURS',
        'attempt.settled': [
          { guard: 'waitsForProof', target: 'PROVING', actions: 'noteReport' },
          { target: 'CONFIRMING', actions: 'noteReport' },
        ],
        'attempt.rejected': [
          { guard: 'mayBeInFlight', target: 'RESOLVING', actions: ['noteReason', 'takeNextFacilitator'] },
          { target: 'RESOLVING', actions: 'noteRejection' },
        ],
        'attempt.not_sent': { target: 'RESOLVING', actions: ['noteReason', 'takeNextFacilitator'] },
        'attempt.unknown': [
          { guard: 'isPending', target: 'RESOLVING', actions: ['noteReason', 'noteTransaction', 'noteInFlight'] },
          {
            target: 'RESOLVING',
            actions: ['noteReason', 'noteTransaction', 'noteInFlight', 'takeNextFacilitator'],
          },
        ],
        'step.failed': { target: 'RESOLVING', actions: 'noteInFlight' },
      },
    },
    /** Asks the chain, the only witness whose word ends a doubt. */
    RESOLVING: {
      entry: 'forgetUnused',
      invoke: { id: 'resolve', src: 'resolve', input: keyOf },
      on: {
        'chain.paid': [
          { guard: 'waitsForProof', target: 'PROVING', actions: ['noteTransaction', 'forgetReport'] },
          { target: 'CONFIRMING', actions: 'noteTransaction' },
        ],
        'chain.never': { target: 'FAILING', actions: 'noteReason' },
        'chain.unused': [
          { guard: 'isRejected', target: 'FAILING_EARLY' },
          { target: 'WAITING', actions: 'noteUnused' },
        ],
        'chain.unknown': 'WAITING',
        'step.failed': 'WAITING',
      },
    },
    WAITING: {
      invoke: {
        id: 'pause',
        src: 'pause',
        input: ({ context: { key, epoch, attempts, clientWaiting } }) => ({ key, epoch, attempts, clientWaiting }),
      },
      on: {
        'client.waiting': { target: 'RESOLVING', actions: 'noteClient' },
        'pause.ended': [
          { guard: 'endsTooSoon', target: 'RESOLVING', actions: 'stopAttempts' },
          { guard: 'maySubmit', target: 'SETTLING' },
          { target: 'RESOLVING' },
        ],
        'step.failed': 'RESOLVING',
      },
    },
    /** Looks for the receipt of what was reported, before anything is given for it. */
    PROVING: {
      invoke: {
        id: 'prove',
        src: 'prove',
        input: ({ context: { key, transaction, reportedBy } }) => {
          if (transaction === null) throw new Error('there is no transaction to prove');
          return { key, transaction, facilitator: reportedBy };
        },
      },
      on: {
        'proof.seen': { target: 'CONFIRMING', actions: 'noteTransaction' },
        'proof.refuted': { target: 'RESOLVING', actions: ['noteReason', 'forgetReport', 'takeNextFacilitator'] },
        'proof.unknown': { target: 'AWAITING_PROOF', actions: 'countLook' },
        'step.failed': { target: 'AWAITING_PROOF', actions: 'countLook' },
      },
    },
    AWAITING_PROOF: {
      invoke: {
        id: 'pauseForProof',
        src: 'pause',
        input: ({ context: { key, epoch, looks, clientWaiting } }) => ({
          key,
          epoch,
          attempts: Math.min(looks, PROOF_PAUSES_GROW),
          clientWaiting,
        }),
      },
      on: {
        'pause.ended': [
          { guard: 'hasLookedEnough', target: 'RESOLVING', actions: ['forgetReport', 'takeNextFacilitator'] },
          { target: 'PROVING' },
        ],
        'step.failed': 'PROVING',
      },
    },
    CONFIRMING: {
      invoke: {
        id: 'recordSettled',
        src: 'recordSettled',
        input: ({ context, event }) => {
          assertEvent(event, ['attempt.settled', 'chain.paid', 'proof.seen']);
          return { key: context.key, evidence: toEvidence(event) };
        },
      },
      on: {
        'settlement.recorded': 'SETTLED',
        'proof.required': 'PROVING',
        'transfer.taken': 'WAITING',
        'step.failed': 'WAITING',
      },
    },
    /**
     * A facilitator's definitive no, and the chain shows the authorization unused: clients are
     * refused, the chain is watched on.
     */
    FAILING_EARLY: {
      invoke: {
        id: 'recordFailed',
        src: 'recordFailed',
        input: ({ context }) => ({ ...ownerOf(context), reason: whyFailed(context), open: true }),
      },
      on: {
        'payment.lost': 'NOT_OURS',
        'failure.recorded': { target: 'WAITING', actions: 'noteRefusal' },
        'settlement.recorded': 'SETTLED',
        'step.failed': 'WAITING',
      },
    },
    FAILING: {
      invoke: {
        id: 'recordFailed',
        src: 'recordFailed',
        input: ({ context }) => ({ ...ownerOf(context), reason: whyFailed(context), open: false }),
      },
      on: {
        'payment.lost': 'NOT_OURS',
        'failure.recorded': 'FAILED',
        'settlement.recorded': 'SETTLED',
        'step.failed': 'WAITING',
      },
    },
    SETTLED: { type: 'final', output: ({ event }) => endWith(event) },
    FAILED: { type: 'final', output: ({ event }) => endWith(event) },
    RELEASED: { type: 'final', output: ({ event }) => endWith(event) },
    /** What becomes of it is not for this process to say. */
    LEFT: { type: 'final', output: { kind: 'left' } },
  },
});

export type PaymentMachine = typeof paymentMachine;

/**
 * Returns the machine with its steps. It is built once and serves all payments: each brings its
 * key.
 */
export function paymentMachineWith(steps: PaymentSteps): PaymentMachine {
  return paymentMachine.provide({
    actors: {
      claim: fromStep(steps.claim),
      awaitOwner: fromStep(steps.awaitOwner),
      release: fromStep(steps.release),
      prepare: fromStep(steps.prepare),
      recordIntent: fromStep(steps.recordIntent),
      settle: fromStep(steps.settle),
      resolve: fromStep(steps.resolve),
      prove: fromStep(steps.prove),
      pause: fromStep(steps.pause),
      recordSettled: fromStep(steps.recordSettled),
      recordFailed: fromStep(steps.recordFailed),
    },
  });
}

function keyOf({ context }: { readonly context: PaymentContext }): { readonly key: PaymentKey } {
  return { key: context.key };
}

function ownerOf({ key, epoch }: PaymentContext): Pick<PaymentContext, 'key' | 'epoch'> {
  return { key, epoch };
}

function toEvidence(
  event: Extract<PaymentEvent, { type: 'attempt.settled' | 'chain.paid' | 'proof.seen' }>,
): SettlementEvidence {
  if (event.type === 'attempt.settled') {
    return { kind: 'word', facilitator: event.facilitator, transaction: event.transaction };
  }
  const { transaction, blockNumber, logIndex } = event;
  return { kind: 'chain', transaction, blockNumber, logIndex };
}

function whyFailed({ rejection, lastReason }: PaymentContext): string {
  return rejection ?? lastReason ?? 'the authorization did not pay';
}
