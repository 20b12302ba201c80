import type { TokenId } from '#domain/ids';
import type { Market, Side } from '#domain/market';
import type { Target } from '#domain/order/pick-outcome';
import { DEFAULT_THRESHOLDS } from '#domain/order/thresholds';
import { UNFILLED_MICROS } from '#domain/scoreboard/cents-bins';
import { draw, seedOf } from '#domain/scoreboard/draw';
import type { Outcome } from '#domain/scoreboard/score-day';
import {
  type Horizon,
  horizonsOf,
  SCORED_SIZES,
  type ScoredSize,
  type ScoredVerdict,
  type ScoreKey,
} from '#domain/scoreboard/score-key';
import { DAY_MS, isoDay } from '#domain/time';
import { type Assessment, assess } from '#judge/assess';
import type { Clock } from '#system/clock';
import type { Books, FreshBook } from '../books/books.js';
import type { DayTallies } from './day-tallies.js';

/** How often books are drawn. */
export const PASS_MS = 5_000;
/** Most books of a draw. */
const BOOKS_PER_PASS = 20;
/**
 * What is not priced again this soon after its moment is left out: later it would show what the
 * order met after its horizon.
 */
export const LATE_MAX_MS = 100;
/**
 * So much time the steps from one draw to the next may take together. Where they took more, fewer
 * books are drawn: what was judged is priced again all the same, so that its outcome has no part.
 */
const STEPS_MAX_MS = 2;
/** Draws stop for as long as so much waits to be priced again; usual are 1,000. */
const WAITING_MAX = 2_000;

const SIDES: readonly Side[] = ['BUY', 'SELL'];

export interface SamplerDeps {
  readonly books: Pick<Books, 'freshTokens' | 'peek'>;
  readonly marketOf: (tokenId: TokenId) => Target | null;
  readonly clock: Clock;
  readonly days: DayTallies;
}

/** An order that was judged, as it would have filled at once. */
interface JudgedOrder {
  readonly side: Side;
  readonly usd: ScoredSize;
  readonly verdict: ScoredVerdict;
  readonly vwapMicros: number;
}

/** The orders on one book that wait for one moment. */
interface Waiting {
  readonly dueMs: number;
  readonly horizons: readonly Horizon[];
  readonly day: string;
  readonly tokenId: TokenId;
  readonly market: Market;
  /** As it was held; it says whether the venue has dropped it since. */
  readonly book: FreshBook['book'];
  readonly orders: readonly JudgedOrder[];
}

/**
 * Judges orders of its own on books drawn by chance, and prices each again later: what a verdict
 * was worth when the order would have arrived. The verdict is made and kept at its own moment, and
 * nothing of a later one decides whether it counts. All of it is synchronous, one book at a step.
 */
export class Sampler {
  readonly #deps: SamplerDeps;
  /** By the moment at which they are due. */
  readonly #waiting: Waiting[] = [];
  #drawn: TokenId[] = [];
  #booksMax = BOOKS_PER_PASS;
  /** What the steps since the last draw have taken. */
  #takenMs = 0;

  constructor(deps: SamplerDeps) {
    this.#deps = deps;
  }

  /** When the next order is to be priced again, in elapsed time; null: none waits. */
  get nextDueMs(): number | null {
    return this.#waiting[0]?.dueMs ?? null;
  }

  /** Draws the books of a pass; those of an earlier one that were not judged are forgotten. */
  begin(): void {
    const { books, clock, days } = this.#deps;
    const nowMs = clock.nowMs();
    const day = isoDay(nowMs / 1e3);
    if (this.#waiting.length >= WAITING_MAX) {
      this.skip();
      return;
    }
    days.of(day).pass();
    const seed = `${seedOf(day)}/${Math.floor((nowMs % DAY_MS) / PASS_MS)}`;
    this.#drawn = [...draw(books.freshTokens().toSorted(), this.#nextCount(), seed)];
  }

  /** The process is late: this pass draws nothing. */
  skip(): void {
    this.#deps.days.of(isoDay(this.#deps.clock.nowMs() / 1e3)).skip();
    this.#drawn = [];
  }

