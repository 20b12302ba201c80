import { type Backoff, backoffMs } from '#domain/backoff';
import type { WalletContext, WalletSteps } from '#machines/wallet.machine';
import { WALLET_REST_MS_MAX } from '#ports/wallet-claims';
import { type RateDeps, rateInTurn } from './rate-in-turn.js';
import { rowOf } from './rows.js';
import { asOfInForce } from './standing.js';

/** The waits after failures: a venue that is down is asked a few times an hour for each wallet. */
export const WALLET_BACKOFF: Backoff = { minMs: 5_000, maxMs: WALLET_REST_MS_MAX };
/**
 * A wallet that cannot be computed for so long is forgotten; a call that asks for it queues it
 * again.
 */
const GIVEN_UP_AFTER_MS = 86_400_000;

export interface WalletStepsDeps extends RateDeps {
  /** Called for each failure, with its sentence. */
  readonly failed: (error: string) => void;
}

type Outcome<Name extends keyof WalletSteps> = ReturnType<WalletSteps[Name]>;

/**
 * Returns what the machine of a wallet has done for it: the same steps for all wallets, which come
 * as their input.
 */
export function walletSteps(deps: WalletStepsDeps): WalletSteps {
  const { store, clock, queue } = deps;
  return {
    async requeue(wallet) {
      await store.putWalletRow(rowOf(wallet, 'QUEUED'));
      return { type: 'wallet.requeued' };
    },
    async awaitTurn({ wallet }) {
      await queue.turn(wallet);
      return { type: 'turn.came' };
    },
    async profile(wallet, { signal }) {
      return { type: 'wallet.profiled', ...(await rateInTurn(wallet, deps, signal)) };
    },
    async compareAsOf({ asOfS }) {
      return { type: (await asOfInForce(store, clock.nowMs())) === asOfS ? 'as_of.held' : 'as_of.changed' };
    },
    recordFailure: (wallet) => recordFailure(wallet, deps),
    rest: (wallet, { signal }) => rest(wallet, deps, signal),
    async forget({ wallet }) {
      await store.removeWalletRow(wallet);
      return { type: 'wallet.forgotten' };
    },
  };
}

async function recordFailure(wallet: WalletContext, deps: WalletStepsDeps): Outcome<'recordFailure'> {
  const { clock, random, log, store } = deps;
  const { attempts, lastError } = wallet;
  log.warn({ wallet: wallet.wallet, attempts, reason: lastError }, 'wallet not rated, will be tried again');
  deps.failed(lastError ?? 'unknown');
  const nextAttemptAtMs = clock.nowMs() + backoffMs(WALLET_BACKOFF, attempts - 1, random.next());
  // It rests also when the disk does not take the row: then the next start tries it at once.
  await store.putWalletRow(rowOf({ ...wallet, nextAttemptAtMs }, 'FAILED')).catch(() => undefined);
  return { type: 'failure.recorded', nextAttemptAtMs };
}

async function rest(
  { queuedAtMs, nextAttemptAtMs }: WalletContext,
  { clock, timers }: WalletStepsDeps,
  signal: AbortSignal,
): Outcome<'rest'> {
  // Never longer than a rest can be: the row may be of a clock that was set back since.
  const restMs = Math.min(WALLET_BACKOFF.maxMs, Math.max(0, nextAttemptAtMs - clock.nowMs()));
  await timers.sleep(restMs, signal);
  return { type: clock.nowMs() - queuedAtMs > GIVEN_UP_AFTER_MS ? 'wallet.given_up' : 'rest.ended' };
}
