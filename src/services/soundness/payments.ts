import type { PaymentRow } from '#domain/payment/payment-row';
import type { Exposure } from '#domain/payment/proof';
import { type ExposureDifference, ExposureSums, lastingDifferences } from '#domain/soundness/exposure-sums';
import { broken } from '#domain/soundness/fault';
import { paymentFaults } from '#domain/soundness/payment-faults';
import type { Store } from '#ports/store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** Looks at the payments, at the lists that lead to them, and at the sums that follow from them. */
export async function checkPayments(store: Store, findings: Findings): Promise<void> {
  const first = new ExposureSums();
  for await (const { items, faults } of pagesOf(store.listing.payments)) {
    findings.addMalformed(faults);
    for (const { row, ...places } of items) {
      findings.add(...paymentFaults(row, places));
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
    for await (const { faults } of pagesOf<PaymentRow>(list)) findings.addMalformed(faults);
  }
}

/** A payment that was proven may be refuted later, and its transfer stays its own. */
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

/** Payments that are settled and proven meanwhile move sums and rows apart for a moment: only what stays counts. */
async function checkExposures(store: Store, first: ExposureSums, findings: Findings): Promise<void> {
  const before = await differences(store, first, findings);
  if (before.length === 0) return;
  const second = new ExposureSums();
  for await (const { items } of pagesOf(store.listing.payments)) for (const { row } of items) second.add(row);
  findings.add(...lastingDifferences(before, await differences(store, second)));
}

async function differences(
  store: Store,
  sums: ExposureSums,
  findings?: Findings,
): Promise<readonly ExposureDifference[]> {
  const wallets = new Map<string, Exposure>();
  for await (const { items, faults } of pagesOf(store.listing.walletExposures)) {
    findings?.addMalformed(faults);
    for (const { wallet, exposure } of items) wallets.set(wallet, exposure);
  }
  return sums.differences(await store.exposures(), wallets);
}
