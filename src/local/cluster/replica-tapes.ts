import { cpSync, renameSync, rmSync } from 'node:fs';
import { hasTape, tapePath } from '#compose/tape';
import type { VenueUrls } from '#config/venue-urls';
import type { ExampleWallet } from '../venue/history/example-wallets.js';
import { recordWalletHistory } from '../wallet-history.js';

/**
 * Gives each replica a tape of its own with the past of the simulated wallets: any of them may have
 * to rate them. It is recorded once, and copied to those that have none; a copy is moved to its
 * place when it is whole.
 */
export async function recordTapes(
  locations: readonly { readonly folder: string }[],
  venue: VenueUrls,
  wallets: readonly ExampleWallet[],
): Promise<void> {
  const [first, ...others] = locations.map(({ folder }) => folder);
  await recordWalletHistory(first!, venue, wallets);
  for (const folder of others) {
    if (hasTape(folder)) continue;
    const copy = `${tapePath(folder)}.copy`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(tapePath(first!), copy, { recursive: true });
    renameSync(copy, tapePath(folder));
  }
}
