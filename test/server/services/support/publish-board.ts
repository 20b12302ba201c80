import { RATING_CONFIG, type RatingConfig } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { SecondsSpan } from '#domain/rating/unseen';
import { RatingJob } from '#services/ratings/job';
import { jobOwner } from '#test/support/job-owners';
import { AS_OF_S } from '#test/support/sample-ratings';
import type { WalletsRig } from './wallets-rig.js';

/** Rates the paper tape by the rules themselves, and puts the board in force. */
export async function publishBoard(
  rig: WalletsRig,
  firstFillS: number,
  gaps: readonly SecondsSpan[],
  config: RatingConfig = RATING_CONFIG,
): Promise<void> {
  const wallets = [...new Set(rig.tape.fills.map(({ wallet }) => wallet))].toSorted();
  const status = { fills: 1, segments: 1, markets: 1, marketsResolved: 1, bytes: 1, lastFillS: AS_OF_S - 1 };
  const job = new RatingJob({
    store: rig.store,
    jobs: jobOwner(rig.store, rig.clock),
    tape: {
      compact: async () => {},
      fillsOf: async (wallet) => rig.tape.fills.filter((fill) => fill.wallet === wallet),
      marketsOf: async () => rig.venue.markets,
      names: async function* () {},
      outcomes: async function* () {},
      status: async () => ({ ...status, firstFillS, compactedThroughDay: null }),
      async *rateAll(asOfS) {
        yield wallets
          .map((wallet) => sumWallet(wallet, rig.tape.fills, rig.venue.markets, asOfS, config))
          .filter(({ firstEntries }) => firstEntries > 0);
      },
    },
    refreshMarkets: async () => {},
    gapsOf: async () => gaps,
    clock: rig.clock,
    random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
    log: rig.log,
    config,
  });
  await job.run(AS_OF_S);
}
