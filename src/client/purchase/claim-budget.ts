import { orUnavailable } from '../state/or-unavailable.js';
import type { Claim } from '../state/ports.js';
import { GuardrailRefused } from '../terms/errors.js';
import { capCents, toCents, usdText } from '../terms/limits.js';
import { PACK } from '../terms/published-terms.js';
import type { Fault } from '../terms/rules.js';
import type { Intent } from '../terms/terms.js';
import type { ClientContext } from './context.js';
import { mayHaveBeenSent, type PaidPurchase, refusalOfSent } from './gate.js';

/**
 * Claims what a purchase will cost, before it is signed. A purchase claims once, however often it
 * is resumed. Rejects with GuardrailRefused: `daily_cap`, and then the purchase is over, or
 * `ledger_unavailable`.
 */
export async function claimBudget(
  { state, limits }: ClientContext,
  purchase: PaidPurchase,
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
  const { budget, count, cap } = claim;
  const fault: Fault = {
    rule: 'daily_cap',
    expected: `at most ${amountText(budget, cap)} in any 24 hours`,
    found: `${amountText(budget, result.spent)} spent, and ${amountText(budget, count)} more`,
  };
  if (mayHaveBeenSent(purchase)) throw refusalOfSent(purchase, fault);
  await orUnavailable(state.journal.finish(purchase, 'not_signed'));
  const next = 'Wait until earlier spending is 24 hours old, or raise the cap by naming it';
  throw new GuardrailRefused(fault, { next });
}

function amountText(budget: Claim['budget'], count: number): string {
  if (budget === 'packs') return count === 1 ? '1 credit pack' : `${count} credit packs`;
  return usdText(BigInt(count) * 10_000n);
}
