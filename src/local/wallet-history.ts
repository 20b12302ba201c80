import { backfillTrades, openTapeHome, openTapeSources } from '#src/compose-tape';
import type { VenueUrls } from '#src/venue-urls';
import type { ExampleWallet } from './venue/history/example-wallets.js';

/** The rating window, and a month in which first entries may lie that make later ones repeats. */
const HISTORY_S = 120 * 86_400;
/** Who is left out, so that somebody is there whose profile has to be made when it is asked for. */
const UNSEEN: readonly ExampleWallet['role'][] = ['visitor', 'never-traded'];

/**
 * Brings the past of the local venue's wallets into the tape, wallet by wallet, as an operator would with `preflight tape backfill`:
 * the venue's feed of everybody's trades ends after two months, and a rating looks at three. What is there already is not read again.
 */
export async function recordWalletHistory(
  dataDir: string,
  venue: VenueUrls,
  wallets: readonly ExampleWallet[],
): Promise<void> {
  const { tape, clock } = await openTapeHome(dataDir);
  try {
    const { source } = openTapeSources(venue, clock);
    const toS = Math.floor(clock.nowMs() / 1_000);
    for (const { address, role } of wallets) {
      if (UNSEEN.includes(role)) continue;
      const span = { fromS: toS - HISTORY_S, toS };
      await backfillTrades({ tape, source, clock }, { kind: 'wallet', wallet: address }, span, { job: 'history' });
    }
  } finally {
    await tape.close();
  }
}
