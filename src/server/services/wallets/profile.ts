import { conditionModule, type WalletAddress } from '#domain/ids';
import type { Fill } from '#domain/rating/fill';
import type { RatingConfig } from '#domain/rating/rating-config';
import { ratingWindows } from '#domain/rating/rating-windows';
import type { StoredRating } from '#domain/rating/stored-rating';
import type { EdgePrior } from '#domain/rating/strength/edge-prior';
import { findWalletEntries } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { type RatingFrame, rateEntries } from '#judge/wallet/rate-entries';
import { basisTextOf } from '#judge/wallet/rating-basis';
import type { MarketFacts, TradeSource } from '#ports/trade-source';
import type { Clock } from '#system/clock';
import { ratingConfigHash } from '../ratings/config-hash.js';
import { inTurns } from '../ratings/in-turns.js';
import type { WalletTape } from './contract.js';
import { readTradesTwice } from './read-trades.js';
import { Unreadable } from './unreadable.js';

/** Conditions asked for in one call of the market facts. */
const CONDITIONS_PER_CALL = 100;

export interface ProfileDeps {
  readonly trades: TradeSource;
  readonly facts: MarketFacts;
  readonly tape: WalletTape;
  readonly clock: Clock;
  readonly config: RatingConfig;
  /**
   * How the edges of all wallets are spread, by the board in force; null or absent: it is not
   * known.
   */
  readonly edgePrior?: () => Promise<EdgePrior | null>;
}

/** Which rating is made of a wallet. */
export interface ProfileOrder {
  readonly wallet: WalletAddress;
  readonly asOfS: number;
  /**
   * Attempts that failed before: a market that the venue does not describe is not waited for
   * without end.
   */
  readonly attempts: number;
}

/**
 * From this attempt on a wallet is rated although a market of its entries is described nowhere, or
 * its result is told by nothing but a last price.
 */
export const ATTEMPTS_FOR_MARKETS = 8;
/**
 * The same for a market of the venue's second protocol that is not described: nobody has seen yet
 * whether its catalog finds all of them by their conditions.
 */
const ATTEMPTS_FOR_V2_MARKETS = 2;

/** A rating, and what it was computed from as canonical text. */
export interface Profiled {
  readonly stored: StoredRating;
  readonly basis: string;
}

/**
 * Returns the wallet's rating at one moment, from all of its trades at the venue and on the tape;
 * null if it never traded at all. Rejects with an OutsideError if anything cannot be read, or if
 * two answers contradict each other: a rating of half of the trades would be wrong.
 */
export async function profileWallet(
  order: ProfileOrder,
  deps: ProfileDeps,
  signal: AbortSignal,
): Promise<Profiled | null> {
  const { wallet, asOfS } = order;
  const { config, tape } = deps;
  const windows = ratingWindows(asOfS, config);
  const share = shareTexts();
  const read = await readTradesTwice(wallet, { windows, share }, deps.trades, signal);
  const recorded = (await tape.fillsOf(wallet)).filter(({ timeS }) => timeS < asOfS).map(share);
  if (read.fills.length === 0 && recorded.length > 0) {
    throw new Unreadable('the venue lists no trade of the wallet, and the tape holds some');
  }
  const all = [...read.fills, ...recorded];
  if (all.length === 0 && read.others === 0 && !(await tradedAt(wallet, asOfS, deps))) return null;
  // Entries outside the window are not scored, so only these markets matter.
  const inWindow = all.filter(({ timeS }) => timeS >= windows.fromS && timeS < asOfS);
  const markets = await readMarkets([...new Set(inWindow.map(({ condition }) => condition))], deps, signal);
  const entriesOf = (fills: readonly Fill[]) =>
    inTurns(findWalletEntries(wallet, fills, markets, asOfS, config), signal);
  const ofAll = await entriesOf(all);
  // What was only sold, bought again, or bought in too small an amount makes no entry: nothing of
  // such a market is missing.
  const entered = [...new Set(ofAll.entries.map(({ clip }) => clip.condition))];
  waitForMarkets(entered, markets, order);
  const found = read.sinceS === null ? ofAll : await entriesOf(withBegin(all, markets, read.sinceS));
  const frame: RatingFrame = {
    asOfS,
    seen: {
      source: 'venue',
      fromS: read.sinceS,
      gap: read.unknownS === null ? null : { fromS: read.unknownS, toS: read.unknownS },
      markets: ofAll.undescribedMarkets,
    },
    edgePrior: (await deps.edgePrior?.()) ?? null,
  };
  const name = read.name ?? (await tape.namesOf([wallet])).get(wallet) ?? null;
  const about = { name, computedAtMs: deps.clock.nowMs(), config: ratingConfigHash(config) };
  const rated = await inTurns(rateEntries(found, frame, config), signal);
  return { stored: { ...rated, ...about }, basis: basisTextOf(found, frame, config) };
}

