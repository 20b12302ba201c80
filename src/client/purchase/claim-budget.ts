import { orUnavailable } from '../state/or-unavailable.js';
import type { Claim } from '../state/ports.js';
import type { Purchase, X402Purchase } from '../state/purchase.js';
import { GuardrailRefused } from '../terms/errors.js';
import { capCents, toCents, usdText } from '../terms/limits.js';
import { PACK } from '../terms/published-terms.js';
import type { Intent } from '../terms/terms.js';
import type { ClientContext } from './context.js';

/**
 * Claims what a purchase will cost, before it is signed. A purchase claims once, however often it
 * is resumed. Rejects with GuardrailRefused: `daily_cap`, and then the purchase is over, or
 * `ledger_unavailable`.
 */
export async function claimBudget(
  { state, limits }: ClientContext,
  purchase: Purchase & { readonly lane: X402Purchase },
  operation: Intent['operation'],
): Promise<void> {
  const price = BigInt(purchase.lane.authorization.value);
  const claim: Claim = {
    payer: purchase.payer,
    purchaseId: purchase.id,
    ...(operation === PACK
      ? { budget: 'packs', count: 1, cap: limits.packsPerDay }
      : { budget: 'cents', count: toCents(price), cap: capCents(limits.dailyMicros) }),
  };
  const result = await orUnavailable(state.ledger.claim(claim));
  if (result.kind === 'claimed') return;
  await orUnavailable(state.journal.finish(purchase, 'not_signed'));
  const { budget, count, cap } = claim;
  throw new GuardrailRefused(
    {
      rule: 'daily_cap',
      expected: `at most ${amountText(budget, cap)} in any 24 hours`,
      found: `${amountText(budget, result.spent)} spent, and ${amountText(budget, count)} more`,
    },
    { next: 'Wait until earlier spending is 24 hours old, or raise the cap by naming it' },
  );
}

function amountText(budget: Claim['budget'], count: number): string {
  if (budget === 'packs') return count === 1 ? '1 credit pack' : `${count} credit packs`;
  return usdText(BigInt(count) * 10_000n);
}
