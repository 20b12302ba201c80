import type { StoreFault } from '#domain/integrity/fault';
import type { RatingsStore } from '#ports/ratings-store';
import type { Store } from '#ports/store';
import { checkPromos, checkTokensAndAnswers } from './credits.js';
import { Findings, type OnProgress, type RowCounts } from './findings.js';
import { checkLedgers } from './ledgers.js';
import { checkPayments } from './payments.js';
import { checkRatings } from './ratings.js';
import { checkWritten } from './written.js';

/** What a check found. */
export interface IntegrityReport {
  /** Rows that were looked at, by kind. */
  readonly rows: RowCounts;
  /** The first of them; each is something that cannot be true of a sound store. */
  readonly faults: readonly StoreFault[];
  readonly faultsFound: number;
}

/**
 * Looks at every row of a store, also while it is in use: each rule is asked of rows as they stood
 * at one moment, or in a form that holds whatever is written meanwhile. Reads page by page, so that
 * its memory does not grow with the store. `ratings` null: there are none yet. Rejects if the store
 * cannot be read.
 */
export async function checkStore(
  { store, ratings }: { readonly store: Store; readonly ratings: RatingsStore | null },
  onProgress: OnProgress,
): Promise<IntegrityReport> {
  const findings = new Findings(onProgress);
  await checkPromos(store, findings);
  await checkLedgers(store, findings);
  await checkTokensAndAnswers(store, findings);
  await checkPayments(store, findings);
  await checkWritten(store, findings);
  if (ratings !== null) await checkRatings(ratings, findings);
  const { rows, faults, faultsFound } = findings;
  return { rows, faults, faultsFound };
}
