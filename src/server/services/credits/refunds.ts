import { settleUnanswered } from '#domain/credits/unanswered';
import type { WalletAddress } from '#domain/ids';
import type { Store } from '#ports/store';
import type { Clock } from '#system/clock';
import type { Timers } from '#system/timers';
import { interval } from '../interval.js';
import type { AnswerOutcomes } from './answer-outcomes.js';

/**
 * How long a note of an answered debit stays, and a lost one is not given back, while nobody calls.
 */
const REFUND_INTERVAL_MS = 1_000;
/** Wallets looked at in one go. */
const WALLETS_AT_ONCE = 500;

export interface RefundDeps {
  readonly store: Pick<Store, 'transact'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly lapses: Pick<Clock, 'nowMs'>;
  readonly outcomes: AnswerOutcomes;
}

/**
 * Gives back what was debited without an answer, and takes away the notes of what was answered.
 * Rejects with what the store rejected with; what could not be looked at is, in the next round.
 */
export async function settleDebits(deps: RefundDeps): Promise<void> {
  const wallets = [...deps.outcomes.takeWallets()];
  const failures: unknown[] = [];
  for (let from = 0; from < wallets.length; from += WALLETS_AT_ONCE) {
    const some = wallets.slice(from, from + WALLETS_AT_ONCE);
    const ends = await Promise.allSettled(some.map(([wallet, lost]) => settleWallet(deps, wallet, lost)));
    for (const end of ends) if (end.status === 'rejected') failures.push(end.reason);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Transactions come one after the other: what a later one does not find in the account was not
 * debited and will not be.
 */
async function settleWallet(
  { store, clock, lapses, outcomes }: RefundDeps,
  wallet: WalletAddress,
  lost: readonly string[],
): Promise<void> {
  const [nowMs, lapsedByMs] = [clock.nowMs(), lapses.nowMs()];
  try {
    await store.transact({ account: wallet }, ({ account }) => {
      if (account === null) return { writes: {}, result: null };
      const change = settleUnanswered(account, (debit) => outcomes.outcomeOf(debit, lapsedByMs), nowMs);
      return { writes: { change }, result: null };
    });
    outcomes.forget(lost);
  } catch (error) {
    outcomes.again(wallet);
    throw error;
  }
}

/**
 * Does so again and again until the returned function is called, which does it a last time. The
 * error of a failed round goes to `onError`.
 */
export function startRefunds(
  { credits, timers }: { readonly credits: { settleDebits(): Promise<void> }; readonly timers: Timers },
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const round = () => credits.settleDebits();
  const ended = interval(REFUND_INTERVAL_MS, round, { timers, signal: stopping.signal, onError });
  return async () => {
    stopping.abort();
    await ended;
    await round().catch(onError);
  };
}
