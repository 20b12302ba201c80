import { append, type Cause, type Change, type Debit, wholeLot, withRemaining } from './credit-changes.js';
import type { Account, Lot, UnansweredDebit } from './credits.js';

/**
 * What is known of a debit that waits for its answer: that it went out, that it did not and will
 * not, or neither.
 */
export type AnswerOutcome = 'answered' | 'lost' | 'open';

/**
 * Returns the account with a note of the debit that was just made to it, so that it can be given
 * back.
 */
export function noteDebit(
  before: Pick<Account, 'lots'>,
  { account, entries }: Debit & { readonly kind: 'debited' },
  id: string,
): Account {
  const { lots: shares, operation, requestId, atMs } = entries.at(-1)!;
  const lots = shares.map(({ lotId, credits }) => withRemaining(before.lots.find((lot) => lot.id === lotId)!, credits));
  const note: UnansweredDebit = { id, operation, requestId: requestId ?? '', atMs, lots };
  const { wallet, lastEntry, lots: left, unanswered } = account;
  return { wallet, lastEntry, lots: left, unanswered: [...unanswered, note] };
}

/**
 * Returns the account without the notes whose fate is known: what was answered is forgotten, and
 * what was lost is given back, with a `refund` entry each. The same account: nothing was known.
 */
export function settleUnanswered(
  account: Account,
  outcomeOf: (debit: UnansweredDebit) => AnswerOutcome,
  atMs: number,
): Change {
  const { wallet, lastEntry, lots, unanswered } = account;
  const open: UnansweredDebit[] = [];
  const lost: UnansweredDebit[] = [];
  for (const debit of unanswered) {
    const outcome = outcomeOf(debit);
    if (outcome === 'open') open.push(debit);
    else if (outcome === 'lost') lost.push(debit);
  }
  if (open.length === unanswered.length) return { account, entries: [] };
  let change: Change = { account: { wallet, lastEntry, lots, unanswered: open }, entries: [] };
  for (const debit of lost) change = giveBack(change, debit, atMs);
  return change;
}

/** What has expired meanwhile comes back too, and is booked as expired with the next change. */
function giveBack(change: Change, { operation, requestId, lots: taken }: UnansweredDebit, atMs: number): Change {
  const cause: Cause = { operation: `refund ${operation}`, requestId, atMs };
  return append(change, 'refund', taken.reduce(withLot, change.account.lots), taken.map(wholeLot), cause);
}

function withLot(lots: readonly Lot[], given: Lot): readonly Lot[] {
  const same = lots.findIndex(({ id }) => id === given.id);
  if (same !== -1) return lots.with(same, withRemaining(given, lots[same]!.remaining + given.remaining));
  const later = lots.findIndex((lot) => isSpentAfter(lot, given));
  return lots.toSpliced(later === -1 ? lots.length : later, 0, given);
}

function isSpentAfter(lot: Lot, other: Lot): boolean {
  return lot.expiresAtMs === other.expiresAtMs ? lot.id > other.id : lot.expiresAtMs > other.expiresAtMs;
}
