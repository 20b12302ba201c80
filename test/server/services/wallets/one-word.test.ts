import { expect } from 'chai';
import fc from 'fast-check';
import type { WalletAddress } from '#domain/ids';
import type { SecondsSpan } from '#domain/rating/unseen';
import { toWalletProfile } from '#judge/wallet/bodies';
import { toLeaderboard, toRedList } from '#services/wallets/list-bodies';
import { WalletLists } from '#services/wallets/lists';
import { walletNumber } from '#test/contract/store.contract';
import { fillsOf, marketOf } from '#test/support/paper-venue';
import { AS_OF_S } from '#test/support/sample-ratings';
import { TAPE_RUNS } from '#test/support/size';
import { publishBoard } from '../support/publish-board.js';
import { WalletsRig } from '../support/wallets-rig.js';

const DAY_S = 86_400;

/** Some wallets with some luck, and a tape of them that began late or lost times in between. */
const arbitraryWorld = fc.record({
  wallets: fc.array(
    fc.record({ entries: fc.integer({ min: 8, max: 300 }), wonOfTen: fc.integer({ min: 1, max: 9 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  startDay: fc.option(fc.integer({ min: 1, max: 80 })),
  gaps: fc.array(fc.record({ day: fc.integer({ min: 1, max: 88 }), hours: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 2,
  }),
});

describe('what one server says of a wallet', function () {
  this.timeout(120_000);

  it('is the same by a list and by a single answer, whatever the tape lacks, and no COPY of a short tape', () =>
    fc.assert(
      fc.asyncProperty(arbitraryWorld, async ({ wallets, startDay, gaps: lost }) => {
        const rig = await WalletsRig.open();
        try {
          const beginS = startDay === null ? AS_OF_S - 100 * DAY_S : AS_OF_S - 90 * DAY_S + startDay * DAY_S;
          const gaps = lost.map(({ day, hours }): SecondsSpan => {
            const fromS = AS_OF_S - 90 * DAY_S + day * DAY_S;
            return { fromS, toS: fromS + hours * 3_600 };
          });
          const isRecorded = (timeS: number) =>
            timeS >= beginS && !gaps.some(({ fromS, toS }) => timeS >= fromS && timeS <= toS);
          for (const [n, { entries, wonOfTen }] of wallets.entries()) {
            const fills = fillsOf(walletNumber(n + 1), entries);
            rig.venue.trades.set(walletNumber(n + 1), fills);
            for (const [i, fill] of fills.entries()) {
              rig.venue.markets.set(fill.condition, marketOf(fill, (i * 7) % 10 < wonOfTen));
              if (isRecorded(fill.timeS)) rig.tape.fills.push(fill);
            }
          }
          await publishBoard(rig, beginS, gaps);
          const lists = new WalletLists({ store: rig.store, clock: rig.clock });
          for (const [list, toBody] of [
            [await lists.leaderboard(), toLeaderboard],
            [await lists.redList(), toRedList],
          ] as const) {
            if (list.kind !== 'listed') throw new Error('there is no board');
            for (const row of toBody({ ...list, ratings: list.wallets }).wallets) {
              const answer = await rig.settled(row.wallet as WalletAddress);
              if (answer.kind !== 'rated') throw new Error(`${row.wallet} is listed and ${answer.kind}`);
              const single = toWalletProfile(answer.stored, answer);
              expect([row.verdict, row.reason_code, row.reasons]).to.deep.equal([
                single.verdict,
                single.reason_code,
                single.reasons,
              ]);
              expect([row.profile_roi_fee_inclusive_pct, row.roi_ci95_pct, row.z]).to.deep.equal([
                single.roi_fee_inclusive_pct,
                single.roi_ci95_pct,
                single.z,
              ]);
              if (beginS > AS_OF_S - 90 * DAY_S) expect(single.verdict).to.not.equal('COPY');
            }
          }
        } finally {
          await rig.remove();
        }
      }),
      { numRuns: 8 * TAPE_RUNS, endOnFailure: true },
    ));
});
