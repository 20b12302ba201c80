import type { Store } from '#ports/store';
import { checkStore } from '#services/integrity/check';
import type { Home } from './life.js';

const PAGE = 500;

/** What clients were answered, by the nonces of their payments. */
export interface Answered {
  /** With 200. */
  readonly paid: ReadonlySet<string>;
  /** That the payment pays nothing. */
  readonly refused: ReadonlySet<string>;
}

/** Returns which rules of the store, or of transfers and answers, do not hold; no payment is open. */
export async function moneyFaults(
  { store, ratings, upstreams }: Home,
  { paid, refused }: Answered,
): Promise<readonly string[]> {
  const { faults } = await checkStore({ store, ratings }, () => undefined);
  const settled = await settledNonces(store);
  const moved = new Set(upstreams.transfers.keys());
  const without = (some: ReadonlySet<string>, others: ReadonlySet<string>, text: string) =>
    [...some].filter((nonce) => !others.has(nonce)).map((nonce) => `${text}: ${nonce}`);
  return [
    ...faults.map((fault) => `the store: ${JSON.stringify(fault)}`),
    ...without(moved, settled, 'a transfer has no settled payment'),
    ...without(settled, moved, 'a settled payment has no transfer'),
    ...without(paid, moved, 'a 200 has no transfer'),
    ...[...refused].filter((nonce) => moved.has(nonce)).map((nonce) => `a refused payment was charged: ${nonce}`),
  ];
}

async function settledNonces(store: Pick<Store, 'payments'>): Promise<ReadonlySet<string>> {
  const settled = new Set<string>();
  let from: string | null = null;
  do {
    const page: Awaited<ReturnType<Store['payments']>> = await store.payments(from, PAGE);
    for (const { state, payment } of page.items) if (state === 'SETTLED') settled.add(payment.authorization.nonce);
    from = page.next;
  } while (from !== null);
  return settled;
}
