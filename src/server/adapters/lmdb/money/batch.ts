import type { Change } from '#domain/credits/credit-changes';
import type { LedgerEntry } from '#domain/credits/credits';
import type { WalletAddress } from '#domain/ids';
import type { PaymentKey } from '#domain/payment/payment';
import type { PaymentOwner, PaymentRow } from '#domain/payment/payment-row';
import type { RowKeys, Rows, Writes } from '#ports/store';
import {
  type AccountRow,
  decodeAccount,
  encodeAccount,
  encodeLedger,
  encodePromo,
  encodeRedemption,
  encodeTokens,
} from '../../rows/credit-rows.js';
import type { Batch } from '../commits.js';
import { CachedRows, type Rows as Database, putRow } from '../raw.js';
import { readAnswer, writeAnswer } from './answers.js';
import { openExposureSums } from './exposures.js';
import { accountKey, ledgerKey, promoKey, redemptionKey, tokensKey } from './keys.js';
import { LedgerEnd } from './ledger.js';
import { readOpen, readOpenOfPayer, readPayment, removePayment, writePayment } from './payments.js';
import { readPromo, readRedemption, readTokens } from './reads.js';
import { readTransfer, removeTransfer } from './transfers.js';

/**
 * The rows of one LMDB transaction, which carries many callers' decisions one after the other.
 * Accounts are held back and written once at the end, as are the sums of exposures: a busy wallet's
 * row changes in every decision. All else is written through. Ledger entries of all wallets lie in
 * one sequence, so that a commit touches the end of the tree and not one page per wallet; each
 * points back at the same wallet's entry before it.
 */
export interface MoneyBatch extends Batch {
  read(keys: RowKeys): Rows;
  write(writes: Writes): void;
}

const NONE_OPEN: Rows['openOfPayer'] = [];
const NONE: Rows['purchases'] & Rows['others'] = [];

/** An account within a batch; null: there is none. */
interface Held {
  readonly key: string;
  row: AccountRow | null;
  isChanged: boolean;
}

/** What the batches of a database hand on from one to the next. */
export interface HandedOn {
  readonly end: LedgerEnd;
  /** As they were last understood: an account is read with each debit, and has a note of the last. */
  readonly accounts: CachedRows<AccountRow>;
}

/** A few hundred bytes each, and tens of thousands after a crowd of debits of one wallet. */
const ACCOUNTS_CACHED_MAX = 1_000;

/** Returns what the first batch of a database begins with. */
export function openHandedOn(db: Database): HandedOn {
  return { end: new LedgerEnd(db), accounts: new CachedRows(db, ACCOUNTS_CACHED_MAX) };
}

/**
 * Starts a batch, to be used and finished inside one write transaction. `isAlive`: whether an owner
 * of payments holds its lease.
 */
