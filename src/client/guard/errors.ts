import type { OrderVerdict } from '../answers.js';
import { shown } from '../text.js';
import type { OrderRule } from './rules.js';

/** What a caller of a guarded client has to expect. Stable: the names and their facts. */

/** Why an order was refused, and by which verdict, if there was one. */
export interface Refusal {
  readonly rule: OrderRule;
  /** What was found, in one sentence. */
  readonly why: string;
  /** null: the order was refused before a verdict came, or without one. */
  readonly verdict: OrderVerdict | null;
}

/** The guard refused an order. Nothing was sent. */
export class OrderRefused extends Error {
  override readonly name = 'OrderRefused';
  readonly rule: OrderRule;
  readonly verdict: OrderVerdict | null;
  /** Of the verdict; empty without one. */
  readonly reasonCodes: readonly string[];

  constructor({ rule, why, verdict }: Refusal, cause?: unknown) {
    super(`refused by ${rule}: ${shown(why)}. Nothing was sent`, cause === undefined ? undefined : { cause });
    this.rule = rule;
    this.verdict = verdict;
    this.reasonCodes = verdict?.reason_codes ?? [];
  }
}

/**
 * An order was posted and what became of it is not known: it may have been matched. Look at the
 * account's orders before anything is sent in its place; its claim on the cap stays.
 */
export class OrderOutcomeUnknown extends Error {
  override readonly name = 'OrderOutcomeUnknown';
  /** Of the line in the guard's log. */
  readonly guardId: string;

  constructor(guardId: string, found: string, cause?: unknown) {
    super(
      `the order was posted and its outcome is not known (${shown(found)}). It may have been matched: look before you send another`,
      cause === undefined ? undefined : { cause },
    );
    this.guardId = guardId;
  }
}
