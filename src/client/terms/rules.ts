/**
 * The rules by which a demand for money is refused, by the name that every refusal carries. Stable:
 * programs match on these names.
 */
export const GUARDRAIL_RULES = [
  /** One call costs at most `limits.perCallMicros` (0.10 USD). */
  'per_call_cap',
  /** The credit pack (5.00 USD) is bought by the call that names it, and by nothing else. */
  'pack_needs_consent',
  /** All calls of one wallet cost at most `limits.dailyMicros` (2.00 USD) in any 24 hours. */
  'daily_cap',
  /** The demand pays another address than /llms.txt of the same origin names. */
  'payee_mismatch',
  /** /llms.txt names another payee than the one that was pinned when it was first used. */
  'payee_changed',
  /** Anything but USDC on Base. */
  'asset_mismatch',
  /** Anything but Base: `eip155:8453`, in x402 v1 `base`. */
  'network_mismatch',
  /** Anything but the scheme `exact` by EIP-3009. */
  'scheme_unsupported',
  /** The amount is not the published price to the unit; a free call has none. */
  'amount_not_published',
  /** The demand is for another resource than the one that was asked for. */
  'resource_mismatch',
  /** The service says that it lives elsewhere than where it was asked. */
  'origin_mismatch',
  /** The service's MCP server has other tools, or other prices, than this release knows. */
  'tools_changed',
  /** A redirect: none is ever followed. */
  'redirect_refused',
  /** Plain http to anything but this machine. */
  'insecure_transport',
  /** An authorization would stay open for more than `limits.authorizationS`, or is over already. */
  'authorization_lifetime',
  /** A second demand after a payment: it is never signed. */
  'too_many_demands',
  /** An unfinished purchase on disk is not the one that this call would have begun. */
  'purchase_mismatch',
  /** What was spent cannot be recorded, so nothing is spent. */
  'ledger_unavailable',
] as const;

export type GuardrailRule = (typeof GUARDRAIL_RULES)[number];

/** What a rule found: the fact that it expects, and the fact that is there, as text for people. */
export interface Fault {
  readonly rule: GuardrailRule;
  readonly expected: string;
  readonly found: string;
}
