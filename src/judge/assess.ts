import type { Verdict } from '#api/order-numbers';
import { gatherFacts, type OrderQuestion } from '#domain/order/gather-facts';
import type { OrderFacts } from '#domain/order/order-facts';
import { type ReasonCode, reasonSentence } from '#domain/order/reasons';
import { compileClassifier } from '#machines/classifier';
import { type OrderChecked, type VerdictState, verdictDefinition, verdictGuards } from '#machines/verdict.machine';

const classify = compileClassifier<OrderChecked, VerdictState>(verdictDefinition, verdictGuards);

/** A verdict with everything it was decided from. */
export interface Assessment {
  readonly verdict: Verdict;
  /** Worst first; never empty. */
  readonly codes: readonly ReasonCode[];
  /** The sentence of each code, in the same order. */
  readonly reasons: readonly string[];
  readonly facts: OrderFacts;
}

/** Judges an order on a book: pure arithmetic, the same question always gets the same answer. */
export function assess(question: OrderQuestion): Assessment {
  const facts = gatherFacts(question);
  const found = classify({ type: 'order.checked', facts });
  const verdict = found[0]!.tag as Verdict;
  const codes: ReasonCode[] = found.map(({ state }) => state);
  // A remark alone does not say why the order is OK.
  if (verdict === 'OK' && !codes.includes('PASSED')) codes.push('PASSED');
  return { verdict, codes, reasons: codes.map((code) => reasonSentence(code, facts)), facts };
}
