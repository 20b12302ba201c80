import type { Fill } from '#domain/rating/fill';
import { groupBy } from '#domain/rating/group-by';
import { rateSums } from '#domain/rating/rate-sums';
import type { RatingVerdict } from '#domain/rating/rating';
import { RATING_CONFIG } from '#domain/rating/rating-config';
import { sumWallet } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { copierReturn } from '#tools/bench/skill/ground-truth';
import type { Entry } from '#tools/bench/skill/wallet-entries';
import type { HistoryWorld } from './history-world.js';

/** What the generator knows about a verdict: what following it was worth, whatever came of it. */
export interface PlantedTruth {
  /** Wallets with the verdict, on all dates together. */
  readonly wallets: number;
  readonly entries: number;
  readonly expectedRoi: number;
  /** By the results. */
  readonly realisedRoi: number;
}

/** Returns the fills of the wallets of a world as its source tells them, repeats and all. */
export function reportedFills({ wallets, matches }: HistoryWorld): readonly Fill[] {
  const own = new Set(wallets.map(({ wallet }) => wallet));
  return matches.flatMap((match) => {
    const { tx, timeS, token, market: condition, event, outcomeIndex, taker, takerBought, makers } = match;
    const trade = { tx, timeS, token, condition, event, outcomeIndex, logIndex: null };
    const shares = makers.reduce((sum, { sizeMicros }) => sum + sizeMicros, 0);
    const paid = makers.reduce((sum, { sizeMicros, priceMicros }) => sum + sizeMicros * priceMicros, 0);
    const side = (isBuy: boolean) => (isBuy ? 'BUY' : 'SELL') as Fill['side'];
    const order = {
      wallet: taker,
      sizeMicros: shares,
      priceMicros: Math.round(paid / shares),
      side: side(takerBought),
    };
    const all = [order, ...makers.map((maker) => ({ ...maker, side: side(!takerBought) }))];
    return all.filter(({ wallet }) => own.has(wallet)).map((one): Fill => ({ ...trade, ...one }));
  });
}

/** Returns the markets of a world as a tape has them when all is over, by condition. */
export function reportedMarkets({ markets }: HistoryWorld): ReadonlyMap<string, TapeMarket> {
  return new Map(
    markets.map(({ market: condition, event, kind, feeRateMicros, endS, closedS, winner }) => [
      condition,
      {
        ...{ condition, event, slug: '', category: kind, feeRateMicros, upDown: false },
        ...{ scheduledEndS: endS, resolvedAtS: closedS, payoutMicros: winner === 0 ? [1e6, 0] : [0, 1e6] },
      },
    ]),
  );
}

/**
 * Rates the wallets of a world by the pure functions at each date, and sums the planted chances of
 * their entries until the next date, of those whose result is known at `knownS`.
 */
export function plantedTruth(
  history: HistoryWorld,
  dates: readonly number[],
  everyS: number,
  knownS: number,
): ReadonlyMap<RatingVerdict, PlantedTruth> {
  const markets = reportedMarkets(history);
  const fills = groupBy(reportedFills(history), ({ wallet }) => wallet);
  const sums = new Map<RatingVerdict, { wallets: number; entries: number; expected: number; realised: number }>();
  for (const { wallet, entries } of history.wallets) {
    for (const asOfS of dates) {
      const own = sumWallet(wallet, fills.get(wallet) ?? [], markets, asOfS, RATING_CONFIG);
      if (own.firstEntries === 0) continue;
      const { verdict } = rateSums(own, asOfS, RATING_CONFIG);
      const sum = sums.get(verdict) ?? { wallets: 0, entries: 0, expected: 0, realised: 0 };
      sums.set(verdict, sum);
      sum.wallets++;
      const toS = Math.min(asOfS + everyS, knownS);
      for (const entry of entries.filter(({ timeS }) => timeS >= asOfS && timeS < toS)) {
        const market = markets.get(String(entry.market))!;
        if (!passesFilter(entry) || market.scheduledEndS! > knownS || market.resolvedAtS! > knownS) continue;
        sum.entries++;
        const payout = market.payoutMicros![entry.outcome]! / 1e6;
        sum.expected += copierReturn(entry.priceMicros, entry.winChance, market.feeRateMicros, RATING_CONFIG);
        sum.realised += copierReturn(entry.priceMicros, payout, market.feeRateMicros, RATING_CONFIG);
      }
    }
  }
  const truth = [...sums].map(([verdict, { wallets, entries, expected, realised }]) => {
    return [verdict, { wallets, entries, expectedRoi: expected / entries, realisedRoi: realised / entries }] as const;
  });
  return new Map(truth);
}

/** What the planted entries of some wallets brought a copier; sums of dollars. */
export interface CopiedByHand {
  readonly entries: number;
  readonly resolved: number;
  /** Of the resolved ones, by the planted chances. */
  readonly expected: number;
  /** Of the resolved ones, by the results. */
  readonly realised: number;
  readonly walletsInProfit: number;
}

/** Returns what became of the entries from `fromS` to before `toS`, as far as it was known at `knownS`. */
export function copiedByHand(
  history: HistoryWorld,
  wallets: readonly string[],
  { fromS, toS, knownS }: { readonly fromS: number; readonly toS: number; readonly knownS: number },
): CopiedByHand {
  const markets = reportedMarkets(history);
  const sums = { entries: 0, resolved: 0, expected: 0, realised: 0, walletsInProfit: 0 };
  for (const { entries } of history.wallets.filter(({ wallet }) => wallets.includes(wallet))) {
    let made = 0;
    for (const entry of entries.filter((one) => one.timeS >= fromS && one.timeS < toS && passesFilter(one))) {
      const market = markets.get(String(entry.market))!;
      sums.entries++;
      if (market.scheduledEndS! > knownS || market.resolvedAtS! > knownS) continue;
      const payout = market.payoutMicros![entry.outcome]! / 1e6;
      sums.resolved++;
      sums.expected += copierReturn(entry.priceMicros, entry.winChance, market.feeRateMicros, RATING_CONFIG);
      made += copierReturn(entry.priceMicros, payout, market.feeRateMicros, RATING_CONFIG);
    }
    sums.realised += made;
    if (made > 0) sums.walletsInProfit++;
  }
  return sums;
}

function passesFilter({ priceMicros, sharesMicros }: Entry): boolean {
  const { filterPriceMicrosMin, filterPriceMicrosMax, filterClipSharesMicrosMin } = RATING_CONFIG;
  return (
    priceMicros >= filterPriceMicrosMin &&
    priceMicros <= filterPriceMicrosMax &&
    sharesMicros >= filterClipSharesMicrosMin
  );
}