export function openMoneyBatch(
  db: Database,
  { end, accounts: cachedAccounts }: HandedOn,
  isAlive: (owner: string) => boolean,
): MoneyBatch {
  /** Accounts as they stand within the batch, each read once. */
  const accounts = new Map<WalletAddress, Held>();
  /** Payments as they stand, of those that were read within the batch. */
  const payments = new Map<PaymentKey, PaymentRow | null>();
  const exposures = openExposureSums(db);
  let lastPosition: number | null = null;

  function payment(key: PaymentKey): PaymentRow | null {
    const existing = payments.get(key);
    if (existing !== undefined) return existing;
    const row = readPayment(db, key);
    payments.set(key, row);
    return row;
  }

  function account(wallet: WalletAddress): Held {
    const existing = accounts.get(wallet);
    if (existing !== undefined) return existing;
    const key = accountKey(wallet);
    const cached = cachedAccounts.read(key, (_key, raw) => decodeAccount(key, raw, wallet));
    const held = { key, row: cached === null ? null : ofThisBatch(cached), isChanged: false };
    accounts.set(wallet, held);
    return held;
  }

  function append(entry: LedgerEntry, previous: number): number {
    lastPosition = (lastPosition ?? end.find()) + 1;
    putRow(db, ledgerKey(lastPosition), encodeLedger({ entry, previous }));
    return lastPosition;
  }

  function writeChange(change: Change, held: Held): void {
    if (!says(change, held.row)) return;
    let tail = held.row?.tail ?? 0;
    for (const entry of change.entries) tail = append(entry, tail);
    held.row = { account: change.account, tail };
    held.isChanged = true;
  }

  const isOwnerAlive = (row: PaymentOwner | null) => row !== null && row.owner !== null && isAlive(row.owner);

  const owned = (row: PaymentRow | null) => (row === null ? null : { row, isOwnerAlive: isOwnerAlive(row) });

  return {
    read: (keys) => {
      const row = keys.payment === undefined ? null : payment(keys.payment);
      const openPayment = keys.openPayment === undefined ? null : readOpen(db, keys.openPayment);
      return {
        account: keys.account === undefined ? null : (account(keys.account).row?.account ?? null),
        tokens: keys.tokens === undefined ? null : readTokens(db, keys.tokens),
        promo: keys.promo === undefined ? null : readPromo(db, keys.promo),
        redemption:
          keys.redemption === undefined ? null : readRedemption(db, keys.redemption.code, keys.redemption.wallet),
        answer: keys.answer === undefined ? null : readAnswer(db, keys.answer),
        purchases: keys.purchases?.map((key) => readAnswer(db, key)) ?? NONE,
        payment: row,
        others: keys.others?.map((key) => owned(payment(key))) ?? NONE,
        openPayment,
        transfer: keys.transfer === undefined ? null : readTransfer(db, keys.transfer),
        exposure: keys.exposure === undefined ? null : exposures.of(keys.exposure),
        isOwnerAlive: isOwnerAlive(row ?? openPayment),
        openOfPayer: keys.openOfPayerOf === undefined ? NONE_OPEN : readOpenOfPayer(db, keys.openOfPayerOf),
      };
    },

    write({ change, tokens, promo, redemption, answer, purchases = [], payment: row, leftTransfer, removedPayment }) {
      if (change !== undefined) writeChange(change, account(change.account.wallet));
      if (tokens !== undefined) putRow(db, tokensKey(tokens.wallet), encodeTokens(tokens));
      if (promo !== undefined) putRow(db, promoKey(promo.code), encodePromo(promo));
      if (redemption !== undefined) {
        putRow(db, redemptionKey(redemption.code, redemption.wallet), encodeRedemption(redemption));
      }
      if (answer !== undefined) writeAnswer(db, answer);
      for (const one of purchases) writeAnswer(db, one);
      if (leftTransfer !== undefined) removeTransfer(db, leftTransfer);
      if (row !== undefined) {
        const former = payment(row.key);
        // Only a row with a proof adds to an exposure.
        if (row.proof !== null) exposures.follow(former, row);
        writePayment(db, row, former);
        payments.set(row.key, row);
      }
      if (removedPayment !== undefined) {
        removePayment(db, removedPayment);
        payments.set(removedPayment, null);
      }
    },

    finish() {
      exposures.finish();
      for (const { key, row, isChanged } of accounts.values()) {
        if (isChanged) cachedAccounts.put(key, encodeAccount(row!), row!);
      }
      if (lastPosition !== null) end.moved(lastPosition);
    },
  };
}

/**
 * No two batches have the same object of an account: deciders tell by it what was decided within
 * theirs.
 */
function ofThisBatch({ account: { wallet, lastEntry, lots, unanswered }, tail }: AccountRow): AccountRow {
  return { account: { wallet, lastEntry, lots, unanswered }, tail };
}

/** Notes may come and go without an entry; an account that never had one is not written. */
function says({ account, entries }: Change, existing: AccountRow | null): boolean {
  return entries.length > 0 || (existing !== null && account !== existing.account);
}
