/**
 * Which rules an order is judged by. They are the `v` of signed evidence, so that an answer is
 * computed again by the rules that it was made by (docs/interface.md, "Evidence").
 *
 * 1 rounded the fee of a whole order half up, forbade a taking order of fewer shares than a resting
 * one needs, and said of every crossed book that it had been checked. 2 cuts the fee of each fill,
 * asks of a taking order what the venue asks of it, and knows games that are over.
 */
export type Rules = 1 | 2;

/** What orders are judged by now. */
export const RULES_IN_FORCE: Rules = 2;
