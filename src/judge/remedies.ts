import type { Verdict } from '#api/order-numbers';
import type { Remedy } from '#api/order-plan';
import { toMicros } from '#domain/money';
import type { OrderQuestion } from '#domain/order/gather-facts';
import { MIN_BUY_NOTIONAL_USD } from '#domain/order/thresholds';
import { reachOfShares, reachOfUsd } from '#domain/plan/reach';
import { type Assessment, assess } from './assess.js';

/** The market's other outcome, with a book that is fresh enough for the caller. */
export interface OtherOutcome {
  readonly tokenId: string;
  readonly book: OrderQuestion['book'];
  readonly bookAgeMs: number;
}

const SEVERITY: Readonly<Record<Verdict, number>> = { OK: 0, CAUTION: 1, VETO: 2 };

/** Another order that may do, and what it is asked on. */
interface Change {
  readonly change: Remedy['change'];
  readonly tokenId: string;
  readonly question: OrderQuestion;
}

/**
 * Returns the changes of an order with which it would get a better verdict, each judged again
 * (docs/interface.md, "Remedies"). Pure.
 */
export function toRemedies(
  question: OrderQuestion,
  assessment: Assessment,
  tokenId: string,
  other: OtherOutcome | null,
): Remedy[] {
  if (assessment.verdict === 'OK') return [];
  const changes = [
    ...sameToken(question, assessment).map((one) => ({ ...one, tokenId })),
    ...buyOther(question, other),
  ];
  return changes.flatMap(({ change, tokenId: token_id, question: changed }) => {
    const { verdict, codes, facts } = assess(changed);
    if (SEVERITY[verdict] >= SEVERITY[assessment.verdict]) return [];
    return [{ change, order: { token_id, side: changed.side, usd: facts.usd }, verdict, reason_codes: [...codes] }];
  });
}

function sameToken(question: OrderQuestion, { codes, facts }: Assessment): Omit<Change, 'tokenId'>[] {
  const safeUsd = facts.numbers.safeSizeUsd;
  const changes: Omit<Change, 'tokenId'>[] = [];
  if (safeUsd > 0 && safeUsd < facts.usd)
    changes.push({ change: 'safe_size', question: { ...question, usd: safeUsd } });
  if (codes.includes('BELOW_MINIMUM_NOTIONAL')) {
    changes.push({ change: 'minimum', question: { ...question, usd: MIN_BUY_NOTIONAL_USD } });
  }
  // As if the venue had just confirmed these levels.
  if (codes.includes('BOOK_STALE')) changes.push({ change: 'wait', question: { ...question, bookAgeMs: 0 } });
  return changes;
}

/**
 * Who wants to sell shares may as well buy as many of the other outcome: a pair of both is worth 1
 * USD. A BUY has no such way, for only who holds the other outcome can sell it.
 */
function buyOther(question: OrderQuestion, other: OtherOutcome | null): Change[] {
  if (question.side === 'BUY' || other === null) return [];
  const sold = reachOfUsd(question.book.bids, toMicros(question.usd));
  const bought = sold === null || sold.sharesMicros === 0n ? null : reachOfShares(other.book.asks, sold.sharesMicros);
  if (bought === null || bought.usdMicros === 0n) return [];
  const { book, bookAgeMs, tokenId } = other;
  const usd = Number(bought.usdMicros) / 1e6;
  return [{ change: 'other_outcome', tokenId, question: { ...question, side: 'BUY', usd, book, bookAgeMs } }];
}
