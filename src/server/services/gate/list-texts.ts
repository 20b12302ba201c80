import { type WrittenAnswer, writeBody } from '#api/written-answer';
import type { ListFacts } from '../wallets/list-bodies.js';

/**
 * Returns the writer of a list, which is written anew only when something that it says has changed:
 * a list is the same for everybody and changes once a night, and to write it costs more than all
 * the rest of a call.
 */
export function cachedText(toBody: (facts: ListFacts) => object): (facts: ListFacts) => WrittenAnswer {
  let last: { readonly facts: ListFacts; readonly written: WrittenAnswer } | null = null;
  return (facts) => {
    if (last !== null && saysTheSame(last.facts, facts)) return last.written;
    const written = writeBody(toBody(facts));
    last = { facts, written };
    return written;
  };
}

/** Whether they are of one reading of one board: those are never changed. */
function saysTheSame(one: ListFacts, other: ListFacts): boolean {
  return (
    one.ratings === other.ratings &&
    one.board === other.board &&
    one.nextRefreshS === other.nextRefreshS &&
    one.isLate === other.isLate
  );
}
