import type { OrderRequest, OrderVerdict } from '#api/order-verdict';
import { Problem } from '#domain/errors';
import type { Market, Outcome } from '#domain/market';
import { DEFAULT_THRESHOLDS, type Thresholds } from '#domain/order/thresholds';
import type { Clock } from '#ports/clock';
import type { Books } from '../books/books.js';
import { type Assessment, assess } from './assess.js';
import type { Markets } from './markets.js';
import { toNumbersBody } from './verdict-body.js';

const METHOD =
  'Walk of the live order book for the requested size; taker fee per level consumed = shares * rate * (p(1-p))^exponent with ' +
  "the market's own 2026 schedule. Numbers are rounded first and the thresholds compare them as shown. Arithmetic, not advice.";
const FOR_WHOM =
  'For takers about to send a marketable order of this size; a resting maker order pays no fee and waits.';
const RETRY_AFTER_S = 2;

export interface VerdictDeps {
  readonly markets: Pick<Markets, 'resolve' | 'resolveAtHand'>;
  readonly books: Pick<Books, 'getBook' | 'isAtHand'>;
  readonly clock: Clock;
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

  /** Rejects with a Problem: unknown market, outcome wanted, or (never charged) no book to be had from the venue. */
  async judge(request: OrderRequest): Promise<OrderVerdict> {
    const { market, outcome } = await this.#deps.markets.resolve(request);
    const thresholds = thresholdsOf(request);
    const fresh = await this.#deps.books.getBook(outcome.tokenId, market.conditionId, thresholds.bookStaleVetoS * 1e3);
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
    return toBody(market, outcome, assessment, thresholds, this.#deps.clock.nowMs());
  }
}

function thresholdsOf(request: OrderRequest): Thresholds {
  return {
    slippageCautionCents: request.max_slippage_c,
    slippageVetoCents: request.veto_slippage_c,
    depthCautionFraction: DEFAULT_THRESHOLDS.depthCautionFraction,
    bookStaleVetoS: request.max_book_age_s,
  };
}

function toBody(
  market: Market,
  outcome: Outcome,
  { verdict, reasons, facts }: Assessment,
  limits: Thresholds,
  evaluatedAtMs: number,
): OrderVerdict {
  const leftS = Math.max(0, limits.bookStaleVetoS - facts.numbers.bookAgeSeconds);
  return {
    ok: true,
    verdict,
    reasons: [...reasons],
    market: { slug: market.slug, question: market.question, outcome: outcome.label, token_id: outcome.tokenId },
    order: { side: facts.side, usd: facts.usd },
    numbers: toNumbersBody(facts.numbers),
    meta: {
      beta: true,
      method: METHOD,
      for_whom: FOR_WHOM,
      evaluated_at: new Date(evaluatedAtMs).toISOString(),
      valid_until: new Date(evaluatedAtMs + leftS * 1e3).toISOString(),
      thresholds: {
        slippage_caution_cents: limits.slippageCautionCents,
        slippage_veto_cents: limits.slippageVetoCents,
        depth_caution_fraction: limits.depthCautionFraction,
        book_stale_veto_seconds: limits.bookStaleVetoS,
        note: noteOf(market),
      },
    },
  };
}

/** What the thresholds cannot show: how the venue treats an order between this answer and the fill. */
function noteOf({ matchingDelayS, minOrderShares }: Market): string {
  const minimum = `The market's minimum order is ${minOrderShares} shares.`;
  if (matchingDelayS === 0) return `${minimum} A book walk is a forecast, not a fill.`;
  return `${minimum} The venue holds a marketable order on this market for ${matchingDelayS} s before it matches it, so the book may move first.`;
}
