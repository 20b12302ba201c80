import { join } from 'node:path';
import { expect } from 'chai';
import { openTape } from '#adapters/tape/tape';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { toEnd } from '#domain/steps';
import { rateEntries } from '#judge/wallet/rate-entries';
import { toRatingBasis } from '#judge/wallet/rating-basis';
import { RatingJob } from '#services/ratings/job';
import { entriesOnTape } from '#services/ratings/tape-entries';
import { walletNumber } from '#test/contract/store.contract';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { jobOwner } from '#test/support/job-owners';
import { ManualClock } from '#test/support/manual-clock';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { RecordedLog } from '#test/support/recorded-log';
import { AS_OF_S } from '#test/support/sample-ratings';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const DAY_S = 86_400;
const WALLET = walletNumber(1);

describe('a board over markets that the venue does not describe', function () {
  this.timeout(PROCESS_TEST_MS);

  it('calls COPY no wallet some of whose entries it knows nothing of, says how many, and signs the same', async () => {
    const ratings = await makeRatingsFixture();
    const [store, tape] = [await ratings.open(), await openTape({ dir: join(ratings.dataDir, 'tape') })];
    const clock = new ManualClock((AS_OF_S + 3 * 3_600) * 1e3);
    try {
      const fills = fillsOf(WALLET, 300);
      const earlier = { ...fills[0]!, wallet: walletNumber(9), side: 'SELL' as const, timeS: AS_OF_S - 100 * DAY_S };
      await tape.addFills('all', [...fills, earlier]);
      // It wins four of ten. Of three that it lost one is described.
      const isWon = (n: number) => n % 10 < 4;
      const described = fills.flatMap((fill, n) => (isWon(n) || n % 3 === 0 ? [marketOf(fill, isWon(n))] : []));
      await tape.addRows('markets', described);
      const job = new RatingJob({
        ...{ store, tape, clock, jobs: jobOwner(store, clock), log: new RecordedLog(), config: RATING_CONFIG },
        ...{ refreshMarkets: async () => {}, gapsOf: async () => [] },
        random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      });
      await job.run(AS_OF_S);
      const stored = (await store.boardRating(WALLET))!;
      const undescribed = fills.length - described.length;
      expect(stored.rating).to.include({ verdict: 'WATCH', reason: 'tape_short' });
      expect(stored.rating.reasonText).to.include(`does not describe ${undescribed} of its markets: no COPY`);
      expect(stored.unseen).to.deep.equal({ beforeS: null, gap: null, markets: undescribed });
      const { found, frame } = await entriesOnTape(WALLET, (await store.board())!, { tape, config: RATING_CONFIG });
      expect(toRatingBasis(found, frame, RATING_CONFIG).seen.markets_not_described).to.equal(undescribed);
      const { rating, unseen } = toEnd(rateEntries(found, frame, RATING_CONFIG));
      expect({ rating, unseen }).to.deep.equal({ rating: stored.rating, unseen: stored.unseen });
    } finally {
      await tape.close();
      await store.close();
      await ratings.remove();
    }
  });
});
