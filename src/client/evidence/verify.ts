import type { Evidence, EvidencePayload } from '#api/evidence';
import { hashedTextOf } from '#domain/book/hashed-text';
import { parseTokenId, toConditionId } from '#domain/ids';
import { asObject, type JsonObject } from '#domain/json';
import { shown } from '../text.js';
import { type Check, canonical, fault, good, same } from './check.js';
import { digestHex } from './digest.js';
import { payloadFault } from './payload-form.js';
import { type Recomputed, recompute } from './recompute.js';
import { checkEngine, checkSignature, type VerifyOptions } from './signed.js';

export interface Verification {
  /** Whether everything holds. */
  readonly holds: boolean;
  readonly checks: readonly Check[];
}

/**
 * Loads what checks ratings of wallets: whoever checks verdicts only does without. A page that has
 * to work offline calls this first.
 */
export const loadRatingChecks = () => import('./verify-wallet.js');

/**
 * Checks an answer of preflight_trade or preflight_copy that carries evidence, offline: the
 * signature, and that every part of the answer follows from the payload alone. `paid` is not part of
 * it. Never rejects on what a stranger wrote.
 */
export async function verifyAnswer(answer: unknown, options: VerifyOptions): Promise<Verification> {
  const body = asObject(answer);
  const evidence = asObject(body?.evidence) as Evidence | null;
  const payload = asObject(evidence?.payload) as EvidencePayload | null;
  if (body === null || evidence === null || payload === null) {
    return toVerification([fault('form', 'the answer has no evidence: ask with evidence=1')]);
  }
  if ((payload as { kind?: unknown }).kind === 'wallet_rating') {
    const { verifyWallet } = await loadRatingChecks();
    return toVerification(await verifyWallet(body, options));
  }
  const misformed = payloadFault(payload);
  if (misformed !== null) return toVerification([fault('form', `${misformed} is not as evidence has it`)]);
  const { isBad, checks: ofSignature } = await checkSignature(evidence, options);
  // What nobody signed is not worth computing.
  if (isBad) return toVerification(ofSignature);
  const checks = [...ofSignature, checkEngine(payload, options)];
  const again = tryRecompute(payload);
  if (again === null) return toVerification([...checks, fault('form', 'nothing can be computed from this payload')]);
  return toVerification([
    ...checks,
    ...compareParts(body, payload, again),
    await checkVenueHash(payload, again),
    await checkResponseHash(payload, again),
  ]);
}

function toVerification(checks: readonly Check[]): Verification {
  return { holds: checks.every(({ holds }) => holds !== false), checks };
}

function tryRecompute(payload: EvidencePayload): Recomputed | null {
  try {
    const again = recompute(payload);
    return canonical(again.payload) === null ? null : again;
  } catch {
    return null;
  }
}

/**
 * That the levels have the hash shows that they were reported whole. It is no proof of the venue:
 * anybody can compute it of any levels.
 */
async function checkVenueHash({ market }: EvidencePayload, { book }: Recomputed): Promise<Check> {
  const name = 'venue_hash';
  if (book.venueHash === null)
    return { name, holds: null, says: 'not included: nothing from the venue proves these levels' };
  const text = hashedTextOf({
    ...book.hashFields,
    conditionId: toConditionId(market.condition_id),
    tokenId: parseTokenId(market.token_id)!,
    timestampMs: book.timestampMs,
    bids: book.bids,
    asks: book.asks,
  });
  const found = text === null ? null : await digestHex('SHA-1', text);
  if (found === book.venueHash) return good(name, `follows from the levels, and proves no venue: ${found}`);
  return fault(name, `the levels have the hash ${found}, received was ${shown(book.venueHash)}`);
}

async function checkResponseHash(payload: EvidencePayload, { response }: Recomputed): Promise<Check> {
  const right = `sha256:${await digestHex('SHA-256', canonical(response) ?? '')}`;
  return same('response_hash', payload.response_hash, right);
}

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

const PLAN = ['worst_price', 'plan', 'plan_reason', 'remedies'] as const;
const EXIT = ['exit', 'exit_reason'] as const;

/** Each part of the answer, and of the payload, against the same part as it was computed again. */
function compareParts(body: JsonObject, { response_hash: _, ...payload }: EvidencePayload, again: Recomputed): Check[] {
  const numbers = asObject(body.numbers) ?? {};
  const { verdict, reasons, reason_codes, numbers: right, ...rest } = again.body;
  // Answers of earlier versions have none beside their evidence.
  const reported = 'reason_codes' in body ? { ...rest, reason_codes } : rest;
  const { verdict: _verdict, reasons: _reasons, numbers: _numbers, evidence: _evidence, paid: _paid, ...more } = body;
  // How often orders were overtaken is a count of the service, and no part of evidence.
  const { plan, plan_reason, worst_price, remedies, overtaken: _overtaken, exit, exit_reason, limit, ...others } = more;
  return [
    same('verdict', body.verdict, verdict),
    same('reasons', body.reasons, reasons),
    ...NUMBERS.map((name) => same(name, numbers[name], right[name])),
    same('numbers', numbers, right, 'no other numbers'),
    same('answer', others, reported, 'market, order, times and limits follow from the payload'),
    ...(PLAN.some((name) => name in body) ? [checkPlan({ worst_price, plan, plan_reason, remedies }, again)] : []),
    ...(EXIT.some((name) => name in body) ? [checkExit({ exit, exit_reason }, again)] : []),
    ...('limit' in body ? [checkLimit(limit, again)] : []),
    same('payload', payload, again.payload, 'its result follows from its book'),
  ];
}

/** What the other outcome would cost is the word of the service: its book is no part of evidence. */
function checkExit({ exit, exit_reason }: JsonObject, { exitOf }: Recomputed): Check {
  const given = asObject(exit);
  const own = given === null ? exit : { ...given, complement: null };
  const received = exit_reason === undefined ? { exit: own } : { exit: own, exit_reason };
  return same('exit', received, exitOf(), 'its numbers follow from the payload');
}

/** What was asked for is what the answer names: it is not signed, and its rest follows. */
function checkLimit(limit: unknown, { limitOf }: Recomputed): Check {
  const { price, post_only } = asObject(limit) ?? {};
  const right = limitOf(Number(price), post_only === true);
  return same('limit', { limit }, right, 'its queue and its amounts follow from the payload');
}

/**
 * A plan is not signed itself: it follows from the book, the order and its limits, which are. What
 * the other outcome would have cost is the word of the service: its book is no part of evidence.
 */
function checkPlan({ remedies, ...reported }: JsonObject, { planOf }: Recomputed): Check {
  const right = planOf(asObject(reported.plan)?.neg_risk === true);
  const isOwn = (one: unknown) => asObject(one)?.change !== 'other_outcome';
  const own = Array.isArray(remedies) ? remedies.filter(isOwn) : remedies;
  return same('plan', { ...reported, remedies: own }, right, 'its amounts and its verdict follow from the payload');
}
