import type { Fill } from '#domain/rating/fill';
import { categorizeMarket } from '#domain/rating/market-category';
import { walletOf } from '#local/venue/market/deterministic-ids';
import { messyFills, tidyFills } from '#tools/bench/skill/entry-fills';
import { POPULATIONS, type Population } from '#tools/bench/skill/populations';
import { type Entry, entriesOf } from '#tools/bench/skill/wallet-entries';
import { makeWorld, type World } from '#tools/bench/skill/world';

/** A wallet of the world, and what the generator knows about it. */
interface HistoryWallet {
  readonly wallet: string;
  readonly population: Population;
  readonly entries: readonly Entry[];
}

/** One match of the exchange: a taker's order, and the makers' orders that it was filled by. */
export interface Match {
  readonly tx: string;
  readonly timeS: number;
  readonly token: string;
  readonly market: string;
  readonly event: string;
  readonly outcomeIndex: number;
  readonly taker: string;
  readonly takerBought: boolean;
  readonly makers: readonly { readonly wallet: string; readonly sizeMicros: number; readonly priceMicros: number }[];
  /** The source tells it twice. */
  readonly isRepeated: boolean;
}

/** A market by the number that data sets give it. */
interface HistoryMarket {
  readonly market: string;
  readonly event: string;
  readonly kind: string;
  /** What data sets call its kind. */
  readonly category: string;
  readonly feeRateMicros: number;
  readonly endS: number;
  readonly closedS: number;
  /** Outcome that won. */
  readonly winner: number;
}

/** A small planted world, as matches of its exchange. Each wallet trades with strangers. */
export interface HistoryWorld {
  readonly world: World;
  readonly wallets: readonly HistoryWallet[];
  readonly matches: readonly Match[];
  readonly markets: readonly HistoryMarket[];
}

export interface WorldSize {
  readonly seed: number;
  readonly eventsPerDay: number;
  /** How many wallets of each population, by its name, and how busy they are. */
  readonly wallets: readonly { readonly name: string; readonly count: number; readonly entriesMedian?: number }[];
}

/** So many that none of them buys often enough to be rated. */
const STRANGERS = 1_000;

/** Tokens are whole numbers, and 0 is the collateral. */
const FIRST_TOKEN = 10n ** 76n;

/** What data sets call a kind of events. */
const CATEGORIES: Readonly<Record<string, string>> = {
  sports: 'Sports',
  politics: 'Politics',
  crypto: 'Crypto',
  other: 'Untagged',
};

export function makeHistoryWorld({ seed, eventsPerDay, wallets: kinds }: WorldSize): HistoryWorld {
  const world = makeWorld(seed, 'open', eventsPerDay);
  const wallets = kinds.flatMap(({ name, count, entriesMedian }, kind) =>
    Array.from({ length: count }, (_, n): HistoryWallet => {
      const planted = POPULATIONS.find((population) => population.name === name)!;
      const population = entriesMedian === undefined ? planted : { ...planted, entriesMedian };
      const number = kind * 10_000 + n;
      return {
        wallet: walletOf(`history ${seed} ${number}`),
        population,
        entries: entriesOf(world, population, seed, number),
      };
    }),
  );
  const matches = wallets.flatMap(({ wallet, entries }, n) => {
    const fills = messyFills(tidyFills(world, wallet, [...entries]), seed, n);
    return toMatches(fills);
  });
  matches.sort((a, b) => a.timeS - b.timeS || (a.tx < b.tx ? -1 : 1));
  const traded = new Set(matches.map(({ market }) => market));
  const markets = [...world.markets.values()].map(toHistoryMarket).filter(({ market }) => traded.has(market));
  return { world, wallets, matches, markets };
}

/** Every other order of a wallet takes, the others make. */
function toMatches(fills: readonly Fill[]): Match[] {
  const orders = new Map<string, Fill[]>();
  const repeated = new Set<string>();
  for (const fill of fills) {
    const key = `${fill.tx} ${fill.side}`;
    const order = orders.get(key) ?? [];
    const isRepeat = order.some((one) => one.priceMicros === fill.priceMicros && one.sizeMicros === fill.sizeMicros);
    if (isRepeat) repeated.add(key);
    else order.push(fill);
    orders.set(key, order);
  }
  return [...orders].map(([key, order], i) => {
    const [{ wallet, tx, timeS, token, condition, event, outcomeIndex, side }] = order as [Fill];
    const isTaker = i % 2 === 0;
    const stranger = (n: number) => walletOf(`stranger ${(i % STRANGERS) + n * STRANGERS}`);
    return {
      ...{ tx, timeS, event, outcomeIndex, token: tokenNumber(token), market: marketNumber(condition) },
      taker: isTaker ? wallet : stranger(0),
      takerBought: isTaker === (side === 'BUY'),
      makers: order.map(({ sizeMicros, priceMicros }, n) => ({
        wallet: isTaker ? stranger(n) : wallet,
        ...{ sizeMicros, priceMicros },
      })),
      isRepeated: repeated.has(key),
    };
  });
}

const tokenNumber = (token: string): string => String(FIRST_TOKEN + BigInt(token.slice(1)));
const marketNumber = (condition: string): string => condition.slice(1);

function toHistoryMarket(
  market: World['markets'] extends ReadonlyMap<string, infer Market> ? Market : never,
): HistoryMarket {
  const { condition, event, category, scheduledEndS, resolvedAtS, payoutMicros } = market;
  const tag = CATEGORIES[category]!;
  return {
    market: marketNumber(condition),
    event,
    kind: category,
    category: tag,
    feeRateMicros: categorizeMarket({ tags: [tag], closedAtS: resolvedAtS }).feeRateMicros,
    endS: scheduledEndS!,
    closedS: resolvedAtS!,
    winner: payoutMicros![0] === 1_000_000 ? 0 : 1,
  };
}
