import { type Actor, createActor } from 'xstate';
import { OutsideError } from '#domain/errors';
import {
  type Profiled,
  type Rested,
  WALLET_BACKOFF_MS_MAX,
  type WalletFailure,
  type WalletInput,
  type WalletSteps,
  walletBackoffMs,
  walletMachine,
} from '#machines/wallet.machine';
import type { WalletRow } from '#ports/ratings-store';
import type { WalletDeps } from './contract.js';
import { profileWallet } from './profile.js';
import { boundedRetryAfterS, type WalletQueue } from './queue.js';
import { asOfInForce, standingOf } from './standing.js';

/** A computation that takes longer is given up, so that a venue that hangs does not keep a place for ever. */
export const PROFILE_MS_MAX = 600_000;
/** A wallet that cannot be computed for so long is forgotten; whoever asks again queues it again. */
const FORGOTTEN_AFTER_MS = 86_400_000;

/** What a run needs beside the service's own: the queue, and the name of the cut-offs. */
export interface WalletRunDeps extends WalletDeps {
  readonly queue: WalletQueue;
  readonly hash: string;
}

/** Told when a wallet's work has ended, or failed. */
export interface WalletRunEvents {
  readonly ended: (rated: boolean) => void;
  readonly failed: (error: string) => void;
}

/** One wallet in work: its actor and its durable row. */
export class WalletRun {
  readonly #actor: Actor<typeof walletMachine>;
  #row: WalletRow;
  #asOfS = 0;

