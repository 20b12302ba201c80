import { TICK_SIZES_TICKS, tickSizeTicks } from '#domain/book/tick-sizes';
import { parseScaled } from '#domain/decimal';
import { planSell } from '#domain/plan/plan-sell';
import type { OrderVerdict } from '../../answers.js';
import { payloadFault } from '../../evidence/payload-form.js';
import { ladderOf } from '../../evidence/reported-book.js';
import type { Amounts, PlannedAmounts } from '../order.js';

/** A plan in the amounts to be signed, the wanted one first. */
export interface PlanFound {
  readonly amounts: readonly PlannedAmounts[];
  readonly negRisk: boolean | null;
  /** The most that leaves the wallet, in micro-USD; of a SELL what it is to earn. */
  readonly usdMicros: bigint;
  readonly validUntilMs: number;
}

/** Exact amounts that a client may sign in place of those of a plan, each a step smaller. */
const SMALLER_MAX = 3;
/**
 * An exit that the client cannot sign is not taken: it is worth more tries, of a hundredth of a share
 * each at most prices, and then of tenths and of whole shares.
 */
const SMALLER_SELLS_MAX = 8;
const COARSER_SELLS = [10n, 100n, 500n, 1_000n];
/** Clients round the USD of a SELL to thousandths at the coarsest price step. */
const CLIENT_ROUNDING_MICROS = 1_000n;

/** Returns the plan of a BUY as the service made it; null if there is none. */
export function buyPlanOf({ plan }: OrderVerdict): PlanFound | null {
  if (plan === null || plan === undefined || plan.side !== 'BUY') return null;
  const wanted = toAmounts(plan.maker_amount, plan.taker_amount, plan.for_client, plan.tick_size);
  const { exact_alternative: exact } = plan;
  const price = exact && priceOf(BigInt(exact.maker_amount), BigInt(exact.taker_amount));
  const alternative =
    exact === undefined || price === undefined
      ? []
      : [
          toAmounts(
            exact.maker_amount,
            exact.taker_amount,
            { amount: Number(exact.maker_amount) / 1e6, price },
            plan.tick_size,
          ),
        ];
  return {
    amounts: [wanted, ...(plan.form === 'exact' ? smallerOf(wanted) : alternative)],
    negRisk: plan.neg_risk,
    usdMicros: BigInt(parseScaled(plan.usd_needed_max ?? '', 6) ?? plan.maker_amount),
    validUntilMs: Date.parse(plan.valid_until),
  };
}

/**
 * Returns the plan of a SELL of so many shares on the book that the evidence holds: the service
 * plans by USD, and a position is closed by its shares.
 */
export function sellPlanOf({ evidence, plan, meta }: OrderVerdict, sharesMicros: bigint): PlanFound | null {
  if (evidence === undefined || payloadFault(evidence.payload) !== null) return null;
  const { bids, hash_fields } = evidence.payload.book;
  const tickTicks = tickSizeTicks(hash_fields.tick_size);
  if (tickTicks === null || sharesMicros <= 0n) return null;
  const planned = planSell(ladderOf('bids', bids), sharesMicros, tickTicks);
  if (planned.kind === 'none') return null;
  const { makerMicros, takerMicros, worstTicks } = planned.order;
  return {
    amounts: sellsAt(makerMicros, BigInt(worstTicks), String(tickTicks / 1e4)),
    negRisk: plan?.neg_risk ?? hash_fields.neg_risk,
    usdMicros: takerMicros,
    validUntilMs: Date.parse(meta?.valid_until ?? ''),
  };
}

/**
 * Returns what so many shares bring on the bids of the evidence, in micro-USD. Where there are not as
 * many: what there is, if the rest is left; else null.
 */
export function proceedsMicrosOf({ evidence }: OrderVerdict, sharesMicros: bigint, leavesRest: boolean): bigint | null {
  if (evidence === undefined || payloadFault(evidence.payload) !== null) return null;
  let left = sharesMicros;
  let proceeds = 0n;
  const bids = ladderOf('bids', evidence.payload.book.bids);
  for (let depth = 0; depth < bids.length; depth++) {
    const size = BigInt(bids.sizeAt(depth));
    const sold = left < size ? left : size;
    proceeds += sold * BigInt(bids.ticksAt(depth));
    left -= sold;
    if (left === 0n) break;
  }
  return left === 0n || leavesRest ? proceeds / 10_000n : null;
}