/**
 * Whether a wallet without trades before the moment has traded since. Rejects where the venue says
 * that it has traded and lists nothing.
 */
async function tradedAt(wallet: WalletAddress, asOfS: number, { trades, clock }: ProfileDeps): Promise<boolean> {
  if (!(await trades.hasTraded(wallet))) return false;
  const range = { fromS: asOfS, toS: Math.floor(clock.nowMs() / 1e3) };
  const { fills, skipped, unknownS = [] } = await trades.fetchWalletTrades(wallet, range, null);
  // Rows that are no trades, such as combos, are what it did as well: the same as before the moment.
  if (skipped + unknownS.length > 0 || fills.some((fill) => fill.wallet === wallet)) return true;
  throw new Unreadable('the venue says that the wallet has traded, and lists no trade of it');
}

/**
 * Where older trades were not read, a token may have been bought before: only markets that were
 * made since show their first entries.
 */
function withBegin(fills: readonly Fill[], markets: ReadonlyMap<string, TapeMarket>, sinceS: number): readonly Fill[] {
  return fills.filter(({ condition }) => (markets.get(condition)?.createdAtS ?? 0) >= sinceS);
}

/**
 * Returns the markets as the tape knows them, once it has the venue's news of those without a
 * confirmed result. Rejects where a question failed.
 */
async function readMarkets(
  conditions: readonly string[],
  { tape, facts }: ProfileDeps,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TapeMarket>> {
  const existing = await tape.marketsOf(conditions);
  const open = conditions.filter((condition) => !isConfirmed(existing.get(condition)));
  const news: TapeMarket[] = [];
  for (let at = 0; at < open.length; at += CONDITIONS_PER_CALL) {
    const { found, unasked } = await facts.fetchMarketFacts(open.slice(at, at + CONDITIONS_PER_CALL));
    signal.throwIfAborted();
    for (const why of unasked.values()) throw new Unreadable(`a market of the wallet cannot be read: ${why}`);
    news.push(...[...found.values()].filter((market) => isNews(market, existing.get(market.condition))));
  }
  if (news.length > 0) await tape.addRows('markets', news);
  // Read again and not merged here: the tape keeps the first scheduled end that was ever seen.
  return news.length === 0 ? existing : tape.marketsOf(conditions);
}

/**
 * Throws, but for the last attempts, where the venue has no row of a market of an entry, or no more
 * than a last price of how it ended.
 */
function waitForMarkets(
  entered: readonly string[],
  markets: ReadonlyMap<string, TapeMarket>,
  { asOfS, attempts }: ProfileOrder,
): void {
  if (attempts + 1 >= ATTEMPTS_FOR_MARKETS) return;
  const isWaitedFor = (condition: string) =>
    attempts + 1 < ATTEMPTS_FOR_V2_MARKETS || conditionModule(condition) === null;
  const absent = entered.filter((condition) => !markets.has(condition) && isWaitedFor(condition)).length;
  const ofEntries = `of the ${entered.length} markets that were entered`;
  if (absent > 0) throw new Unreadable(`the venue does not describe ${absent} ${ofEntries}`);
  const byPrice = entered.filter((condition) => isByPrice(markets.get(condition), asOfS)).length;
  if (byPrice > 0) throw new Unreadable(`the venue has not confirmed the results of ${byPrice} ${ofEntries}`);
}

/**
 * Whether a result that counts is known by a last price alone: a list that was cut off shows as
 * one.
 */
function isByPrice(market: TapeMarket | undefined, asOfS: number): boolean {
  return market?.payoutSource === 'price' && market.resolvedAtS !== null && market.resolvedAtS <= asOfS;
}

function isConfirmed(market: TapeMarket | undefined): boolean {
  return market !== undefined && market.payoutMicros !== null && market.payoutSource !== 'price';
}

/**
 * A market that is still open, as it was known, is not written again for each wallet that trades in
 * it.
 */
function isNews(market: TapeMarket, existing: TapeMarket | undefined): boolean {
  if (existing === undefined) return true;
  return (
    market.payoutMicros !== null && (existing.payoutMicros === null || market.payoutSource !== existing.payoutSource)
  );
}

/**
 * Returns what makes fills share their texts: rows of a busy wallet name the same tokens and
 * markets a hundred thousand times, and each row that was parsed has them as texts of its own.
 */
function shareTexts(): (fill: Fill) => Fill {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const interned = texts.get(text);
    if (interned === undefined) texts.set(text, text);
    return interned ?? text;
  };
  return (fill) => ({
    ...fill,
    wallet: shared(fill.wallet),
    token: shared(fill.token),
    condition: shared(fill.condition),
    event: shared(fill.event),
  });
}
