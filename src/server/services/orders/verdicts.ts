import type { OrderRequest } from '#api/order-request';
import type { Overtaken } from '#api/scoreboard';
import { WrittenAnswer } from '#api/written-answer';
import { Problem } from '#domain/errors';
import type { MaybePromise } from '#domain/maybe-promise';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { type Assessment, assess } from '#judge/assess';
import { toExitMembers } from '#judge/exit-members';
import { toLimitMembers } from '#judge/limit-members';
import { toPlanMembers } from '#judge/plan-members';
import type { OtherOutcome } from '#judge/remedies';
import { type LiveVerdict, thresholdsOf, toVerdictBody } from '#judge/verdict-body';
import type { Clock } from '#system/clock';
import type { Books, FreshBook } from '../books/books.js';
import type { ScoreView } from '../scoreboard/score-view.js';
import type { EvidenceOf } from './evidence.js';
import type { Markets } from './markets.js';

const RETRY_AFTER_S = 2;

/** What an order is about. */
type Target = Awaited<ReturnType<Markets['resolve']>>;

export interface VerdictDeps {
  readonly markets: Pick<Markets, 'resolve' | 'resolveCached'>;
  readonly books: Pick<Books, 'getBook' | 'getCached' | 'isCached'>;
  readonly clock: Clock;
  readonly evidenceOf: EvidenceOf;
  /** How often orders like this one were overtaken; null: too few were looked at. */
  readonly overtakenOf: ScoreView['overtakenOf'];
}

/**
 * Answers preflight_trade: resolve the market, take its freshest book, judge, and say so in the
 * words of the interface.
 */
export class Verdicts {
  readonly #deps: VerdictDeps;

  constructor(deps: VerdictDeps) {
    this.#deps = deps;
  }

  /** Whether `judge`, begun at once, would ask the venue for nothing. */
  isCached(request: OrderRequest): boolean {
    const target = this.#deps.markets.resolveCached(request);
    return target !== null && this.#deps.books.isCached(target.outcome.tokenId, maxAgeMsOf(request));
  }

  /**
   * Returns the answer as text. Throws or rejects with a Problem: unknown market, outcome wanted,
   * or (never charged) no book to be had from the venue. What is at hand is taken without waiting:
   * all the waits for it together would take longer than the arithmetic.
   */
  judge(request: OrderRequest): MaybePromise<WrittenAnswer> {
    const target = this.#deps.markets.resolveCached(request);
    return target === null ? this.#findAndJudge(request) : this.#judgeOn(request, target);
  }

  async #findAndJudge(request: OrderRequest): Promise<WrittenAnswer> {
    return this.#judgeOn(request, await this.#deps.markets.resolve(request));
  }

  #judgeOn(request: OrderRequest, target: Target): MaybePromise<WrittenAnswer> {
    const fresh = this.#deps.books.getCached(target.outcome.tokenId, maxAgeMsOf(request));
    return fresh === null ? this.#fetchAndJudge(request, target) : this.#answerOn(request, target, fresh);
  }

  async #fetchAndJudge(request: OrderRequest, target: Target): Promise<WrittenAnswer> {
    const { market, outcome } = target;
    const fresh = await this.#deps.books.getBook(outcome.tokenId, market.conditionId, maxAgeMsOf(request));
    if (fresh === null) {
      const text = 'this order book could not be fetched from the venue; nothing was charged, try again';
      throw new Problem('venue_unavailable', text, { retryAfterS: RETRY_AFTER_S });
    }
    return this.#answerOn(request, this.#closedMeanwhile(target) ?? target, fresh);
  }

  /** The market channel may have said so while the venue was asked for the book. */
  #closedMeanwhile({ outcome }: Target): Target | null {
    const target = this.#deps.markets.resolveCached({ token_id: outcome.tokenId });
    return target?.market.status.closed ? target : null;
  }

  /** In one synchronous step, evidence included: the book goes on changing. */
  #answerOn(request: OrderRequest, { market, outcome }: Target, fresh: FreshBook): WrittenAnswer {
    const { side, usd } = request;
    const thresholds = thresholdsOf(request);
    const { book, ageMs: bookAgeMs } = fresh;
    const evaluatedAtMs = this.#deps.clock.nowMs();
    const question = { side, usd, thresholds, market, book, bookAgeMs, evaluatedAtMs };
    const assessment = assess(question);
    const body = toVerdictBody(market, outcome, assessment, thresholds, evaluatedAtMs);
    const text = JSON.stringify(
      hasAdditions(request) ? this.#withAdditions(request, outcome, question, assessment, body) : body,
    );
    if (request.evidence === undefined) return new WrittenAnswer(text, null, body.verdict);
    const evidence = this.#deps.evidenceOf({ request, market, outcome, fresh, assessment, body });
    return new WrittenAnswer(`${text.slice(0, -1)},"evidence":${evidence}}`, null, body.verdict);
  }

  #withAdditions(
    request: OrderRequest,
    outcome: Target['outcome'],
    question: OrderQuestion & Pick<Target, 'market'> & Pick<FreshBook, 'book'>,
    assessment: Assessment,
    body: LiveVerdict,
  ) {
    const { market, book } = question;
    const { tickSize, negRisk } = book.hashFields;
    const other = this.#otherOutcome(request, market, outcome);
    const context = { tickSize, negRisk: negRisk ?? market.negRisk, body, assessment, other };
    const { plan, exit, limit_price: price, post_only } = request;
    return {
      ...body,
      ...(plan === undefined
        ? null
        : { ...toPlanMembers(question, context), overtaken: this.#overtaken(request, market, body.verdict) }),
      ...(exit === undefined ? null : toExitMembers(question, context)),
      ...(price === undefined
        ? null
        : toLimitMembers(question, { price, postOnly: post_only !== undefined, tickSize })),
    };
  }

  /** A VETO is not sent. */
  #overtaken({ usd }: OrderRequest, market: Target['market'], verdict: LiveVerdict['verdict']): Overtaken | null {
    const { fee, matchingDelayS } = market;
    if (verdict === 'VETO') return null;
    return this.#deps.overtakenOf({ verdict, usd, category: fee.category, matchingDelayS });
  }

  /** Nobody waits for a book that may be of no use. */
  #otherOutcome(request: OrderRequest, market: Target['market'], { tokenId }: Target['outcome']): OtherOutcome | null {
    const other = market.outcomes.find((one) => one.tokenId !== tokenId);
    const fresh = other === undefined ? null : this.#deps.books.getCached(other.tokenId, maxAgeMsOf(request));
    return fresh === null ? null : { tokenId: other!.tokenId, book: fresh.book, bookAgeMs: fresh.ageMs };
  }
}

function hasAdditions({ plan, exit, limit_price }: OrderRequest): boolean {
  return plan !== undefined || exit !== undefined || limit_price !== undefined;
}

function maxAgeMsOf(request: OrderRequest): number {
  return request.max_book_age_s * 1e3;
}
