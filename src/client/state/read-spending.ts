import type { ClientState } from './ports.js';

/**
 * Returns what a payer spent in the last 24 hours, in cents and in packs, its unfinished purchases,
 * and what was damaged of them.
 */
export async function readSpending({ ledger, journal }: Pick<ClientState, 'ledger' | 'journal'>, payer: string) {
  const [cents, packs] = [await ledger.spent(payer, 'cents'), await ledger.spent(payer, 'packs')];
  const damaged = (await journal.damaged?.(payer)) ?? [];
  return { cents, packs, open: await journal.list(payer), damaged };
}
