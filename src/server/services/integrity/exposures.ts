import { type ExposureAmount, ExposureSums, type NamedSums, wrongExposure } from '#domain/integrity/exposure-sums';
import type { Exposure } from '#domain/payment/proof';
import type { Store } from '#ports/store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** So many looks that say the same are no coincidence of payments that come and go. */
const LOOKS_AGREEING = 3;
const LOOKS_MAX = 20;

/**
 * Compares the sums of what went out on somebody's word with those of the payments, all of which
 * were read before. Payments are settled and proven meanwhile: what differs is looked at again, and
 * is only a fault if it stays.
 */
export async function checkExposures(store: Store, first: ExposureSums, findings: Findings): Promise<void> {
  const stored = await storedSums(store, findings);
  await checkRefuted(store, first.differing(stored, 'refutedMicros'), { first, stored, findings });
  await checkUnproven(store, first.differing(stored, 'unprovenMicros'), findings);
}

interface FirstLook {
  readonly first: ExposureSums;
  readonly stored: NamedSums;
  readonly findings: Findings;
}

/** What is refuted stays so: the same difference twice is one. */
async function checkRefuted(
  store: Store,
  suspects: readonly string[],
  { first, stored, findings }: FirstLook,
): Promise<void> {
  if (suspects.length === 0) return;
  const second = new ExposureSums();
  for await (const { items } of pagesOf(store.listing.payments)) for (const { row } of items) second.add(row);
  const amount: ExposureAmount = 'refutedMicros';
  const again = await storedSums(store);
  for (const who of suspects) {
    const by = second.by(who, again, amount);
    if (by !== 0n && by === first.by(who, stored, amount)) findings.add(wrongExposure(who, again, amount, by));
  }
}

/**
 * What is unproven is among the payments to be checked, which are few: a look at them is short
 * enough for the sums to be the same before and after it.
 */
async function checkUnproven(store: Store, names: readonly string[], findings: Findings): Promise<void> {
  const amount: ExposureAmount = 'unprovenMicros';
  const suspects = new Map(names.map((who) => [who, { by: 0n, times: 0 }]));
  for (let looks = 0; looks < LOOKS_MAX && suspects.size > 0; looks++) {
    const before = await storedSums(store);
    const sums = new ExposureSums();
    for await (const { items } of pagesOf(store.uncheckedPayments)) for (const row of items) sums.add(row);
    const after = await storedSums(store);
    for (const [who, { by: existing, times }] of suspects) {
      const by = sums.by(who, after, amount);
      if (sums.by(who, before, amount) !== by) continue;
      const agreeing = by === existing ? times + 1 : 1;
      suspects.set(who, { by, times: agreeing });
      if (by === 0n || agreeing >= LOOKS_AGREEING) suspects.delete(who);
      if (by !== 0n && agreeing >= LOOKS_AGREEING) findings.add(wrongExposure(who, after, amount, by));
    }
  }
}

async function storedSums(store: Store, findings?: Findings): Promise<NamedSums> {
  const sums = new Map<string, Exposure>();
  for (const [name, exposure] of await store.exposures()) sums.set(`facilitator ${name}`, exposure);
  for await (const { items, faults } of pagesOf(store.listing.walletExposures)) {
    findings?.addMalformed(faults);
    for (const { wallet, exposure } of items) sums.set(`wallet ${wallet}`, exposure);
  }
  return sums;
}
