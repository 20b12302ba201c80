import type { WalletAddress } from '#domain/ids';
import type { TransferPosition } from '#domain/payment/proof';
import type { ChainReader } from '#ports/settlement';
import type { Store } from '#ports/store';

/** Who is paid, in which token. */
interface Till {
  readonly payTo: WalletAddress;
  readonly asset: WalletAddress;
}

/** A transfer this young may be a payment of ours whose receipt was not looked at yet. */
const SETTLING_BLOCKS = 60;
/** Transfers that are looked up, the newest first. */
const LOOKED_UP_MAX = 200;
const SHOWN_MAX = 3;

/**
 * Returns a sentence about transfers to the payee in the last hour that this store did not settle;
 * null: there are none, or the chain cannot be asked. Another store that sells for the same payee
 * gives its answers for the same authorizations (docs/configuration.md, "One payee, one store"). A
 * person's own transfer looks the same.
 */
export async function describeForeignTransfers(
  { payTo, asset }: Till,
  {
    store,
    chain,
  }: { readonly store: Pick<Store, 'transact'>; readonly chain: Pick<ChainReader, 'transfersTo' | 'head'> },
): Promise<string | null> {
  const [head, transfers] = [await chain.head(), await chain.transfersTo(payTo, asset)];
  if (head === null || transfers === null) return null;
  const old = transfers.filter(({ blockNumber }) => blockNumber <= head.blockNumber - SETTLING_BLOCKS);
  const newest = old.slice(-LOOKED_UP_MAX);
  const ours = await Promise.all(newest.map((transfer) => isOurs(store, transfer)));
  const foreign = newest.filter((_, n) => !ours[n]);
  if (foreign.length === 0) return null;
  const shown = foreign.slice(-SHOWN_MAX).map(({ transaction }) => transaction);
  return (
    `${foreign.length} of ${old.length} transfers to ${payTo} in the last hour were not settled by this store (${shown.join(', ')}): ` +
    'if another service sells for this payee on a separate store, one payment buys at both; give each its own PAYEE_ADDRESS'
  );
}

/** The proof of a payment is the log before its transfer: the use of the authorization. */
async function isOurs(store: Pick<Store, 'transact'>, { transaction, logIndex }: TransferPosition): Promise<boolean> {
  const transfer = { transaction, logIndex: logIndex - 1 };
  return store.transact({ transfer }, (rows) => ({ writes: {}, result: rows.transfer !== null }));
}
