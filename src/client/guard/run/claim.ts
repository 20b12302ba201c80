import { FEE_UNKNOWN } from '#domain/market';
import type { OrderCall } from '../clients/order-call.js';
import type { Refusal } from '../errors.js';
import type { Decision } from '../verdict/decide.js';
import type { GuardContext } from './context.js';
import { refusalIn } from './record.js';

/** A float that is a hair beside a whole number of micro-USD is that number. */
const FLOAT_NOISE = 1e-3;

/**
 * Claims what an entry may cost, before anything of it is signed. Returns the decision, or the
 * refusal of what is stopped already or cannot be claimed.
 */
export function claimEntry(
  { state, options }: GuardContext,
  id: string,
  call: OrderCall,
  decision: Decision,
): Decision {
  const refusal = refusalIn(decision);
  if (decision.kind === 'refused') return decision;
  if (refusal !== null) return { kind: 'refused', refusal };
  const { verdict } = decision;
  const refused = (rule: Refusal['rule'], why: string): Decision => ({
    kind: 'refused',
    refusal: { rule, why, verdict },
  });
  const micros = costOf(call, decision);
  if (micros <= 0n) return refused('signed_otherwise', 'the order has no amounts');
  try {
    const result = state.claims.claim(id, micros, BigInt(Math.floor(options.perDayUsd * 1e6 + FLOAT_NOISE)));
    if (result.kind === 'claimed') return decision;
    const [before, more] = [result.claimedMicros, micros].map((amount) => Number(amount) / 1e6);
    return refused(
      'daily_cap',
      `${before} of ${options.perDayUsd} USD are claimed in 24 hours, and this may cost ${more}`,
    );
  } catch (error) {
    return refused('ledger_unavailable', error instanceof Error ? error.message : String(error));
  }
}

/** What an entry may cost, in micro-USD. A plan has the largest fee in it. */
function costOf(call: OrderCall, decision: Exclude<Decision, { readonly kind: 'refused' }>): bigint {
  if (decision.kind !== 'as_written') return decision.plan.usdMicros;
  if (decision.costMicros !== null) return decision.costMicros;
  const { usd, shares, price } = call.order;
  const micros = (usd ?? (shares ?? 0) * (price ?? 0)) * 1e6;
  return BigInt(Math.ceil(micros * (1 + feePerUsdOf(call)) - FLOAT_NOISE));
}

/**
 * The most that a dollar of a limit order pays as fee: it may cross the book, and without a verdict
 * the rate of its market is not known. A share filled at p pays rate x p(1-p), and costs the most at
 * the order's own price: a better one saves more than its fee is larger. A SELL pays out of what it
 * earns.
 */
function feePerUsdOf({ order: { side, price }, isPostOnly }: OrderCall): number {
  return side === 'BUY' && !isPostOnly ? FEE_UNKNOWN.rate * Math.max(0, 1 - (price ?? 0)) : 0;
}
