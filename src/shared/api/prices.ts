/** The paid tools (docs/interface.md, "Prices"). */
export const TOOLS = ['preflight_trade', 'leaderboard', 'red_list', 'preflight_copy'] as const;
export type Tool = (typeof TOOLS)[number];

/** What one call costs, in micro-USDC (per-call x402) and in credits (bearer lane). */
export interface Price {
  readonly amountMicros: bigint;
  readonly credits: number;
}

/** What each paid tool costs: the one place that says so. */
export const PRICES: Readonly<Record<Tool, Price>> = {
  preflight_trade: { amountMicros: 20_000n, credits: 1 },
  leaderboard: { amountMicros: 20_000n, credits: 1 },
  red_list: { amountMicros: 20_000n, credits: 1 },
  preflight_copy: { amountMicros: 100_000n, credits: 5 },
};

/** Terms of the prepaid pack, as shown in `pack` (docs/interface-paying.md, "Credit resources"). */
export const CREDIT_PACK = { usd: 5, credits: 500, valid_days: 365 } as const;
/** What the pack costs, in micro-USDC. */
export const CREDIT_PACK_AMOUNT_MICROS = 5_000_000n;

/** Credits per call, as shown in `costs`. */
export const CREDIT_COSTS = Object.fromEntries(TOOLS.map((tool) => [tool, PRICES[tool].credits])) as Readonly<
  Record<Tool, number>
>;

/** Returns micro-USDC as people write prices: two decimals. Prices have no part below a cent. */
export function toPriceText(micros: bigint): string {
  return (Number(micros) / 1e6).toFixed(2);
}

/**
 * Whose new authorization under the same Idempotency-Key is charged: a contract signs with no key,
 * so names of purchases are not for it (docs/interface-paying.md, "Idempotency").
 */
export const CHARGED_ANEW = 'smart contract wallets';

/**
 * What a client should allow itself to spend, in USD (docs/interface-paying.md, "Operator safety
 * rules").
 */
export const GUARDRAILS = { usd_per_call_max: 0.1, usd_per_day_max: 2 } as const;