/**
 * Returns the amounts of a SELL at its owner's own price, in which the venue takes it, whatever its
 * book holds: clients round some of them to what it refuses. Empty where the price step is not
 * known.
 */
export function sellAmountsAt({ evidence }: OrderVerdict, shares: number, price: number): readonly PlannedAmounts[] {
  if (evidence === undefined || payloadFault(evidence.payload) !== null) return [];
  const tickTicks = tickSizeTicks(evidence.payload.book.hash_fields.tick_size);
  if (tickTicks === null) return [];
  // Not below the price, but for what floats add to it.
  const priceTicks = BigInt(Math.ceil((price * 1e4) / tickTicks - 1e-6) * tickTicks);
  if (priceTicks <= 0n || priceTicks >= 10_000n) return [];
  return sellsAt(BigInt(Math.round(shares * 1e6)), priceTicks, String(tickTicks / 1e4));
}

/**
 * Returns exact amounts in place of those of a SELL that a client signed without a verdict, at the
 * price that it must have meant; empty if they are exact. The price step is not known: it is the
 * coarsest at which the client can have rounded to what it signed.
 */
export function exactSellsFor({ maker, taker }: Amounts): readonly PlannedAmounts[] {
  if (maker <= 0n || (taker * 10_000n) % maker === 0n) return [];
  for (const tick of TICK_SIZES_TICKS.map(BigInt)) {
    const priceTicks = ((taker * 20_000n + maker * tick) / (maker * tick * 2n)) * tick;
    const difference = (maker * priceTicks) / 10_000n - taker;
    const isMeant = difference <= CLIENT_ROUNDING_MICROS && difference >= -CLIENT_ROUNDING_MICROS;
    if (isMeant && priceTicks > 0n && priceTicks < 10_000n) return sellsAt(maker, priceTicks, null);
  }
  return [];
}

function toAmounts(
  maker: string,
  taker: string,
  form: { amount: number; price: number },
  tickSize: string,
): PlannedAmounts {
  return { maker: BigInt(maker), taker: BigInt(taker), amount: form.amount, price: form.price, tickSize };
}

/** The price of exact amounts; undefined if it has more than 4 decimals. */
function priceOf(maker: bigint, taker: bigint): number | undefined {
  const ticks = maker * 10_000n;
  return ticks % taker === 0n ? Number(ticks / taker) / 1e4 : undefined;
}

/**
 * Clients compute in floats, and miss some exact amounts by a unit: a step less at the same price is
 * as exact, and no fill of it is worse.
 */
function smallerOf(exact: PlannedAmounts): readonly PlannedAmounts[] {
  const CENT = 10_000n;
  const cents = exact.maker / CENT;
  // What divides both in units that are legal for the amounts: cents and 1e-4 shares.
  const parts = divisor(cents, exact.taker / 100n);
  const steps = Array.from({ length: SMALLER_MAX }, (_, at) => BigInt(at + 1)).filter((step) => step < parts);
  return steps
    .map((step) => ({
      maker: (cents - (cents / parts) * step) * CENT,
      taker: exact.taker - (exact.taker / parts) * step,
    }))
    .filter(({ maker }) => maker >= 1_000_000n)
    .map((amounts) => ({ ...exact, ...amounts, amount: Number(amounts.maker) / 1e6 }));
}

/**
 * The same for a SELL of at most so many shares, which have two decimals, and their USD four. The
 * wanted amounts first; empty if there are none.
 */
function sellsAt(sharesMicros: bigint, priceTicks: bigint, tickSize: string | null): readonly PlannedAmounts[] {
  const step = sellStep(priceTicks);
  const wanted = sharesMicros - (sharesMicros % step);
  const smaller = Array.from({ length: SMALLER_SELLS_MAX }, (_, at) => wanted - step * BigInt(at + 1));
  const coarser = COARSER_SELLS.map((times) => wanted - (wanted % (step * times)));
  const price = Number(priceTicks) / 1e4;
  return [...new Set([wanted, ...smaller, ...coarser])]
    .filter((maker) => maker > 0n)
    .map((maker) => ({ maker, taker: (maker * priceTicks) / 10_000n, amount: Number(maker) / 1e6, price, tickSize }));
}

/** The least number of shares, in 1e-6, whose USD at this price have four decimals. */
function sellStep(priceTicks: bigint): bigint {
  const HUNDREDTH = 10_000n;
  return (100n / divisor(100n, priceTicks % 100n)) * HUNDREDTH;
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}
