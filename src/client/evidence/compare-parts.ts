import type { EvidencePayload } from '#api/evidence';
import { asObject, type JsonObject } from '../text.js';
import { type Check, same } from './check.js';
import type { Recomputed } from './recompute.js';

const NUMBERS = [
  'best_price',
  'expected_vwap',
  'expected_slippage_cents',
  'visible_depth_usd',
  'order_vs_depth_pct',
  'taker_fee_usd',
  'fee_drag_cents_per_share',
  'fee_category',
  'safe_size_usd',
  'book_age_seconds',
] as const;

/** Each part of the answer, and of the payload, against the same part as it was computed again. */
export function compareParts(
  body: JsonObject,
  { response_hash: _, ...payload }: EvidencePayload,
  again: Recomputed,
): Check[] {
  const numbers = asObject(body.numbers) ?? {};
  const { verdict, reasons, numbers: right, ...rest } = again.body;
  const { verdict: _verdict, reasons: _reasons, numbers: _numbers, evidence: _evidence, paid: _paid, ...others } = body;
  return [
    same('verdict', body.verdict, verdict),
    same('reasons', body.reasons, reasons),
    ...NUMBERS.map((name) => same(name, numbers[name], right[name])),
    same('numbers', numbers, right, 'no other numbers'),
    same('answer', others, rest, 'market, order, times and limits follow from the payload'),
    same('payload', payload, again.payload, 'its result follows from its book'),
  ];
}
