import { OutsideError } from '#domain/errors';
import type { Fill } from '#domain/rating/fill';
import type { TapeMarket } from '#domain/rating/tape-market';
import type { TapeRows } from '#ports/tape';
import type { MarketFacts, MarketsReport, TradePage, TradeSource } from '#ports/trade-source';
import type { WalletTape } from '#services/wallets/contract';
import { AS_OF_S } from './sample-ratings.js';

const DAY_S = 86_400;
const HOUR_S = 3_600;

/**
 * Returns a wallet's fills, one first entry each, in a market and event of its own, spread over the
 * 90 days before the moment. The last ones are the newest.
 */
export function fillsOf(wallet: string, entries: number, asOfS = AS_OF_S): readonly Fill[] {
  return Array.from({ length: entries }, (_, n) => ({
    wallet,
    token: `${wallet}-${n}`,
    condition: `${wallet}-${n}`,
    event: '',
    outcomeIndex: 0,
    side: 'BUY' as const,
    sizeMicros: 20_000_000,
    priceMicros: 480_000,
    timeS: asOfS - 89 * DAY_S + Math.floor((n * 88 * DAY_S) / entries),
    tx: `0x${n.toString(16)}`,
    logIndex: 0,
  }));
}

/** Returns the market of such a fill, settled an hour after it: won where `won` says so. */
export function marketOf(fill: Fill, won: boolean): TapeMarket {
  return {
    condition: fill.condition,
    event: fill.condition,
    slug: '',
    category: 'sports',
    feeRateMicros: 30_000,
    upDown: false,
    scheduledEndS: fill.timeS + HOUR_S,
    resolvedAtS: fill.timeS + HOUR_S,
    payoutMicros: won ? [1_000_000, 0] : [0, 1_000_000],
  };
}

/**
 * A venue on paper: trades and markets are lists, pages are cut from them, and it can be down, slow
 * or confused.
 */
export class PaperVenue implements TradeSource, MarketFacts {
  readonly trades = new Map<string, readonly Fill[]>();
  readonly markets = new Map<string, TapeMarket>();
  /** Markets about which a question fails, and why. */
  readonly unasked = new Map<string, string>();
  readonly calls = { pages: 0, looks: 0, facts: 0 };
  pageRows = 50;
  down = false;
  /** Each answer waits for this. */
  gate: Promise<unknown> = Promise.resolve();
  /** What happens to a page before it goes out. */
  tear: (page: TradePage, cursor: string | null) => TradePage = (page) => page;

  /** Lists a wallet with so many entries, of which every second one won. */
  list(wallet: string, entries: number, asOfS = AS_OF_S): readonly Fill[] {
    const fills = fillsOf(wallet, entries, asOfS);
    this.trades.set(wallet, fills);
    for (const [n, fill] of fills.entries()) this.markets.set(fill.condition, marketOf(fill, n % 2 === 0));
    return fills;
  }

  async fetchWalletTrades(
    wallet: string,
    { fromS, toS, rows = this.pageRows }: { readonly fromS: number; readonly toS: number; readonly rows?: number },
    cursor: string | null,
  ): Promise<TradePage> {
    this.calls.pages++;
    await this.#answer();
    const all = (this.trades.get(wallet) ?? []).filter(({ timeS }) => timeS >= fromS && timeS <= toS).toReversed();
    const at = Number(cursor ?? 0);
    const pageRows = Math.min(rows, this.pageRows);
    const fills = all.slice(at, at + pageRows);
    const next = at + pageRows < all.length ? String(at + pageRows) : null;
    return this.tear(
      { fills, names: [{ wallet, name: `name of ${wallet}` }], skipped: 0, unreadable: 0, next },
      cursor,
    );
  }

  async fetchMarketTrades(): Promise<TradePage> {
    throw new Error('nobody asks a paper venue for this');
  }

  async fetchTrades(): Promise<TradePage> {
    throw new Error('nobody asks a paper venue for this');
  }

  async hasTraded(wallet: string): Promise<boolean> {
    this.calls.looks++;
    await this.#answer();
    return (this.trades.get(wallet) ?? []).length > 0;
  }

  async fetchMarketFacts(conditions: readonly string[]): Promise<MarketsReport> {
    this.calls.facts++;
    await this.#answer();
    return { found: pick(this.markets, conditions), unasked: pick(this.unasked, conditions) };
  }

  async #answer(): Promise<void> {
    await this.gate;
    if (this.down) throw new OutsideError('paper-venue', 'answers 503', { failure: 'retryable', status: 503 });
  }
}

/** The part of a tape that one wallet needs, in memory. */
export class PaperTape implements WalletTape {
  readonly fills: Fill[] = [];
  readonly markets = new Map<string, TapeMarket>();
  readonly names = new Map<string, string>();

  async fillsOf(wallet: string): Promise<readonly Fill[]> {
    return this.fills.filter((fill) => fill.wallet === wallet);
  }

  async marketsOf(conditions: readonly string[]): Promise<ReadonlyMap<string, TapeMarket>> {
    return pick(this.markets, conditions);
  }

  async addRows(_table: keyof TapeRows, rows: readonly TapeRows[keyof TapeRows][]): Promise<void> {
    for (const row of rows) {
      if ('condition' in row) this.markets.set(row.condition, row);
      else this.names.set(row.wallet, row.name);
    }
  }

  async namesOf(wallets: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return pick(this.names, wallets);
  }
}

function pick<T>(from: ReadonlyMap<string, T>, keys: readonly string[]): ReadonlyMap<string, T> {
  return new Map(keys.flatMap((key) => (from.has(key) ? [[key, from.get(key)!] as const] : [])));
}
