/** Returns how an order gets amounts that the venue accepts. */
export function planList(): string {
  return [
    '- `plan`: FOK, in integer amounts (`maker_amount`, `taker_amount`, `worst_price`). ' +
      'Send it unchanged, only if `plan.verdict` allows it, before `plan.valid_until`, with `plan.usd_needed_max` on the wallet of a BUY. ' +
      '`plan` null: see `plan_reason`.',
    '- `plan.for_client` is for the official clients, whose amounts are floats: compare what they sign.',
    '- `exit`: the opposite order for the same shares, `round_trip_cost_usd`, `break_even_price`, its verdict.',
    '- `limit`: the verdict stays that of a taking order.',
    '- `remedies`: up to four changes that improve it.',
    '- `overtaken`: how often such orders fill 3 cents worse.',
  ].join('\n');
}
