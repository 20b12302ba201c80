import type { Rating } from '#domain/rating/rating';
import type { RatingConfig } from '#domain/rating/rating-config';
import { canonicalText } from '#judge/canonical-text';
import { rateEntries } from '#judge/wallet/rate-entries';
import { basisTextOf } from '#judge/wallet/rating-basis';
import type { Log } from '#ports/log';
import type { Board, RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import { inTurns } from './in-turns.js';
import { entriesOnTape } from './tape-entries.js';

interface Deps {
  readonly bases: Pick<RatingsStore['bases'], 'put'>;
  readonly tape: Pick<Tape, 'fillsOf' | 'marketsOf'>;
  readonly config: RatingConfig;
  readonly log: Log;
}

/**
 * Stores what the ratings of a board's lists were computed from, wallet by wallet, before the lists
 * are in force. What gives another rating here is not stored: then the two engines disagree, and
 * the wallet has no evidence.
 */
export async function storeBases(
  { bases, tape, config, log }: Deps,
  { board, listed }: { readonly board: Board; readonly listed: readonly Rating[] },
  signal?: AbortSignal,
): Promise<void> {
  for (const rating of listed) {
    const { wallet } = rating;
    const { found, frame } = await entriesOnTape(wallet, board, { tape, config });
    signal?.throwIfAborted();
    const again = await inTurns(rateEntries(found, frame, config), signal);
    if (canonicalText(again.rating) === canonicalText(rating)) {
      await bases.put([{ wallet, asOfS: board.asOfS, text: basisTextOf(found, frame, config) }]);
    } else {
      log.error(
        { run: board.run, wallet },
        'a rating does not follow from the tape wallet by wallet; it has no evidence',
      );
    }
  }
}
