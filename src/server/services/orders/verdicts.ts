import type { OrderRequest } from '#api/order-request';
import { WrittenAnswer } from '#api/written-answer';
import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import { ageSecondsOf } from '#domain/order/gather-facts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '#domain/order/thresholds';
import { assess } from '#judge/assess';
import { thresholdsOf, toVerdictBody } from '#judge/verdict-body';
import type { Clock } from '#ports/clock';
import type { Books, FreshBook } from '../books/books.js';
import type { EvidenceOf } from './evidence.js';
import { KeptVerdicts } from './kept-verdicts.js';
import type { Markets } from './markets.js';
import { beginVerdictText, type FramedVerdict, frameVerdict } from './verdict-text.js';

const RETRY_AFTER_S = 2;

/** What an order is about. */
type Target = Awaited<ReturnType<Markets['resolve']>>;

export interface VerdictDeps {
  readonly markets: Pick<Markets, 'resolve' | 'resolveAtHand'>;
  readonly books: Pick<Books, 'getBook' | 'getAtHand' | 'isAtHand'>;
  readonly clock: Clock;
  readonly evidenceOf: EvidenceOf;
}

/** Answers preflight_trade: resolve the market, take its freshest book, judge, and say so in the words of the interface. */
export class Verdicts {
  readonly #deps: VerdictDeps;
  readonly #kept = new KeptVerdicts();

  constructor(deps: VerdictDeps) {
    this.#deps = deps;
  }

  /** Whether `judge`, begun at once, would ask the venue for nothing. */
  isAtHand(request: OrderRequest): boolean {
    const target = this.#deps.markets.resolveAtHand(request);
    return target !== null && this.#deps.books.isAtHand(target.outcome.tokenId, maxAgeMsOf(request));
  }

  /**
   * Returns the answer as text. Throws or rejects with a Problem: unknown market, outcome wanted, or (never charged) no book to
   * be had from the venue. What is at hand is taken without waiting: all the waits for it together would take longer than the
   * arithmetic.
   */
  judge(request: OrderRequest): MaybePromise<WrittenAnswer> {
    const target = this.#deps.markets.resolveAtHand(request);
    return target === null ? this.#findAndJudge(request) : this.#judgeOn(request, target);
  }

  async #findAndJudge(request: OrderRequest): Promise<WrittenAnswer> {
    return this.#judgeOn(request, await this.#deps.markets.resolve(request));
  }

  #judgeOn(request: OrderRequest, target: Target): MaybePromise<WrittenAnswer> {
    const fresh = this.#deps.books.getAtHand(target.outcome.tokenId, maxAgeMsOf(request));
    return fresh === null ? this.#fetchAndJudge(request, target) : this.#answerOn(request, target, fresh);
  }

  async #fetchAndJudge(request: OrderRequest, target: Target): Promise<WrittenAnswer> {
    const { market, outcome } = target;
    const fresh = await this.#deps.books.getBook(outcome.tokenId, market.conditionId, maxAgeMsOf(request));
    if (fresh === null) {
      const text = 'this order book could not be fetched from the venue; nothing was charged, try again';
      throw new Problem('venue_unavailable', text, { retryAfterS: RETRY_AFTER_S });
    }
    return this.#answerOn(request, target, fresh);
  }

  #answerOn(request: OrderRequest, target: Target, fresh: FreshBook): WrittenAnswer {
    return request.evidence === undefined
      ? this.#answer(request, target, fresh)
      : this.#answerWithEvidence(request, target, fresh);
  }

  #answer(request: OrderRequest, target: Target, fresh: FreshBook): WrittenAnswer {
    const thresholds = thresholdsOf(request);
    const ageSeconds = ageSecondsOf(fresh.ageMs);
    const isUsual = thresholds === DEFAULT_THRESHOLDS && ageSeconds <= thresholds.bookStaleVetoS;
    const framed = isUsual
      ? this.#knownOrJudged(request, target, fresh)
      : this.#judged(request, target, fresh, thresholds);
    const begun = beginVerdictText(framed, thresholds, ageSeconds, this.#deps.clock.nowMs());
    return new WrittenAnswer(begun, null, framed.verdict);
  }

  /** What is known needs neither the levels of the book nor the texts of the market. */
  #knownOrJudged(request: OrderRequest, target: Target, fresh: FreshBook): FramedVerdict {
    const { side, usd } = request;
    const known = this.#kept.find(fresh.book, target.market, side, usd);
    if (known !== null) return known;
    const judged = this.#judged(request, target, fresh, DEFAULT_THRESHOLDS);
    this.#kept.note(fresh.book, target.market, side, usd, judged);
    return judged;
  }

  #judged(
    { side, usd }: OrderRequest,
    { market, outcome }: Target,
    { book, ageMs }: FreshBook,
    thresholds: Thresholds,
  ): FramedVerdict {
    const assessment = assess({ side, usd, thresholds, market, book, bookAgeMs: ageMs });
    return frameVerdict(market, outcome, assessment, thresholds);
  }

  /** In the same breath as the verdict, because the book goes on changing. */
  #answerWithEvidence(request: OrderRequest, { market, outcome }: Target, fresh: FreshBook): WrittenAnswer {
    const { side, usd } = request;
    const thresholds = thresholdsOf(request);
    const assessment = assess({ side, usd, thresholds, market, book: fresh.book, bookAgeMs: fresh.ageMs });
    const nowMs = this.#deps.clock.nowMs();
    const body = toVerdictBody(market, outcome, assessment, thresholds, nowMs);
    const evidence = this.#deps.evidenceOf({ request, market, outcome, fresh, assessment, body });
    const frame = frameVerdict(market, outcome, assessment, thresholds);
    const begun = beginVerdictText(frame, thresholds, assessment.facts.numbers.bookAgeSeconds, nowMs);
    return new WrittenAnswer(`${begun},"evidence":${evidence}`, null, assessment.verdict);
  }
}

function maxAgeMsOf(request: OrderRequest): number {
  return request.max_book_age_s * 1e3;
}
