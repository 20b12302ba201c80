import {
  type Account,
  anyLot,
  type LedgerEntry,
  type LedgerKind,
  type Lot,
  type LotFilter,
  type LotShare,
  sumRemaining,
  type UnansweredDebit,
} from './credits.js';

/** Who or what moves credits, and when; goes into the ledger entry. */
export interface Cause {
  readonly operation: string;
  readonly requestId: string | null;
  readonly atMs: number;
  /** Up to when lots have lapsed; absent: up to `atMs`. */
  readonly lapsedByMs?: number;
}

/**
 * The account after a change and the ledger entries that explain it; the same account and no
 * entries: nothing moved.
 */
export interface Change {
  readonly account: Account;
  readonly entries: readonly LedgerEntry[];
}

/** A debit that was made or refused. `balance` is what is left in the lots that it may spend. */
export type Debit =
  | ({ readonly kind: 'debited'; readonly balance: number } & Change)
  /**
   * Too few credits. The change is that of expiry alone: lapsed lots are booked whenever they are
   * met.
   */
  | ({ readonly kind: 'insufficient'; readonly balance: number } & Change);

/**
 * Returns the account without its expired lots, and the `expire` entry for them. Every other change
 * starts with this, so expired credits are never spent and the ledger shows when they were lost.
 */
export function expireLots(account: Account, { atMs, lapsedByMs = atMs }: Pick<Cause, 'atMs' | 'lapsedByMs'>): Change {
  const first = account.lots[0];
  if (first === undefined || first.expiresAtMs > lapsedByMs) return { account, entries: [] };
  const expired = account.lots.filter((lot) => lot.expiresAtMs <= lapsedByMs);
  const lots = account.lots.slice(expired.length);
  const cause: Cause = { operation: 'expiry', requestId: null, atMs };
  return append({ account, entries: [] }, 'expire', lots, expired.map(wholeLot), cause);
}

/**
 * Returns the account with one more lot. The lot's id is the number of its ledger entry:
 * `account.lastEntry` afterwards.
 */
export function grantLot(
  account: Account,
  given: Pick<Lot, 'kind' | 'credits' | 'expiresAtMs' | 'source'>,
  cause: Cause,
): Change {
  assertCredits(given.credits);
  const settled = expireLots(account, cause);
  const id = settled.account.lastEntry + 1;
  const lot: Lot = { ...given, id, remaining: given.credits, grantedAtMs: cause.atMs };
  const later = settled.account.lots.findIndex((other) => other.expiresAtMs > lot.expiresAtMs);
  const at = later === -1 ? settled.account.lots.length : later;
  const lots = settled.account.lots.toSpliced(at, 0, lot);
  return append(settled, 'grant', lots, [wholeLot(lot)], cause);
}

/**
 * Spends credits, earliest-expiring first: all of them or, where the balance is too small, none.
 * `only` limits it to certain lots; the others neither count nor are touched.
 */
export function debitCredits(account: Account, credits: number, cause: Cause, only: LotFilter = anyLot): Debit {
  assertCredits(credits);
  const settled = expireLots(account, cause);
  const balance = sumRemaining(settled.account.lots, only);
  if (balance < credits) return { kind: 'insufficient', balance, ...settled };
  const { lots, taken } = take(settled.account.lots, credits, only);
  const { account: after, entries } = append(settled, 'debit', lots, taken, cause);
  return { kind: 'debited', balance: balance - credits, account: after, entries };
}

/**
 * Takes credits away: as many as asked, or as many as there are. `only` limits it to certain lots.
 */
export function revokeCredits(
  account: Account,
  credits: number | 'all',
  cause: Cause,
  only: LotFilter = anyLot,
): Change & { readonly revoked: number } {
  if (credits !== 'all') assertCredits(credits);
  const settled = expireLots(account, cause);
  const { lots, taken } = take(settled.account.lots, credits === 'all' ? Number.POSITIVE_INFINITY : credits, only);
  const left = credits === 'all' ? { ...settled, account: withoutNotes(settled.account, only) } : settled;
  if (taken.length === 0) return { revoked: 0, ...left };
  const change = append(left, 'revoke', lots, taken, cause);
  return { revoked: sumShares(taken), ...change };
}

/** What was spent of lots that are taken back whole is not given back either. */
function withoutNotes(account: Account, only: LotFilter): Account {
  if (!account.unanswered.some(({ lots }) => lots.some(only))) return account;
  const unanswered = account.unanswered.flatMap((debit): UnansweredDebit[] => {
    const lots = debit.lots.filter((lot) => !only(lot));
    return lots.length === 0 ? [] : [{ ...debit, lots }];
  });
  return { ...account, unanswered };
}

/**
 * Takes up to that many credits from the lots in their order; what a lot has nothing left of
 * disappears.
 */
function take(
  from: readonly Lot[],
  credits: number,
  only: LotFilter,
): { readonly lots: readonly Lot[]; readonly taken: readonly LotShare[] } {
  const first = from[0];
  // As nearly every debit is: of the first lot, which has more.
  if (first !== undefined && first.remaining > credits && only(first)) {
    const left = from.with(0, withRemaining(first, first.remaining - credits));
    return { lots: left, taken: [{ lotId: first.id, credits }] };
  }
  const lots: Lot[] = [];
  const taken: LotShare[] = [];
  let wanted = credits;
  for (const lot of from) {
    const share = wanted > 0 && only(lot) ? Math.min(wanted, lot.remaining) : 0;
    wanted -= share;
    if (share > 0) taken.push({ lotId: lot.id, credits: share });
    if (share < lot.remaining) lots.push(share === 0 ? lot : withRemaining(lot, lot.remaining - share));
  }
  return { lots, taken };
}

/**
 * Returns the lot with so much left. Written out: every debit comes through here, and spreading an
 * object costs more than all the rest of it.
 */
export function withRemaining({ id, kind, credits, grantedAtMs, expiresAtMs, source }: Lot, remaining: number): Lot {
  return { id, kind, credits, remaining, grantedAtMs, expiresAtMs, source };
}

/** Returns the change with one more entry. */
export function append(
  { account, entries }: Change,
  kind: LedgerKind,
  lots: readonly Lot[],
  shares: readonly LotShare[],
  cause: Cause,
): Change {
  const entry: LedgerEntry = {
    wallet: account.wallet,
    number: account.lastEntry + 1,
    kind,
    credits: sumShares(shares),
    balanceAfter: sumRemaining(lots),
    atMs: cause.atMs,
    operation: cause.operation,
    requestId: cause.requestId,
    lots: shares,
  };
  const after: Account = { wallet: account.wallet, lastEntry: entry.number, lots, unanswered: account.unanswered };
  return { account: after, entries: entries.length === 0 ? [entry] : [...entries, entry] };
}

/** Returns the share that is all that is left of a lot. */
export function wholeLot(lot: Lot): LotShare {
  return { lotId: lot.id, credits: lot.remaining };
}

function sumShares(shares: readonly LotShare[]): number {
  let sum = 0;
  for (const share of shares) sum += share.credits;
  return sum;
}

function assertCredits(credits: number): void {
  if (!Number.isSafeInteger(credits) || credits < 1) {
    throw new RangeError(`credits must be a whole number of at least 1, not ${credits}`);
  }
}
