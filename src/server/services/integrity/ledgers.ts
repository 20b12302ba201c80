import type { Account, LedgerEntry } from '#domain/credits/credits';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import { broken } from '#domain/integrity/fault';
import { LedgerWalk } from '#domain/integrity/ledger-walk';
import type { RowsPage, Store } from '#ports/store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/**
 * Looks at every wallet: its account, and its ledger from the newest entry of that account back.
 * What is appended meanwhile is left to the next check. Then no entry may be left over.
 */
export async function checkLedgers(store: Store, findings: Findings): Promise<void> {
  // Entries are only ever appended: a walk that begins later cannot find fewer.
  const inLedger = await checkEntries(store, findings);
  let found = 0;
  let isWhole = true;
  for await (const { items, faults } of pagesOf(store.listing.accounts)) {
    findings.addMalformed(faults);
    if (faults.length > 0) isWhole = false;
    for (const account of items) {
      const walked = await walk(store, account, findings);
      found += walked.entries;
      isWhole &&= walked.isWhole;
    }
    findings.saw('accounts', items.length);
  }
  if (!isWhole || inLedger <= found) return;
  findings.add(broken('ledger', `${inLedger - found} entries are in the ledger to which no account leads`));
}

/** Returns how many entries there are. Each must be one of an account that knows of it. */
async function checkEntries(store: Store, findings: Findings): Promise<number> {
  let count = 0;
  for await (const { items, faults } of pagesOf(store.listing.entries)) {
    count += items.length;
    findings.addMalformed(faults);
    const newest = new Map<WalletAddress, number>();
    for (const { wallet, number } of items) newest.set(wallet, Math.max(number, newest.get(wallet) ?? 0));
    for (const [wallet, number] of newest) await checkExisting(store, { wallet, number }, findings);
    findings.saw('ledger entries', items.length);
  }
  return count;
}

async function checkExisting(
  store: Store,
  { wallet, number }: Pick<LedgerEntry, 'wallet' | 'number'>,
  findings: Findings,
): Promise<void> {
  // Read behind the entry, which was written together with it.
  const account = await accountOf(store, wallet);
  if (account === 'malformed' || (account !== null && account.lastEntry >= number)) return;
  const said = account === null ? 'the wallet has no account' : `its account ends with entry ${account.lastEntry}`;
  findings.add(broken(`wallet ${wallet}`, `there is an entry ${number}, and ${said}`));
}

async function accountOf(store: Store, wallet: WalletAddress): Promise<Account | null | 'malformed'> {
  try {
    return await store.account(wallet);
  } catch (error) {
    if (error instanceof OutsideError && error.failure === 'final') return 'malformed';
    throw error;
  }
}

async function walk(
  store: Store,
  account: Account,
  findings: Findings,
): Promise<{ readonly entries: number; readonly isWhole: boolean }> {
  const walk = new LedgerWalk(account);
  let entries = 0;
  const read = (from: string | null, limit: number): Promise<RowsPage<LedgerEntry>> =>
    store.listing.entriesOf(account.wallet, from, limit);
  for await (const { items, faults } of pagesOf(read)) {
    // What is newer than the account as it was read came since.
    const older = items.filter(({ number }) => number <= account.lastEntry);
    for (const entry of older) walk.see(entry);
    entries += older.length;
    if (faults.length === 0) continue;
    findings.addMalformed(faults);
    findings.add(...walk.faults());
    return { entries, isWhole: false };
  }
  findings.add(...walk.end());
  return { entries, isWhole: true };
}
