import { asyncScheduler, Observable, type SchedulerLike, timer } from 'rxjs';
import type { ConnectTextSocket } from '#wire/polymarket/text-socket';
import { type TradeSignal, tradeSocket$ } from './trade-socket.js';

/** Trades of one stretch of time. A hint to look at the Data API now: it may lack trades and hold some twice. */
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

export type TradeHint =
  | TradedHint
  /** The feed was away from `fromMs` to `toMs`: trades of that time were not told. */
  | { readonly kind: 'gap'; readonly fromMs: number; readonly toMs: number; readonly reason: string };

export interface TradeHintOptions {
  /** How often trades are told, gathered. */
  readonly everyMs?: number;
  /** Conditions, and wallets, that one hint names at most. */
  readonly namedMax?: number;
  /** Wait before connection number `attempt` + 2 since trades last came: exponential, with chance. */
  readonly backoffMs: (attempt: number) => number;
  readonly scheduler?: SchedulerLike;
}

const EVERY_MS = 2_000;
const NAMED_MAX = 1_000;

/**
 * The live trade feed as hints: which conditions and wallets traded, told at most once per period, and a gap whenever the connection
 * had been away. Reconnects for as long as somebody listens; never fails and never completes.
 */
export function tradeHints$(connect: ConnectTextSocket, options: TradeHintOptions): Observable<TradeHint> {
  const { backoffMs, scheduler = asyncScheduler } = options;
  return new Observable((subscriber) => {
    const gathered = new Gathering(options.namedMax ?? NAMED_MAX);
    let lostAtMs: number | null = null;
    let reason = '';
    let attempt = 0;
    let isTelling = false;

    const after = (ms: number, work: () => void) => subscriber.add(timer(ms, scheduler).subscribe(work));
    const tell = () => {
      isTelling = false;
      const hint = gathered.take();
      if (hint !== null) subscriber.next(hint);
    };
    const hear = (signal: TradeSignal) => {
      if (signal.kind === 'trade') {
        attempt = 0;
        // Only a trade proves that the feed is back: a frozen socket opens, subscribes and answers PING as well.
        if (lostAtMs !== null) subscriber.next({ kind: 'gap', fromMs: lostAtMs, toMs: scheduler.now(), reason });
        lostAtMs = null;
        gathered.add(signal.fill);
        if (!isTelling) after(options.everyMs ?? EVERY_MS, tell);
        isTelling = true;
      } else if (signal.kind === 'closed') {
        lostAtMs ??= scheduler.now();
        reason = signal.reason;
        after(backoffMs(attempt++), listen);
      }
    };
    const listen = () => subscriber.add(tradeSocket$(connect, scheduler).subscribe(hear));
    listen();
  });
}

/** Trades since the last hint, bounded: beyond the bound they are counted and not named. */
class Gathering {
  #trades = 0;
  #fromS = Number.POSITIVE_INFINITY;
  #toS = 0;
  #conditions = new Set<string>();
  #wallets = new Set<string>();
  #incomplete = false;

  constructor(private readonly namedMax: number) {}

  add({
    timeS,
    condition,
    wallet,
  }: {
    readonly timeS: number;
    readonly condition: string;
    readonly wallet: string;
  }): void {
    this.#trades++;
    this.#fromS = Math.min(this.#fromS, timeS);
    this.#toS = Math.max(this.#toS, timeS);
    this.#name(this.#conditions, condition);
    this.#name(this.#wallets, wallet);
  }

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
    this.#trades = 0;
    this.#fromS = Number.POSITIVE_INFINITY;
    this.#toS = 0;
    this.#conditions = new Set();
    this.#wallets = new Set();
    this.#incomplete = false;
    return hint;
  }

  #name(names: Set<string>, name: string): void {
    if (names.size < this.namedMax || names.has(name)) names.add(name);
    else this.#incomplete = true;
  }
}
