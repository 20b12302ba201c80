import { assertEvent, assign, setup } from 'xstate';
import type { WalletAddress } from '#domain/ids';
import { fromStep, type Step, type StepFailed, stepWith } from './step.js';

/**
 * Where a wallet is taken up, by its durable row: a PROFILING that a crash interrupted counts as
 * queued.
 */
export interface WalletInput {
  readonly wallet: WalletAddress;
  readonly state: 'QUEUED' | 'PROFILING' | 'FAILED';
  readonly queuedAtMs: number;
  /** Computations that failed one after the other. */
  readonly attempts: number;
  readonly nextAttemptAtMs: number;
  readonly lastError: string | null;
}

/**
 * What is known of a wallet in work: its durable row is made of this and of the machine's state.
 */
export interface WalletContext extends Omit<WalletInput, 'state'> {
  readonly isTakenUpFailed: boolean;
  /** The moment that the wallet was rated for; null: it was not rated yet. */
  readonly asOfS: number | null;
  /** Whether the rating is a verdict: the wallet has enough trades for one. */
  readonly isCovered: boolean;
}

export type WalletEvent =
  | { readonly type: 'wallet.requeued' }
  | { readonly type: 'turn.came' }
  | { readonly type: 'wallet.profiled'; readonly asOfS: number; readonly isCovered: boolean }
  | { readonly type: 'as_of.held' }
  | { readonly type: 'as_of.changed' }
  | { readonly type: 'failure.recorded'; readonly nextAttemptAtMs: number }
  | { readonly type: 'rest.ended' }
  | { readonly type: 'wallet.given_up' }
  | { readonly type: 'wallet.forgotten' }
  | StepFailed;

type WalletStep<Outcome extends WalletEvent['type']> = Step<WalletContext, Extract<WalletEvent, { type: Outcome }>>;

/** What the machine has done for it. Every step may run twice; the wallet is in the input. */
export interface WalletSteps {
  /** Durable: the wallet is queued again. */
  readonly requeue: WalletStep<'wallet.requeued'>;
  /** Resolves when it is the wallet's turn. */
  readonly awaitTurn: WalletStep<'turn.came'>;
  /**
   * Reads what the wallet did, rates it, and keeps the rating; durable. It ends the turn in any
   * case.
   */
  readonly profile: WalletStep<'wallet.profiled'>;
  /** Compares the moment of the rating with the one in force now. */
  readonly compareAsOf: WalletStep<'as_of.held' | 'as_of.changed'>;
  /** Durable, if the disk takes it: the failure, and when to try again. */
  readonly recordFailure: WalletStep<'failure.recorded'>;
  /**
   * Waits until it is time to try again, or to give the wallet up: nobody could compute it for too
   * long.
   */
  readonly rest: WalletStep<'rest.ended' | 'wallet.given_up'>;
  /** Durable: the wallet's row is gone. */
  readonly forget: WalletStep<'wallet.forgotten'>;
}

const invoke = <const Name extends keyof WalletSteps>(name: Name) => ({
  id: name,
  src: name,
  input: ({ context }: { readonly context: WalletContext }) => context,
});

/**
 * The life of a wallet that was asked about: QUEUED until it is its turn, PROFILING, CHECKING
 * whether a newer board came into force meanwhile (then it is queued again: the caller was asked to
 * come back), and at last PROFILED (COPY, WATCH or VETO) or NO_COVERAGE. A failure is never a
 * verdict: FAILED rests and is queued again, until the wallet is FORGOTTEN. Only wallets in work
 * have an actor; for all others the rows are the truth. `walletMachineWith` provides the steps.
 */
