import { assign, fromPromise, setup } from 'xstate';

/** What preparing a payment came to: verification and the answer itself, which is made meanwhile. */
export type Prepared =
  | { readonly kind: 'ready' }
  /** The payment will not do, the answer is not to be had, or nobody could verify: nothing was sent, nothing is owed. */
  | { readonly kind: 'released' };

/** What one attempt to settle came to. */
export type Attempted =
  | { readonly kind: 'settled'; readonly transaction: string }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | {
      readonly kind: 'unknown';
      readonly reason: string;
      readonly transaction: string | null;
      /** The facilitator says that it is at it: the next attempt goes to the same one. */
      readonly pending: boolean;
    };

/** What the chain said. `never` is proof that this authorization did not and cannot pay us. */
export type Resolved =
  | { readonly kind: 'paid'; readonly transaction: string }
  | { readonly kind: 'unused' }
  | { readonly kind: 'never'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export type PaymentEvent =
  /** Somebody waits for the outcome (again): attempts to settle are allowed. */
  | { readonly type: 'client.waiting' }
  /** Nobody waits any more: from here on the chain is only asked, so that nobody is charged for an answer nobody wants. */
  | { readonly type: 'clients.gone' };

/**
 * What the machine has done for it. Every step may run twice. They come with the input and not by `provide`, which would build
 * the whole machine anew for every payment.
 */
export interface PaymentSteps {
  /** Verifies the payment and makes the answer. */
  prepare(): Promise<Prepared>;
  /** Durable: the frozen answer and the intent to settle. */
  recordIntent(): Promise<void>;
  /** Sends the authorization to a facilitator, counted from 0 without end. */
  settle(facilitator: number): Promise<Attempted>;
  /** Asks the chain. */
  resolve(): Promise<Resolved>;
  /** Durable: the transaction and the exact answer. */
  recordSettled(transaction: string): Promise<void>;
  /** Durable: the proof of failure; `open` while a late transfer is still possible. */
  recordFailed(reason: string, open: boolean): Promise<void>;
  pause(attempts: number, clientWaiting: boolean): Promise<void>;
  /** Whether enough is left of the authorization to send it once more. */
  mayStillSubmit(): Promise<boolean>;
}

interface Steps {
  readonly steps: PaymentSteps;
}

export interface PaymentInput extends Steps {
  /** true: the durable row says SETTLING from an earlier life; start with the chain, not with the facilitator. */
  readonly restored: boolean;
}

interface PaymentContext extends Steps {
  readonly restored: boolean;
  readonly clientWaiting: boolean;
  /** Attempts since a client last began to wait. */
  readonly attempts: number;
  /** Which facilitator of the ordered list is next. */
  readonly facilitator: number;
  /** The definitive reason of a facilitator, until the chain has confirmed it. */
  readonly rejection: string | null;
  /** Whether FAILED is in the durable row while the chain is still watched for a late transfer. */
  readonly failureRecorded: boolean;
  readonly lastReason: string | null;
  /** Last known transaction hash, proven or not. */
  readonly transaction: string | null;
  /** What the chain said last. */
  readonly unusedSeen: boolean;
  /** Whether an earlier attempt may still land: then nobody's "no" is proof, only the chain's clock is. */
  readonly mayBeInFlight: boolean;
}

const stepsOf = ({ context }: { context: PaymentContext }): Steps => ({ steps: context.steps });

/** Attempts to settle that one waiting client is worth. */
export const SETTLE_ATTEMPTS_MAX = 5;

/**
 * One x402 payment, from claim to proof (docs/payments.md, "Stations"). Two steps are durable
 * before what follows them: RECORDING (the frozen answer and the intent) before anything is sent to
 * a facilitator, CONFIRMING (the transaction) before a byte of the answer goes out. FAILED needs
 * proof; everything unclear is asked of the chain, again and again. Every invoked step may run
 * twice: the authorization's nonce lets the token move the money at most once.
 */
export const paymentMachine = setup({
  types: { context: {} as PaymentContext, input: {} as PaymentInput, events: {} as PaymentEvent },
  actors: {
    prepare: fromPromise<Prepared, Steps>(({ input }) => input.steps.prepare()),
    recordIntent: fromPromise<void, Steps>(({ input }) => input.steps.recordIntent()),
    settle: fromPromise<Attempted, Steps & { facilitator: number }>(({ input }) =>
      input.steps.settle(input.facilitator),
    ),
    resolve: fromPromise<Resolved, Steps>(({ input }) => input.steps.resolve()),
    recordSettled: fromPromise<void, Steps & { transaction: string }>(({ input }) =>
      input.steps.recordSettled(input.transaction),
    ),
    recordFailed: fromPromise<void, Steps & { reason: string; open: boolean }>(({ input }) =>
      input.steps.recordFailed(input.reason, input.open),
    ),
    pause: fromPromise<void, Steps & { attempts: number; clientWaiting: boolean }>(({ input }) =>
      input.steps.pause(input.attempts, input.clientWaiting),
    ),
    mayStillSubmit: fromPromise<boolean, Steps>(({ input }) => input.steps.mayStillSubmit()),
  },
  guards: {
    isRestored: ({ context }) => context.restored,
    maySubmit: ({ context }) =>
      context.clientWaiting &&
      context.unusedSeen &&
      context.rejection === null &&
      context.attempts < SETTLE_ATTEMPTS_MAX,
  },
}).createMachine({
  id: 'payment',
  context: ({ input }) => ({
    steps: input.steps,
    restored: input.restored,
    clientWaiting: !input.restored,
    attempts: 0,
    facilitator: 0,
    rejection: null,
    failureRecorded: false,
    lastReason: null,
    transaction: null,
    unusedSeen: false,
    mayBeInFlight: input.restored,
  }),
  initial: 'STARTING',
  on: {
    'client.waiting': { actions: assign({ clientWaiting: true, attempts: 0 }) },
    'clients.gone': { actions: assign({ clientWaiting: false }) },
  },
  states: {
    STARTING: { always: [{ guard: 'isRestored', target: 'RESOLVING' }, { target: 'PREPARING' }] },
    PREPARING: {
      invoke: {
        src: 'prepare',
        input: stepsOf,
        onDone: [{ guard: ({ event }) => event.output.kind === 'ready', target: 'RECORDING' }, { target: 'RELEASED' }],
        onError: 'RELEASED',
      },
    },
    RECORDING: { invoke: { src: 'recordIntent', input: stepsOf, onDone: 'SETTLING', onError: 'RELEASED' } },
    SETTLING: {
      entry: assign({ attempts: ({ context }) => context.attempts + 1, unusedSeen: false }),
      invoke: {
        src: 'settle',
        input: ({ context }) => ({ steps: context.steps, facilitator: context.facilitator }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'settled',
            target: 'CONFIRMING',
            actions: assign({
              transaction: ({ event }) => (event.output as Attempted & { kind: 'settled' }).transaction,
            }),
          },
          {
            guard: ({ event, context }) => event.output.kind === 'rejected' && !context.mayBeInFlight,
            target: 'RESOLVING',
            actions: assign({ rejection: ({ event }) => (event.output as Attempted & { kind: 'rejected' }).reason }),
          },
          {
            target: 'RESOLVING',
            actions: assign({
              lastReason: ({ event }) => (event.output as Attempted & { reason: string }).reason,
              mayBeInFlight: ({ event, context }) => context.mayBeInFlight || event.output.kind === 'unknown',
              transaction: ({ event, context }) =>
                event.output.kind === 'unknown'
                  ? (event.output.transaction ?? context.transaction)
                  : context.transaction,
              facilitator: ({ event, context }) =>
                event.output.kind === 'unknown' && event.output.pending ? context.facilitator : context.facilitator + 1,
            }),
          },
        ],
        onError: { target: 'RESOLVING', actions: assign({ mayBeInFlight: true }) },
      },
    },
    /** Asks the chain, the only witness whose word ends a doubt. */
    RESOLVING: {
      invoke: {
        src: 'resolve',
        input: stepsOf,
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'paid',
            target: 'CONFIRMING',
            actions: assign({ transaction: ({ event }) => (event.output as Resolved & { kind: 'paid' }).transaction }),
          },
          {
            guard: ({ event }) => event.output.kind === 'never',
            target: 'FAILING',
            actions: assign({ lastReason: ({ event }) => (event.output as Resolved & { kind: 'never' }).reason }),
          },
          {
            guard: ({ event, context }) =>
              event.output.kind === 'unused' && context.rejection !== null && !context.failureRecorded,
            target: 'FAILING_EARLY',
          },
          {
            target: 'WAITING',
            actions: assign({ unusedSeen: ({ event }) => event.output.kind === 'unused' }),
          },
        ],
        onError: { target: 'WAITING', actions: assign({ unusedSeen: false }) },
      },
    },
    WAITING: {
      invoke: {
        src: 'pause',
        input: ({ context }) => ({
          steps: context.steps,
          attempts: context.attempts,
          clientWaiting: context.clientWaiting,
        }),
        onDone: [{ guard: 'maySubmit', target: 'RETRYING' }, { target: 'RESOLVING' }],
        onError: 'RESOLVING',
      },
      on: { 'client.waiting': { target: 'RESOLVING', actions: assign({ clientWaiting: true, attempts: 0 }) } },
    },
    /** Too close to its end an authorization is not sent any more: it could land after the client was told that it did not. */
    RETRYING: {
      invoke: {
        src: 'mayStillSubmit',
        input: stepsOf,
        onDone: [
          { guard: ({ event }) => event.output, target: 'SETTLING' },
          { target: 'RESOLVING', actions: assign({ attempts: SETTLE_ATTEMPTS_MAX }) },
        ],
        onError: 'RESOLVING',
      },
    },
    CONFIRMING: {
      invoke: {
        src: 'recordSettled',
        input: ({ context }) => ({ steps: context.steps, transaction: context.transaction! }),
        onDone: 'SETTLED',
        onError: 'WAITING',
      },
    },
    /** A facilitator's definitive no, and the chain shows the authorization unused: the caller is told, the chain is watched on. */
    FAILING_EARLY: {
      invoke: {
        src: 'recordFailed',
        input: ({ context }) => ({ steps: context.steps, reason: context.rejection!, open: true }),
        onDone: { target: 'WAITING', actions: assign({ failureRecorded: true, clientWaiting: false }) },
        onError: 'WAITING',
      },
    },
    FAILING: {
      invoke: {
        src: 'recordFailed',
        input: ({ context }) => ({
          steps: context.steps,
          reason: context.rejection ?? context.lastReason ?? 'the authorization did not pay',
          open: false,
        }),
        onDone: 'FAILED',
        onError: 'WAITING',
      },
    },
    SETTLED: { type: 'final' },
    FAILED: { type: 'final' },
    RELEASED: { type: 'final' },
  },
});
