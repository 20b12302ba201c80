/**
 * The rules by which the guard refuses an order, by the name that every refusal carries. Stable:
 * programs match on these names.
 */
export const ORDER_RULES = [
  /** The verdict is VETO. */
  'veto',
  /** The verdict is CAUTION, and the owner did not take it or no smaller size is OK. */
  'caution',
  /** The verdict is an old one, or its time was over before the order was signed. */
  'stale',
  /** The service did not answer in time, or not with a verdict. */
  'unavailable',
  /** The answer is a free example: it is not about this market. */
  'example',
  /** No amounts are known that the venue accepts for this order. */
  'no_plan',
  /** The book does not fill the order within the price that its owner named. */
  'beyond_price',
  /** The answer is about another order than the one that was asked about. */
  'plan_mismatch',
  /** The balance that the owner named does not cover the order with its largest fee. */
  'over_balance',
  /** The client signed other amounts, another side or another token, or could not sign. */
  'signed_otherwise',
  /** The signature is for no exchange that is known. */
  'exchange_mismatch',
  /** Entries of 24 hours would be above `perDayUsd`. */
  'daily_cap',
  /** `preflight freeze` was called. */
  'frozen',
  /** What is claimed cannot be recorded, so nothing is sent. */
  'ledger_unavailable',
  /** The method trades where orders can be neither judged nor counted, by a session or a deposit. */
  'unguarded',
] as const;

export type OrderRule = (typeof ORDER_RULES)[number];
