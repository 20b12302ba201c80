import type { OrderRequest } from '#api/order-request';
import { WrittenAnswer } from '#api/written-answer';
import { Problem } from '#domain/errors';
import type { Clock } from '#ports/clock';
import type { Books } from '../books/books.js';
import { assess } from './assess.js';
import type { EvidenceOf } from './evidence.js';
import type { Markets } from './markets.js';
import { thresholdsOf, toVerdictBody } from './verdict-body.js';
import { beginVerdictText } from './verdict-text.js';

const RETRY_AFTER_S = 2;

export interface VerdictDeps {
  readonly markets: Pick<Markets, 'resolve' | 'resolveAtHand'>;
  readonly books: Pick<Books, 'getBook' | 'getAtHand' | 'isAtHand'>;
  readonly clock: Clock;
  readonly evidenceOf: EvidenceOf;
}

/** Answers preflight_trade: resolve the market, take its freshest book, judge, and say so in the words of the interface. */
export class Verdicts {
  readonly #deps: VerdictDeps;

  constructor(deps: VerdictDeps) {
    this.#deps = deps;
  }

  /** Whether `judge`, begun at once, would ask the venue for nothing. */
  isAtHand(request: OrderRequest): boolean {
    const target = this.#deps.markets.resolveAtHand(request);
    return target !== null && this.#deps.books.isAtHand(target.outcome.tokenId, request.max_book_age_s * 1e3);
  }

  /** Resolves with the answer as text. Rejects with a Problem: unknown market, outcome wanted, or (never charged) no book to be had from the venue. */
  async judge(request: OrderRequest): Promise<WrittenAnswer> {
    const { markets, books } = this.#deps;
    // What is at hand is taken without waiting: all the waits for it together would take longer than the arithmetic.
    const { market, outcome } = markets.resolveAtHand(request) ?? (await markets.resolve(request));
    const thresholds = thresholdsOf(request);
    const maxAgeMs = thresholds.bookStaleVetoS * 1e3;
    const fresh =
      books.getAtHand(outcome.tokenId, maxAgeMs) ??
      (await books.getBook(outcome.tokenId, market.conditionId, maxAgeMs));
    if (fresh === null) {
      throw new Problem(
        'venue_unavailable',
        'this order book could not be fetched from the venue; nothing was charged, try again',
        {
          retryAfterS: RETRY_AFTER_S,
        },
      );
    }
    const { side, usd } = request;
    const assessment = assess({ side, usd, thresholds, market, book: fresh.book, bookAgeMs: fresh.ageMs });
    const nowMs = this.#deps.clock.nowMs();
    if (request.evidence === undefined) {
      return new WrittenAnswer(
        beginVerdictText(market, outcome, assessment, thresholds, nowMs),
        null,
        assessment.verdict,
      );
    }
    const body = toVerdictBody(market, outcome, assessment, thresholds, nowMs);
    // In the same breath as the verdict: the book goes on changing.
    const evidence = this.#deps.evidenceOf({ request, market, outcome, fresh, assessment, body });
    const begun = beginVerdictText(market, outcome, assessment, thresholds, nowMs);
    return new WrittenAnswer(`${begun},"evidence":${evidence}`, null, assessment.verdict);
  }
}
