import type { WalletAddress } from '#domain/ids';
import { type AccountRow, decodeAccount, encodeAccount } from '../../rows/credit-rows.js';
import { KeptRows } from '../kept-rows.js';
import type { Rows } from '../raw.js';
import { accountKey } from './keys.js';
import { LedgerEnd } from './ledger-end.js';

/** Accounts that are kept as they were last understood: some hundred bytes each, and a hundred more for each open debit. */
const ACCOUNTS_KEPT_MAX = 10_000;

/** Account rows as they were last read or written. */
interface KeptAccounts {
  /** Returns an object of its own each time: who compares accounts asks whether they are of one transaction. */
  read(wallet: WalletAddress): AccountRow | null;
  write(wallet: WalletAddress, row: AccountRow): void;
}

/** What one transaction leaves to the next one, to be compared with what the database then holds. */
export interface MoneyKept {
  readonly accounts: KeptAccounts;
  readonly end: LedgerEnd;
}

export function keepMoney(db: Rows): MoneyKept {
  const rows = new KeptRows<AccountRow>(db, ACCOUNTS_KEPT_MAX);
  return {
    accounts: {
      read(wallet) {
        const key = accountKey(wallet);
        const row = rows.read(key, (raw) => decodeAccount(key, raw, wallet));
        if (row === null) return null;
        // Written out, as in the other steps of a debit: to spread an object costs more than the rest of the step.
        const { lastEntry, lots, unanswered } = row.account;
        return { account: { wallet, lastEntry, lots, unanswered }, tail: row.tail };
      },
      write: (wallet, row) => rows.write(accountKey(wallet), encodeAccount(row), row),
    },
    end: new LedgerEnd(db),
  };
}
