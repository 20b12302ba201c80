import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { WalletContext } from '#machines/wallet.machine';
import { withTimeout } from '../with-timeout.js';
import type { WalletDeps } from './contract.js';
import { type Profiled, type ProfileOrder, profileWallet } from './profile.js';
import type { WalletQueue } from './queue.js';
import { rowOf } from './rows.js';
import { asOfInForce, standingOf } from './standing.js';
import { Unreadable } from './unreadable.js';

/**
 * A computation that takes longer is given up, so that a venue that hangs does not keep a place for
 * ever.
 */
export const PROFILE_MS_MAX = 600_000;

/** What rating needs beside the service's own: the queue, and the name of the cut-offs. */
export interface RateDeps extends WalletDeps {
  readonly queue: WalletQueue;
  readonly hash: string;
  /** Called when what the venue said of a wallet could not be read. */
  readonly noteUnreadable: () => void;
}

/** The moment that a wallet was rated for, and whether the rating is a verdict. */
export interface Rated {
  readonly asOfS: number;
  readonly isCovered: boolean;
}

/**
 * Rates a wallet whose turn has come, keeps the rating, and ends the turn in any case. Rejects when
 * anything cannot be read or written, when it takes longer than the limit, and when the signal is
 * aborted.
 */
export async function rateInTurn(context: WalletContext, deps: RateDeps, signal: AbortSignal): Promise<Rated> {
  const { clock, queue, store } = deps;
  const startedAtMs = clock.elapsedMs();
  let tookMs: number | null = null;
  try {
    await store.putWalletRow(rowOf(context, 'PROFILING'));
    const meanwhile = await ratedMeanwhile(context.wallet, deps);
    if (meanwhile !== null) return meanwhile;
    const rated = await rate(context, deps, signal);
    tookMs = clock.elapsedMs() - startedAtMs;
    return rated;
  } catch (error) {
    if (error instanceof Unreadable) deps.noteUnreadable();
    throw error;
  } finally {
    queue.leave(context.wallet, tookMs);
    // For the guess of the next life; what cannot be kept is measured again.
    if (tookMs !== null) void store.putProfileMeanMs(Math.round(queue.meanMs)).catch(() => undefined);
  }
}

/** The nightly run may have rated the wallet while it waited. */
async function ratedMeanwhile(wallet: WalletAddress, { store, clock, config, hash }: RateDeps): Promise<Rated | null> {
  const standing = await standingOf(wallet, { store, nowMs: clock.nowMs(), config, hash });
  if (standing.kind !== 'rated' && standing.kind !== 'no_coverage') return null;
  await store.removeWalletRow(wallet);
  return toRated(standing.stored);
}

async function rate({ wallet, attempts }: WalletContext, deps: RateDeps, signal: AbortSignal): Promise<Rated> {
  const { store, clock, log } = deps;
  const asOfS = await asOfInForce(store, clock.nowMs());
  const profiled = await profileInTime({ wallet, asOfS, attempts }, deps, signal);
  // A run that was stopped must not write: its store may be closed, and its row is for the next
  // life.
  signal.throwIfAborted();
  if (profiled === null) {
    await store.removeWalletRow(wallet);
    return { asOfS, isCovered: false };
  }
  const { stored, basis } = profiled;
  const rated = toRated(stored);
  // Before the rating, so that whoever reads that finds this; without coverage there is no evidence.
  if (rated.isCovered) await store.bases.put([{ wallet, asOfS, text: basis }]);
  await store.putDemandRating(stored);
  const { verdict, reason } = stored.rating;
  log.info({ wallet, asOfS, verdict, reason }, 'wallet rated');
  return rated;
}

async function profileInTime(order: ProfileOrder, deps: RateDeps, signal: AbortSignal): Promise<Profiled | null> {
  signal.throwIfAborted();
  const late = new AbortController();
  const edgePrior = async () => (await deps.store.board())?.edgePrior ?? null;
  const profiled = profileWallet(order, { ...deps, edgePrior }, AbortSignal.any([signal, late.signal]));
  return withTimeout(profiled, { timers: deps.timers, ms: PROFILE_MS_MAX }, () => {
    late.abort();
    const why = `the wallet was not computed within ${PROFILE_MS_MAX / 1e3} s`;
    throw new OutsideError('trades', why, { failure: 'retryable' });
  });
}

function toRated({ rating: { asOfS, verdict } }: StoredRating): Rated {
  return { asOfS, isCovered: verdict !== 'NO_COVERAGE' };
}
