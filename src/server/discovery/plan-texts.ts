/** Returns how an order gets amounts that the venue accepts. */
export function planList(): string {
  return [
    '- `plan=1` on `preflight_trade` adds `plan`: the order (FOK) in amounts that the venue accepts, in integers: `maker_amount`, `taker_amount`, ' +
      '`worst_price`. Same price.',
    '- Send it as it is, only if `plan.verdict` lets you, before `plan.valid_until`; have `plan.usd_needed_max` on the wallet of a BUY. ' +
      '`plan` is null where there is none, and `plan_reason` says why.',
    "- `plan.for_client` is for the official clients' own functions, which reckon in floating point: compare the amounts that they sign.",
    '- `exit=1` adds `exit`: the opposite order for the same shares, `round_trip_cost_usd`, `break_even_price`, its own verdict.',
    '- `limit_price=0.42` adds `limit`: the order resting at that price, with its queue, whether it crosses and legal amounts. ' +
      'The verdict stays that of a taking order.',
    '- `remedies` has at most four changes of an order that is not OK, each with the better verdict that it gets on these levels.',
  ].join('\n');
}
