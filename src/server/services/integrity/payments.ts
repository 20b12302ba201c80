import { ExposureSums } from '#domain/integrity/exposure-sums';
import { broken } from '#domain/integrity/fault';
import { paymentFaults } from '#domain/integrity/payment-faults';
import type { Store } from '#ports/store';
import { checkExposures } from './exposures.js';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** Looks at the payments, at the lists that lead to them, and at the sums that follow from them. */
export async function checkPayments(store: Store, findings: Findings): Promise<void> {
  const first = new ExposureSums();
  for await (const { items, faults } of pagesOf(store.listing.payments)) {
    findings.addMalformed(faults);
    for (const { row, ...indexes } of items) {
      findings.add(...paymentFaults(row, indexes));
      first.add(row);
    }
    findings.saw('payments', items.length);
  }
  await checkLists(store, findings);
  await checkTransfers(store, findings);
  await checkExposures(store, first, findings);
}

/** What a list has that is not to be there is a fault of its page. */
async function checkLists(store: Store, findings: Findings): Promise<void> {
  for (const list of [store.openPayments, store.uncheckedPayments]) {
    for await (const { faults } of pagesOf(list)) findings.addMalformed(faults);
  }
}

/** One of an earlier version may be where the proof of its payment was before. */
async function checkTransfers(store: Store, findings: Findings): Promise<void> {
  for await (const { items, faults } of pagesOf(store.listing.transfers)) {
    findings.addMalformed(faults);
    const there = new Set((await store.ownedPayments(items.map(({ payment }) => payment))).map(({ row }) => row.key));
    for (const { transaction, logIndex, payment } of items) {
      if (there.has(payment)) continue;
      findings.add(broken(`transfer ${transaction}:${logIndex}`, `it is the proof of ${payment}, which is not there`));
    }
    findings.saw('transfers', items.length);
  }
}
