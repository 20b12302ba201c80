import type { Promo } from '#domain/credits/promo';
import { OutsideError } from '#domain/errors';
import { answerFaults, promoFaults, tokenFaults } from '#domain/integrity/credit-faults';
import { broken } from '#domain/integrity/fault';
import type { Store } from '#ports/store';
import type { Findings } from './findings.js';
import { pagesOf } from './pages.js';

/** Codes that are remembered as known or not; there are few. */
const CODES_MAX = 10_000;

/** Looks at the codes and at who redeemed them. */
export async function checkPromos(store: Store, findings: Findings): Promise<void> {
  for await (const { items, faults } of pagesOf(store.listing.promos)) {
    findings.addMalformed(faults);
    for (const promo of items) await checkPromo(store, promo, findings);
    findings.saw('promos', items.length);
  }
  const isThere = promoExists(store);
  for await (const { items, faults } of pagesOf(store.listing.redemptions)) {
    findings.addMalformed(faults);
    for (const { code, wallet } of items) {
      if (await isThere(code)) continue;
      findings.add(broken(`redemption of ${code} by ${wallet}`, 'there is no such code'));
    }
    findings.saw('redemptions', items.length);
  }
}

/** Whoever redeems the code meanwhile is counted or not, and is in the second look. */
async function checkPromo(store: Store, promo: Promo, findings: Findings): Promise<void> {
  try {
    const before = (await store.promo(promo.code)) ?? promo;
    let counted = 0;
    for await (const { items } of pagesOf((from, limit) => store.redemptions(promo.code, from, limit))) {
      counted += items.length;
    }
    const after = (await store.promo(promo.code)) ?? before;
    findings.add(...promoFaults(after, { before: before.redeemed, counted, after: after.redeemed }));
  } catch (error) {
    // The listings tell of the row.
    if (!(error instanceof OutsideError) || error.failure !== 'final') throw error;
  }
}

function promoExists(store: Store): (code: string) => Promise<boolean> {
  const cached = new Map<string, boolean>();
  return async (code) => {
    const before = cached.get(code);
    if (before !== undefined) return before;
    if (cached.size >= CODES_MAX) cached.clear();
    const isThere = await isPromo(store, code);
    cached.set(code, isThere);
    return isThere;
  };
}

async function isPromo(store: Store, code: string): Promise<boolean> {
  try {
    return (await store.promo(code)) !== null;
  } catch (error) {
    if (error instanceof OutsideError && error.failure === 'final') return true;
    throw error;
  }
}

/** Looks at tokens and kept answers. */
export async function checkTokensAndAnswers(store: Store, findings: Findings): Promise<void> {
  for await (const { items, faults } of pagesOf(store.listing.tokenSets)) {
    findings.addMalformed(faults);
    for (const set of items) findings.add(...tokenFaults(set));
    findings.saw('wallets with tokens', items.length);
  }
  for await (const { items, faults } of pagesOf(store.listing.answers)) {
    findings.addMalformed(faults);
    for (const answer of items) findings.add(...answerFaults(answer));
    findings.saw('answers', items.length);
  }
}
