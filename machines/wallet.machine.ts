import { assign, fromPromise, setup } from 'xstate';

/** What computing a wallet came to. */
export type Profiled = 'profiled' | 'no_coverage';

/** What resting after a failure came to: try again, or nobody has asked for so long that the wallet is forgotten. */
export type Rested = 'again' | 'forgotten';

export type WalletEvent =
  /** Somebody wants to know about the wallet. */
  | { readonly type: 'wallet.asked' }
  /** A newer board is in force: what was rated for an earlier moment does not hold any more. */
  | { readonly type: 'as_of.changed' };

/** A computation that failed, and how many did since the wallet was queued. */
export interface WalletFailure {
  readonly attempts: number;
  readonly error: string;
}

/** What the machine has done for it. Every step may run twice; the signal ends a wait whose actor was stopped. */
export interface WalletSteps {
  /** Durable: the wallet is queued. Resolves when it is its turn. */
  queue(signal: AbortSignal): Promise<void>;
  /** Reads what the wallet did, rates it, and keeps the rating; durable. */
  profile(signal: AbortSignal): Promise<Profiled>;
  /** Durable: the failure and when to try again. Resolves when it is time. */
  rest(failure: WalletFailure, signal: AbortSignal): Promise<Rested>;
}

interface Steps {
  readonly steps: WalletSteps;
}

export interface WalletInput extends Steps {
  /** Where the durable rows say that the wallet is: nowhere yet or queued, failed, or rated for an earlier moment. */
  readonly from: 'QUEUED' | 'FAILED' | 'STALE';
  readonly attempts: number;
  readonly lastError: string | null;
}

type WalletContext = WalletInput;

/** The first wait after a failure, and the longest one: a venue that is down is asked a few times an hour for each wallet. */
export const WALLET_BACKOFF_MS_MIN = 5_000;
export const WALLET_BACKOFF_MS_MAX = 900_000;

/** Returns the wait after failure number `attempts` (from 1): exponential, capped, half of it by chance (0 to 1). */
export function walletBackoffMs(attempts: number, chance: number): number {
  const ceiling = Math.min(WALLET_BACKOFF_MS_MAX, WALLET_BACKOFF_MS_MIN * 2 ** Math.min(attempts - 1, 20));
  return Math.round(ceiling / 2 + (ceiling / 2) * chance);
}

/** Returns the sentence of whatever a step threw. */
function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The life of a wallet that somebody asked about: QUEUED until it is its turn, PROFILING, then PROFILED (COPY, WATCH or VETO) or
 * NO_COVERAGE. A failure is never a verdict: FAILED rests and queues again. A newer board makes a rating STALE; asked again, it
 * is queued again. Only wallets in work have an actor; for all others the rows are the truth.
 */
export const walletMachine = setup({
  types: { context: {} as WalletContext, input: {} as WalletInput, events: {} as WalletEvent },
  actors: {
    queue: fromPromise<void, Steps>(({ input, signal }) => input.steps.queue(signal)),
    profile: fromPromise<Profiled, Steps>(({ input, signal }) => input.steps.profile(signal)),
    rest: fromPromise<Rested, Steps & WalletFailure>(({ input, signal }) =>
      input.steps.rest({ attempts: input.attempts, error: input.error }, signal),
    ),
  },
  actions: {
    failed: assign({
      attempts: ({ context }) => context.attempts + 1,
      lastError: ({ event }) => sentenceOf((event as unknown as { readonly error: unknown }).error),
    }),
    succeeded: assign({ attempts: 0, lastError: null }),
  },
  guards: {
    isFailed: ({ context }) => context.from === 'FAILED',
    isStale: ({ context }) => context.from === 'STALE',
  },
}).createMachine({
  id: 'wallet',
  context: ({ input }) => input,
  initial: 'STARTING',
  states: {
    STARTING: {
      always: [{ guard: 'isFailed', target: 'FAILED' }, { guard: 'isStale', target: 'STALE' }, { target: 'QUEUED' }],
    },
    QUEUED: {
      invoke: {
        src: 'queue',
        input: ({ context }) => ({ steps: context.steps }),
        onDone: 'PROFILING',
        onError: { target: 'FAILED', actions: 'failed' },
      },
    },
    PROFILING: {
      invoke: {
        src: 'profile',
        input: ({ context }) => ({ steps: context.steps }),
        onDone: [{ guard: ({ event }) => event.output === 'profiled', target: 'PROFILED' }, { target: 'NO_COVERAGE' }],
        onError: { target: 'FAILED', actions: 'failed' },
      },
    },
    FAILED: {
      invoke: {
        src: 'rest',
        input: ({ context }) => ({
          steps: context.steps,
          attempts: context.attempts,
          error: context.lastError ?? 'unknown',
        }),
        onDone: [{ guard: ({ event }) => event.output === 'again', target: 'QUEUED' }, { target: 'FORGOTTEN' }],
        onError: 'QUEUED',
      },
    },
    PROFILED: { entry: 'succeeded', on: { 'as_of.changed': 'STALE' } },
    NO_COVERAGE: { entry: 'succeeded', on: { 'as_of.changed': 'STALE' } },
    STALE: { on: { 'wallet.asked': 'QUEUED' } },
    FORGOTTEN: { type: 'final' },
  },
});
