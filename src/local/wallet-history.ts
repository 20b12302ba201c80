import { markWhole, openTapeModule, openTapeSources } from '#compose/tape';
import type { VenueUrls } from '#config/venue-urls';
import type { ExampleWallet } from './venue/history/example-wallets.js';

/** The rating window, and a month in which first entries may lie that make later ones repeats. */
const HISTORY_S = 120 * 86_400;
/** A wallet of the local venue has a few thousand trades at most. */
const PAGES_MAX = 100;
/** Names the segment, and the mark that all of it is on the tape. */
const JOB = 'local-history';
/** Who is left out, so that there is a wallet whose profile has to be made on request. */
const UNSEEN: readonly ExampleWallet['role'][] = ['visitor', 'never-traded'];

/**
 * Brings the past of the local venue's wallets into the tape: the venue's feed of everybody's
 * trades ends after two months, and a rating looks at three. Once per tape: a start that was killed
 * or failed before the end is made up for by the next one. Rejects with an OutsideError.
 */
export async function recordWalletHistory(
  dataDir: string,
  venue: VenueUrls,
  wallets: readonly ExampleWallet[],
): Promise<void> {
  const { tape, clock } = await openTapeModule(dataDir);
  try {
    if ((await tape.progressOf(JOB)) !== null) return;
    const { source } = openTapeSources(venue, clock);
    const toS = Math.floor(clock.nowMs() / 1_000);
    const seen = wallets.filter(({ role }) => !UNSEEN.includes(role));
    const fills = [];
    for (const { address } of seen) {
      let cursor: string | null = null;
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const page = await source.fetchWalletTrades(address, { fromS: toS - HISTORY_S, toS }, cursor);
        fills.push(...page.fills);
        cursor = page.next;
        if (cursor === null) break;
      }
    }
    await tape.addFills(JOB, fills);
    await tape.addRows(
      'names',
      seen.map(({ address, name }) => ({ wallet: address, name })),
    );
    // Of the simulated venue these are everybody, but for visitors.
    await markWhole(tape, { from: toS - HISTORY_S, to: toS });
    await tape.saveProgress(JOB, { recordedAtS: toS });
  } finally {
    await tape.close();
  }
}
