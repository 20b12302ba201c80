import type { TapeWallet } from '#domain/ids';
import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import { touchingGap } from '#domain/rating/seen-window';
import { findWalletEntries } from '#domain/rating/sum-wallet';
import type { WalletEntries } from '#domain/rating/wallet-entries';
import type { RatingFrame } from '#judge/wallet/rate-entries';
import type { Board } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import { inTurns } from './in-turns.js';

/** What of a board says how much of a wallet's window it saw. */
export type BoardFrame = Pick<Board, 'asOfS' | 'tapeStartS' | 'gaps' | 'edgePrior'>;

/**
 * Returns what the rating of a wallet of the board is made of, out of the tape as it is now: the
 * same rules as of the nightly run, wallet by wallet. Rejects with the OutsideError of the tape.
 */
export async function entriesOnTape(
  wallet: TapeWallet,
  board: BoardFrame,
  { tape, config }: { readonly tape: Pick<Tape, 'fillsOf' | 'marketsOf'>; readonly config: RatingConfig },
): Promise<{ readonly found: WalletEntries; readonly frame: RatingFrame }> {
  const { asOfS, tapeStartS, gaps = [], edgePrior = null } = board;
  const fills = (await tape.fillsOf(wallet)).filter(({ timeS }) => timeS < asOfS);
  const windows = ratingWindows(asOfS, config);
  // Entries outside the window are not scored, so only these markets matter.
  const inWindow = fills.filter(({ timeS }) => timeS >= windows.fromS);
  const markets = await tape.marketsOf([...new Set(inWindow.map(({ condition }) => condition))]);
  const found = await inTurns(findWalletEntries(wallet, fills, markets, asOfS, config));
  const gap = touchingGap(found.tradeDays, gaps, windows);
  const seen = { source: 'tape', fromS: tapeStartS, gap, markets: found.undescribedMarkets } as const;
  return { found, frame: { asOfS, seen, edgePrior } };
}
