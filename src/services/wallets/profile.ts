import { setImmediate as turn } from 'node:timers/promises';
import { OutsideError } from '#domain/errors';
import type { WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import { rateSums } from '#domain/rating/rate-sums';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { RatingSums } from '#domain/rating/rating-sums';
import { ratingWindows } from '#domain/rating/rating-windows';
import { sumWalletInSteps } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { Clock } from '#ports/clock';
import type { StoredRating } from '#ports/ratings-store';
import type { MarketFacts, TradePage, TradeSource } from '#ports/trade-source';
import { ratingConfigHash } from '../ratings/config-hash.js';
import type { WalletTape } from './contract.js';
import { shareTexts } from './share-texts.js';

/**
 * Pages of trades that are read of one wallet. A page has some hundred rows; the venue's busiest
 * wallets go beyond.
 */
export const WALLET_PAGES_MAX = 400;
/** Conditions asked for in one call of the market facts. */
const CONDITIONS_PER_CALL = 100;

export interface ProfileDeps {
  readonly trades: TradeSource;
  readonly facts: MarketFacts;
  readonly tape: WalletTape;
  readonly clock: Clock;
  readonly config: RatingConfig;
}

/**
 * Returns the wallet's rating at one moment, from all of its trades at the venue and on the tape.
 * Rejects with an OutsideError if anything cannot be read: a rating of half of the trades would be
 * wrong.
 */
export async function profileWallet(
  wallet: WalletAddress,
  asOfS: number,
  deps: ProfileDeps,
  signal: AbortSignal,
): Promise<StoredRating> {
  const { config, tape } = deps;
  const { fromS } = ratingWindows(asOfS, config);
  const share = shareTexts();
  const read = await readTrades(wallet, { fromS, asOfS, share }, deps.trades, signal);
  const fills = [...read.fills, ...(await tape.fillsOf(wallet)).map(share)];
  // Entries outside the window are not scored, so only these markets matter.
  const inWindow = fills.filter(({ timeS }) => timeS >= fromS && timeS < asOfS);
  const markets = await readMarkets([...new Set(inWindow.map(({ condition }) => condition))], deps, signal);
  const sums = await inTurns(sumWalletInSteps(wallet, fills, markets, asOfS, config), signal);
  const rating = rateSums(sums, asOfS, config);
  const name = read.name ?? (await tape.namesOf([wallet])).get(wallet) ?? null;
  return { rating, name, computedAtMs: deps.clock.nowMs(), config: ratingConfigHash(config) };
}

/** Verdicts of orders want the event loop between the steps. */
async function inTurns(steps: Generator<void, RatingSums>, signal: AbortSignal): Promise<RatingSums> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
    signal.throwIfAborted();
  }
}

/**
 * Reads page after page, newest first. Pages may repeat rows: equal fills count once when they are
 * summed.
 */
async function readTrades(
  wallet: WalletAddress,
  { fromS, asOfS, share }: { readonly fromS: number; readonly asOfS: number; readonly share: (fill: Fill) => Fill },
  trades: TradeSource,
  signal: AbortSignal,
): Promise<{ readonly fills: readonly Fill[]; readonly name: string | null }> {
  const fills: Fill[] = [];
  let name: string | null = null;
  let oldestS = asOfS;
  let cursor: string | null = null;
  for (let pages = 0; pages < WALLET_PAGES_MAX; pages++) {
    const page: TradePage = await trades.fetchWalletTrades(wallet, { fromS: 0, toS: asOfS - 1 }, cursor);
    signal.throwIfAborted();
    for (const fill of page.fills) {
      if (fill.wallet !== wallet) continue;
      fills.push(share(fill));
      oldestS = Math.min(oldestS, fill.timeS);
    }
    name ??= page.names.find((named) => named.wallet === wallet)?.name ?? null;
    if (page.next === null) return { fills, name };
    if (page.next === cursor) throw unreadable('the venue repeats the same page of trades');
    cursor = page.next;
  }
  // What is missing is older than the window: such a wallet's first entries are the first that were
  // seen, as on a young tape.
  if (oldestS < fromS) return { fills, name };
  throw unreadable(`${WALLET_PAGES_MAX} pages of trades do not reach back over the window`);
}

/**
 * Returns the markets as the tape knows them, once it has the venue's news of those without a
 * result.
 */
async function readMarkets(
  conditions: readonly string[],
  { tape, facts }: ProfileDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TapeMarket>> {
  const known = await tape.marketsOf(conditions);
  const open = conditions.filter((condition) => (known.get(condition)?.payoutMicros ?? null) === null);
  const news: TapeMarket[] = [];
  for (let at = 0; at < open.length; at += CONDITIONS_PER_CALL) {
    const found = await facts.fetchMarketFacts(open.slice(at, at + CONDITIONS_PER_CALL));
    signal.throwIfAborted();
    news.push(...[...found.values()].filter((market) => isNews(market, known.get(market.condition))));
  }
  if (news.length === 0) return known;
  await tape.addMarkets(news);
  // Read again and not merged here: the tape keeps the first scheduled end that was ever seen.
  return tape.marketsOf(conditions);
}

/**
 * A market that is still open, as it was known, is not written again for each wallet that trades in
 * it.
 */
function isNews(market: TapeMarket, known: TapeMarket | undefined): boolean {
  return known === undefined || market.payoutMicros !== null;
}

function unreadable(why: string): OutsideError {
  return new OutsideError('trades', why, { failure: 'retryable' });
}
