import { openCredits } from '#compose/credits';
import { parseWallet } from '#domain/ids';
import { PAID_OPERATIONS } from './cells.js';
import { type Answer, ask } from './payer.js';

/** What became of a credit pack: by its token over HTTP, and in the ledger on disk. */
export interface CreditsFound {
  /** null: there is no token. */
  readonly balance: number | null;
  /** Status of a call that was paid with the token. */
  readonly tokenStatus: number | 'cut' | null;
  /** Entries of the wallet's ledger, oldest first, as `kind credits`. */
  readonly ledger: readonly string[];
}

/** Uses the token of a purchase, if there is one, and reads the wallet's ledger. */
export async function lookForCredits(
  url: string,
  final: Answer | null,
  { dataDir, wallet }: { readonly dataDir: string; readonly wallet: string },
): Promise<CreditsFound> {
  const token = final?.status === 200 ? (JSON.parse(final.body) as { token: string }).token : null;
  const bought = await ledgerOf(dataDir, wallet);
  if (token === null) return { balance: null, tokenStatus: null, ledger: bought };
  const headers = { authorization: `Bearer ${token}` };
  const terms = await ask(url, { method: 'GET', path: '/api/credits', headers });
  const { balance } = JSON.parse(terms.body) as { balance: number };
  const { status } = await ask(url, { ...PAID_OPERATIONS[0]!.call, headers });
  return { balance, tokenStatus: status, ledger: bought };
}

async function ledgerOf(dataDir: string, wallet: string): Promise<readonly string[]> {
  const { store } = openCredits(dataDir);
  try {
    return (await store.ledger(parseWallet(wallet)!, 100)).map(({ kind, credits }) => `${kind} ${credits}`);
  } finally {
    await store.close();
  }
}
