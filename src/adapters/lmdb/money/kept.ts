import type { WalletAddress } from '#domain/ids';
import { type AccountRow, decodeAccount } from '../../rows/credit-rows.js';
import { KeptRows } from '../kept-rows.js';
import { LastCommit } from '../last-commit.js';
import type { Rows } from '../raw.js';
import { RowWriter } from '../row-writer.js';
import { accountKey } from './keys.js';
import { LedgerEnd } from './ledger-end.js';
import { LedgerKeyBytes } from './ledger-key.js';
import { writeAccount } from './written-rows.js';

/** Accounts that are kept as they were last understood: some hundred bytes each, and a hundred more for each open debit. */
const ACCOUNTS_KEPT_MAX = 10_000;

/** Account rows as they were last read or written. */
interface KeptAccounts {
  /**
   * Returns an object of its own each time: who compares accounts asks whether they are of one transaction. `run` is that of
   * the transaction (last-commit.ts).
   */
  read(wallet: WalletAddress, run: number): AccountRow | null;
  write(wallet: WalletAddress, row: AccountRow, run: number): void;
}

/**
 * What one transaction leaves to the next one, to be compared with what the database then holds, unless nobody else has
 * written since.
 */
export interface MoneyKept {
  readonly lastCommit: LastCommit;
  /** Shared by all rows, one after the other. */
  readonly writer: RowWriter;
  readonly accounts: KeptAccounts;
  readonly end: LedgerEnd;
  readonly ledgerKeys: LedgerKeyBytes;
}

export function keepMoney(db: Rows): MoneyKept {
  const rows = new KeptRows<WalletAddress, AccountRow>(db, ACCOUNTS_KEPT_MAX, accountKey);
  const writer = new RowWriter();
  return {
    lastCommit: new LastCommit(),
    writer,
    accounts: {
      read(wallet, run) {
        const row = rows.read(wallet, decodeAccount, run);
        if (row === null) return null;
        // Written out, as in the other steps of a debit: to spread an object costs more than the rest of the step.
        const { lastEntry, lots, unanswered } = row.account;
        return { account: { wallet, lastEntry, lots, unanswered }, tail: row.tail };
      },
      write(wallet, row, run) {
        writer.begin();
        writeAccount(writer, row);
        rows.write(wallet, writer, row, run);
      },
    },
    end: new LedgerEnd(db),
    ledgerKeys: new LedgerKeyBytes(),
  };
}