  /** Returns how many books to draw, by what the steps since the last draw have taken. */
  #nextCount(): number {
    const fitting = Math.max(1, Math.floor((this.#booksMax * STEPS_MAX_MS) / this.#takenMs));
    this.#booksMax = this.#takenMs > STEPS_MAX_MS ? fitting : Math.min(BOOKS_PER_PASS, this.#booksMax + 1);
    this.#takenMs = 0;
    return this.#booksMax;
  }

  /** Prices the orders of one book, or judges new ones on one. False: there is nothing to do now. */
  step(): boolean {
    const nowMs = this.#deps.clock.elapsedMs();
    const isDone = this.#step(nowMs);
    this.#takenMs += this.#deps.clock.elapsedMs() - nowMs;
    return isDone;
  }

  #step(nowMs: number): boolean {
    const next = this.#waiting[0];
    if (next !== undefined && next.dueMs <= nowMs) {
      this.#waiting.shift();
      if (nowMs - next.dueMs > LATE_MAX_MS)
        this.#deps.days.of(next.day).miss(next.orders.length * next.horizons.length);
      else this.#priceAgain(next);
      return true;
    }
    const tokenId = this.#drawn.pop();
    if (tokenId === undefined) return false;
    this.#judge(tokenId, nowMs);
    return true;
  }

  #judge(tokenId: TokenId, nowMs: number): void {
    const target = this.#deps.marketOf(tokenId);
    const fresh = this.#deps.books.peek(tokenId);
    if (target === null || fresh === null) return;
    const { market } = target;
    const orders = SIDES.flatMap((side) =>
      SCORED_SIZES.flatMap((usd) => {
        const { verdict, facts } = this.#assess(market, fresh, side, usd);
        return verdict === 'VETO' ? [] : [{ side, usd, verdict, vwapMicros: microsOf(facts.numbers.expectedVwap) }];
      }),
    );
    if (orders.length === 0) return;
    const day = isoDay(this.#deps.clock.nowMs() / 1e3);
    for (const [ms, horizons] of horizonsOf(market.matchingDelayS)) {
      this.#wait({ dueMs: nowMs + ms, horizons, day, tokenId, market, book: fresh.book, orders });
    }
  }

  #wait(waiting: Waiting): void {
    const at = this.#waiting.findLastIndex(({ dueMs }) => dueMs <= waiting.dueMs);
    this.#waiting.splice(at + 1, 0, waiting);
  }

  #priceAgain({ tokenId, market: then, book, orders, horizons, day }: Waiting): void {
    const { books, marketOf, days } = this.#deps;
    const market = marketOf(tokenId)?.market ?? then;
    const fresh = books.peek(tokenId);
    const isGone = !book.listed;
    for (const order of orders) {
      const outcome = fresh === null ? (isGone ? GONE : null) : this.#outcomeOf(order, market, fresh);
      for (const horizon of horizons) {
        const { verdict, usd } = order;
        const key: ScoreKey = { verdict, usd, horizon, category: then.fee.category };
        if (outcome === null) days.of(day).addUnseen(key);
        else days.of(day).add(key, then.conditionId, outcome);
      }
    }
  }

  #outcomeOf({ side, usd, verdict: before, vwapMicros }: JudgedOrder, market: Market, fresh: FreshBook): Outcome {
    const { verdict, facts } = this.#assess(market, fresh, side, usd);
    const { expectedVwap, visibleDepthUsd } = facts.numbers;
    const isFilled = usd <= visibleDepthUsd;
    const moved = microsOf(expectedVwap) - vwapMicros;
    return {
      becameVeto: verdict === 'VETO',
      becameCaution: verdict === 'CAUTION' && before === 'OK',
      worseMicros: isFilled ? (side === 'BUY' ? moved : -moved) : UNFILLED_MICROS,
      isGone: !fresh.book.listed,
    };
  }

  #assess(market: Market, { book, ageMs: bookAgeMs }: FreshBook, side: Side, usd: number): Assessment {
    const evaluatedAtMs = this.#deps.clock.nowMs();
    return assess({ side, usd, thresholds: DEFAULT_THRESHOLDS, market, book, bookAgeMs, evaluatedAtMs });
  }
}

const GONE: Outcome = { becameVeto: true, becameCaution: false, worseMicros: UNFILLED_MICROS, isGone: true };

/** Prices are shown with six decimals. */
function microsOf(price: number): number {
  return Math.round(price * 1e6);
}
