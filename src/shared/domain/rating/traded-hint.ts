import type { Fill } from './fill.js';

/**
 * Trades of one stretch of time. A hint to look at the Data API now: it may lack trades and hold
 * some twice.
 */
export interface TradedHint {
  readonly kind: 'traded';
  /** Of the earliest and the latest trade, in seconds. */
  readonly fromS: number;
  readonly toS: number;
  readonly trades: number;
  readonly conditions: readonly string[];
  readonly wallets: readonly string[];
  /** More conditions or wallets traded than are named. */
  readonly incomplete: boolean;
}

/**
 * Sums trades up into hints, each of which names a limited number of conditions and wallets; the
 * others are only counted.
 */
export class TradeSum {
  readonly #namedMax: number;
  #trades = 0;
  #fromS = Number.POSITIVE_INFINITY;
  #toS = 0;
  #conditions = new Set<string>();
  #wallets = new Set<string>();
  #incomplete = false;

  constructor(namedMax: number) {
    this.#namedMax = namedMax;
  }

  add({ timeS, condition, wallet }: Pick<Fill, 'timeS' | 'condition' | 'wallet'>): void {
    this.#trades++;
    this.#fromS = Math.min(this.#fromS, timeS);
    this.#toS = Math.max(this.#toS, timeS);
    this.#name(this.#conditions, condition);
    this.#name(this.#wallets, wallet);
  }

  /** Returns the hint of the trades since the last one, or null if there were none. */
  take(): TradedHint | null {
    if (this.#trades === 0) return null;
    const hint: TradedHint = {
      kind: 'traded',
      fromS: this.#fromS,
      toS: this.#toS,
      trades: this.#trades,
      conditions: [...this.#conditions],
      wallets: [...this.#wallets],
      incomplete: this.#incomplete,
    };
    this.#clear();
    return hint;
  }

  #clear(): void {
    this.#trades = 0;
    this.#fromS = Number.POSITIVE_INFINITY;
    this.#toS = 0;
    this.#conditions = new Set();
    this.#wallets = new Set();
    this.#incomplete = false;
  }

  #name(names: Set<string>, name: string): void {
    if (names.size < this.#namedMax || names.has(name)) names.add(name);
    else this.#incomplete = true;
  }
}