  constructor(
    row: WalletRow,
    from: WalletInput['from'],
    private readonly deps: WalletRunDeps,
    private readonly events: WalletRunEvents,
  ) {
    this.#row = row;
    const { attempts, lastError } = row;
    this.#actor = createActor(walletMachine, { input: { steps: this.#steps(), from, attempts, lastError } });
    this.#actor.subscribe({
      next: ({ value }) => void this.#follow(String(value)),
      error: (err) => deps.log.error({ wallet: row.wallet, err }, 'wallet machine failed'),
    });
  }

  get row(): WalletRow {
    return this.#row;
  }

  /** Starts the work. The row has to be on disk. */
  start(): void {
    this.#actor.start();
    this.#actor.send({ type: 'wallet.asked' });
  }

  stop(): void {
    this.#actor.stop();
    this.deps.queue.leave(this.#row.wallet);
  }

  /** Returns when to ask again, and how many are before. */
  outlook(): { readonly position: number; readonly retryAfterS: number } {
    const { queue, clock } = this.deps;
    const waits = queue.positionOf(this.#row.wallet);
    const position = waits ?? queue.length + 1;
    const restS = waits === null ? (this.#row.nextAttemptAtMs - clock.nowMs()) / 1e3 : 0;
    return { position, retryAfterS: boundedRetryAfterS(Math.max(restS, queue.retryAfterS(position))) };
  }

  #steps(): WalletSteps {
    return {
      queue: (signal) => this.#queue(signal),
      profile: (signal) => this.#profile(signal),
      rest: (failure, signal) => this.#rest(failure, signal),
    };
  }

  async #queue(signal: AbortSignal): Promise<void> {
    if (this.#row.state !== 'QUEUED') await this.#put({ state: 'QUEUED' });
    if (!signal.aborted) await this.deps.queue.turn(this.#row.wallet);
  }

  async #profile(signal: AbortSignal): Promise<Profiled> {
    const { clock, queue } = this.deps;
    const { wallet } = this.#row;
    const startedAtMs = clock.nowMs();
    let tookMs: number | null = null;
    try {
      await this.#put({ state: 'PROFILING' });
      const covered = await this.#coveredMeanwhile();
      if (covered !== null) return covered;
      const profiled = await this.#compute(signal);
      tookMs = clock.nowMs() - startedAtMs;
      return profiled;
    } finally {
      queue.leave(wallet, tookMs);
    }
  }

  /** The nightly run may have rated the wallet while it waited. */
  async #coveredMeanwhile(): Promise<Profiled | null> {
    const { store, clock, config, hash } = this.deps;
    const { wallet } = this.#row;
    const standing = await standingOf(wallet, { store, nowMs: clock.nowMs(), config, hash });
    if (standing.kind !== 'rated' && standing.kind !== 'no_coverage') return null;
    this.#asOfS = standing.stored.rating.asOfS;
    await store.removeWalletRow(wallet);
    return standing.kind === 'rated' ? 'profiled' : 'no_coverage';
  }

  async #compute(signal: AbortSignal): Promise<Profiled> {
    const { store, clock, log } = this.deps;
    const { wallet } = this.#row;
    this.#asOfS = await asOfInForce(store, clock.nowMs());
    const stored = await withinLimit((limit) => profileWallet(wallet, this.#asOfS, this.deps, limit), signal);
    // A run that was stopped must not write: its store may be closed, and its row is for the next life.
    signal.throwIfAborted();
    await store.putDemandRating(stored);
    const { verdict, reason } = stored.rating;
    log.info({ wallet, asOfS: this.#asOfS, verdict, reason }, 'wallet rated');
    return verdict === 'NO_COVERAGE' ? 'no_coverage' : 'profiled';
  }

  async #rest({ attempts, error }: WalletFailure, signal: AbortSignal): Promise<Rested> {
    const { clock, random, log, sleep } = this.deps;
    const nowMs = clock.nowMs();
    // A row that was read at the start says itself when its next attempt is due.
    const isRestored = this.#row.state === 'FAILED' && this.#row.attempts === attempts;
    const nextAttemptAtMs = isRestored ? this.#row.nextAttemptAtMs : nowMs + walletBackoffMs(attempts, random.next());
    if (!isRestored) {
      log.warn({ wallet: this.#row.wallet, attempts, reason: error }, 'wallet not rated, will be tried again');
      this.events.failed(error);
      await this.#put({ state: 'FAILED', attempts, nextAttemptAtMs, lastError: error }).catch(() => undefined);
    }
    // Never longer than a rest can be: the row may be of a clock that was set back since.
    await sleep(Math.min(WALLET_BACKOFF_MS_MAX, Math.max(0, nextAttemptAtMs - nowMs)), signal);
    return clock.nowMs() - this.#row.queuedAtMs > FORGOTTEN_AFTER_MS ? 'forgotten' : 'again';
  }

  /** The row is ours alone, so what was written last is what it says, also where the disk did not take it. */
  async #put(change: Partial<WalletRow>): Promise<void> {
    this.#row = { ...this.#row, ...change };
    await this.deps.store.putWalletRow(this.#row);
  }

  async #follow(state: string): Promise<void> {
    if (state === 'FORGOTTEN') {
      await this.deps.store.removeWalletRow(this.#row.wallet).catch(() => undefined);
      this.events.ended(false);
    } else if (state === 'PROFILED' || state === 'NO_COVERAGE') {
      if (await this.#stillHolds()) this.events.ended(true);
      else this.#startOver();
    }
  }

  async #stillHolds(): Promise<boolean> {
    const { store, clock } = this.deps;
    return asOfInForce(store, clock.nowMs()).then(
      (asOfS) => asOfS === this.#asOfS,
      () => true,
    );
  }

  /** A new board came into force while the wallet was computed, and whoever asked was told to come back. */
  #startOver(): void {
    this.#actor.send({ type: 'as_of.changed' });
    this.#actor.send({ type: 'wallet.asked' });
  }
}

/** Runs the work under a signal that is also raised when the time is over. */
async function withinLimit<T>(work: (limit: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROFILE_MS_MAX)]);
  const late = new Promise<never>((_, reject) => {
    const why = `the wallet was not computed within ${PROFILE_MS_MAX / 1e3} s`;
    limit.addEventListener('abort', () => reject(new OutsideError('trades', why, { failure: 'retryable' })));
  });
  return Promise.race([work(limit), late]);
}
