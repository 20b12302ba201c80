import { type Actor, createActor } from 'xstate';
import type { WalletAddress } from '#domain/ids';
import type { WalletMachine } from '#machines/wallet.machine';
import type { WalletRow } from '#ports/ratings-store';
import type { QueuePosition } from '#ports/wallet-claims';
import { inspectTransitions } from '../inspect-transitions.js';
import type { WalletDeps } from './contract.js';
import { boundedRetryAfterS, type WalletQueue } from './queue.js';

export interface WalletRunDeps extends Pick<WalletDeps, 'clock' | 'log'> {
  readonly machine: WalletMachine;
  readonly queue: WalletQueue;
}

/**
 * Whoever asks within a minute of being queued is told to come back within one: how long a crowd
 * takes is known when some of it is done.
 */
const EARLY_MS = 60_000;

/** How a run ends, if it is not stopped; one of them is called once. */
export interface WalletRunEnds {
  /** The wallet was rated, or given up. */
  readonly ended: (isRated: boolean) => void;
  /** The machine itself broke, by a fault of this program. */
  readonly broke: (error: unknown) => void;
}

/** One wallet in work: its actor, and when callers should come back for it. */
export class WalletRun {
  readonly #actor: Actor<WalletMachine>;
  readonly #wallet: WalletAddress;
  readonly #deps: WalletRunDeps;

  constructor(row: WalletRow, deps: WalletRunDeps, ends: WalletRunEnds) {
    const { wallet } = row;
    this.#wallet = wallet;
    this.#deps = deps;
    this.#actor = createActor(deps.machine, { id: wallet, input: row, ...inspectTransitions(deps.log, { wallet }) });
    this.#actor.subscribe({
      complete: () => {
        const { status, value } = this.#actor.getSnapshot();
        if (status === 'done') ends.ended(value !== 'FORGOTTEN');
      },
      error: (error) => ends.broke(error),
    });
  }

  get queuedAtMs(): number {
    return this.#actor.getSnapshot().context.queuedAtMs;
  }

  /** Whether it failed and is tried again later. */
  get isResting(): boolean {
    return this.#actor.getSnapshot().hasTag('resting');
  }

  /** Starts the work. The row has to be on disk. */
  start(): void {
    this.#actor.start();
  }

  stop(): void {
    this.#actor.stop();
    this.#deps.queue.leave(this.#wallet);
  }

  /** Returns when to ask again, and how many are before. */
  outlook(): Outlook {
    const { queue, clock } = this.#deps;
    const waits = queue.positionOf(this.#wallet);
    const position = waits ?? queue.length + 1;
    const { nextAttemptAtMs, queuedAtMs } = this.#actor.getSnapshot().context;
    const restS = waits === null ? (nextAttemptAtMs - clock.nowMs()) / 1e3 : 0;
    return outlookAt({ position, restS, ageMs: clock.nowMs() - queuedAtMs }, queue);
  }
}

/** Where a queued wallet stands, and when to ask again. */
interface Outlook {
  readonly position: number;
  readonly retryAfterS: number;
}

/** Returns the outlook of a wallet of a queue that processes share. */
export function outlookOf(location: QueuePosition, queue: WalletQueue, nowMs: number): Outlook {
  const position = location.isInWork ? 0 : location.ahead + 1;
  const restS = location.isInWork ? 0 : (location.nextAttemptAtMs - nowMs) / 1e3;
  return outlookAt({ position, restS, ageMs: nowMs - location.queuedAtMs }, queue);
}

function outlookAt(
  { position, restS, ageMs }: { readonly position: number; readonly restS: number; readonly ageMs: number },
  queue: WalletQueue,
): Outlook {
  const isEarly = ageMs < EARLY_MS;
  const turnS = Math.min(queue.retryAfterS(position), isEarly ? EARLY_MS / 1e3 : Number.POSITIVE_INFINITY);
  return { position, retryAfterS: boundedRetryAfterS(Math.max(restS, turnS)) };
}