export const walletMachine = setup({
  types: { context: {} as WalletContext, input: {} as WalletInput, events: {} as WalletEvent },
  actors: {
    requeue: stepWith<WalletContext>(),
    awaitTurn: stepWith<WalletContext>(),
    profile: stepWith<WalletContext>(),
    compareAsOf: stepWith<WalletContext>(),
    recordFailure: stepWith<WalletContext>(),
    rest: stepWith<WalletContext>(),
    forget: stepWith<WalletContext>(),
  },
  actions: {
    keepRating: assign(({ event }) => {
      assertEvent(event, 'wallet.profiled');
      return { asOfS: event.asOfS, isCovered: event.isCovered, attempts: 0, lastError: null };
    }),
    countFailure: assign(({ context, event }) => {
      assertEvent(event, 'step.failed');
      return { attempts: context.attempts + 1, lastError: event.reason };
    }),
    keepNextAttempt: assign(({ event }) => {
      assertEvent(event, 'failure.recorded');
      return { nextAttemptAtMs: event.nextAttemptAtMs };
    }),
  },
  guards: {
    isTakenUpFailed: ({ context }) => context.isTakenUpFailed,
    isCovered: ({ context }) => context.isCovered,
  },
}).createMachine({
  id: 'wallet',
  context: ({ input: { state, ...row } }) => ({
    ...row,
    isTakenUpFailed: state === 'FAILED',
    asOfS: null,
    isCovered: false,
  }),
  initial: 'TAKEN_UP',
  states: {
    TAKEN_UP: { always: [{ guard: 'isTakenUpFailed', target: 'FAILED' }, { target: 'QUEUED' }] },
    REQUEUING: {
      invoke: invoke('requeue'),
      on: { 'wallet.requeued': 'QUEUED', 'step.failed': { target: 'FAILING', actions: 'countFailure' } },
    },
    QUEUED: {
      invoke: invoke('awaitTurn'),
      on: { 'turn.came': 'PROFILING', 'step.failed': { target: 'FAILING', actions: 'countFailure' } },
    },
    PROFILING: {
      invoke: invoke('profile'),
      on: {
        'wallet.profiled': { target: 'CHECKING', actions: 'keepRating' },
        'step.failed': { target: 'FAILING', actions: 'countFailure' },
      },
    },
    /**
     * A rating holds also when the board in force cannot be read: it was made, and the next call
     * reads the board again.
     */
    CHECKING: {
      invoke: invoke('compareAsOf'),
      on: { 'as_of.held': 'RATED', 'step.failed': 'RATED', 'as_of.changed': 'REQUEUING' },
    },
    RATED: { always: [{ guard: 'isCovered', target: 'PROFILED' }, { target: 'NO_COVERAGE' }] },
    FAILING: {
      tags: 'resting',
      invoke: invoke('recordFailure'),
      on: { 'failure.recorded': { target: 'FAILED', actions: 'keepNextAttempt' }, 'step.failed': 'FAILED' },
    },
    FAILED: {
      tags: 'resting',
      invoke: invoke('rest'),
      on: { 'rest.ended': 'REQUEUING', 'wallet.given_up': 'FORGETTING', 'step.failed': 'REQUEUING' },
    },
    /** A row that the disk does not let go of is taken up, and given up, at the next start. */
    FORGETTING: {
      invoke: invoke('forget'),
      on: { 'wallet.forgotten': 'FORGOTTEN', 'step.failed': 'FORGOTTEN' },
    },
    PROFILED: { type: 'final' },
    NO_COVERAGE: { type: 'final' },
    FORGOTTEN: { type: 'final' },
  },
});

export type WalletMachine = typeof walletMachine;

/**
 * Returns the machine with its steps. It is built once for all wallets: providing them rebuilds the
 * whole machine.
 */
export function walletMachineWith(steps: WalletSteps): WalletMachine {
  return walletMachine.provide({
    actors: {
      requeue: fromStep(steps.requeue),
      awaitTurn: fromStep(steps.awaitTurn),
      profile: fromStep(steps.profile),
      compareAsOf: fromStep(steps.compareAsOf),
      recordFailure: fromStep(steps.recordFailure),
      rest: fromStep(steps.rest),
      forget: fromStep(steps.forget),
    },
  });
}
