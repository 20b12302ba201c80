import { GUARDRAILS } from '#api/prices';
import { PAYMENT_WINDOW_S } from '#domain/payment/payment';

/**
 * What a client may spend. Each limit can be widened by naming it in code or on the command line;
 * nothing that a server says, and no file of the current directory, can do it. Stable.
 */
export interface Limits {
  /** Most that one call may cost, in micro-USDC. */
  readonly perCallMicros: bigint;
  /**
   * Most that all calls of the wallet may cost in any 24 hours, in micro-USDC; counted in whole
   * cents.
   */
  readonly dailyMicros: bigint;
  /**
   * Credit packs that may be bought in any 24 hours, each by its own explicit call. They count
   * apart from the calls.
   */
  readonly packsPerDay: number;
  /** Longest that a signed authorization may stay open, in seconds. */
  readonly authorizationS: number;
  /** The payee to accept in place of the one that is pinned; absent: the pinned one. */
  readonly payTo?: string;
}

/** How long a claim on a budget counts. */
export const BUDGET_WINDOW_MS = 24 * 3_600_000;

const CENT_MICROS = 10_000n;

/** The rules of the interface (docs/interface-paying.md, "Operator safety rules"). */
export const DEFAULT_LIMITS: Limits = {
  perCallMicros: BigInt(Math.round(GUARDRAILS.usd_per_call_max * 1e6)),
  dailyMicros: BigInt(Math.round(GUARDRAILS.usd_per_day_max * 1e6)),
  packsPerDay: 1,
  authorizationS: PAYMENT_WINDOW_S,
};

/**
 * Returns an amount in whole cents, a begun cent as one: what is claimed is never less than what is
 * paid.
 */
export function toCents(micros: bigint): number {
  return Number((micros + CENT_MICROS - 1n) / CENT_MICROS);
}

/** Returns a cap in whole cents: a cent that the cap does not hold whole cannot be spent. */
export function capCents(micros: bigint): number {
  return Number(micros / CENT_MICROS);
}

/** Returns micro-USDC as people write USD: at least two decimals. */
export function usdText(micros: bigint): string {
  const digits = String(micros).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, '')} USD`;
}
