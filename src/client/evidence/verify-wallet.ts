import type { WalletEvidence, WalletEvidencePayload } from '#api/wallets/wallet-evidence';
import type { WalletProfile } from '#api/wallets/wallet-profile';
import type { JsonObject } from '#domain/json';
import { findBothSided } from '#domain/rating/both-sides';
import {
  CONFIG_HASH_DIGITS,
  PUBLISHED_CONFIGS,
  type RatingConfig,
  ratingConfigText,
} from '#domain/rating/rating-config';
import { type RatingWindows, ratingWindows } from '#domain/rating/rating-windows';
import type { WalletEntries } from '#domain/rating/wallet-entries';
import { toEnd } from '#domain/steps';
import { rateEntries } from '#judge/wallet/rate-entries';
import { fromRatingBasis, toRatingBasis } from '#judge/wallet/rating-basis';
import { profileOfBasis, resultOf, walletResponseOf } from '#judge/wallet/wallet-payload';
import { type Check, canonical, fault, good, same } from './check.js';
import { digestHex } from './digest.js';
import { checkEngine, checkSignature, type VerifyOptions } from './signed.js';
import { walletPayloadFault } from './wallet-payload-form.js';

/** What each check of a figure is called, and the members of the answer that it covers. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  verdict: ['verdict', 'reason_code', 'strength'],
  reasons: ['reasons'],
  counts: ['n_first_entries', 'n_resolved', 'n_pending', 'n_early_resolved', 'n_excluded_updown'],
  roi: ['win_rate_pct', 'roi_slippage_basis_pct', 'roi_fee_inclusive_pct'],
  certainty: ['roi_ci95_pct', 'z', 'sample', 'entries_needed', 'roi_without_best_event_pct'],
  months: ['older', 'in_sample', 'out_of_sample'],
  farming: ['near_certain_pct', 'round_trip_pct', 'both_sides_pct', 'both_sides', 'sell_first_entries'],
};

/**
 * Checks an answer of preflight_copy that carries evidence, whose payload says that it is of a
 * rating: who signed it, and that every figure follows from the entries in it. That the wallet made
 * these entries is the word of the service. Never rejects on what a stranger wrote.
 */
export async function verifyWallet(body: JsonObject, options: VerifyOptions): Promise<readonly Check[]> {
  const evidence = body.evidence as WalletEvidence;
  const { payload } = evidence;
  const misformed = walletPayloadFault(payload);
  if (misformed !== null) return [fault('form', `${misformed} is not as evidence has it`)];
  const { isBad, checks } = await checkSignature(evidence, options);
  // What nobody signed is not worth computing.
  if (isBad) return checks;
  return [
    ...checks,
    checkEngine(payload, options),
    ...(await compare(body, payload)),
    await checkResponseHash(payload, body.method),
  ];
}

async function compare(body: JsonObject, payload: WalletEvidencePayload): Promise<readonly Check[]> {
  const { basis } = payload;
  const basisText = canonical(basis) ?? '';
  const hash = same('basis_hash', payload.basis_hash, `sha256:${await digestHex('SHA-256', basisText)}`);
  const read = toEnd(fromRatingBasis(basis));
  if (read === null) {
    const says = `${basis.entries_omitted} entries are too many to be listed: nothing can be computed again`;
    const received = pick(body, Object.keys(payload.result));
    const signed = same('answer', received, payload.result, 'the figures are those that were signed');
    return [hash, { name: 'entries', holds: null, says }, signed];
  }
  try {
    const { found, frame, config } = read;
    const right = profileOfBasis(basis, {
      ...toEnd(rateEntries(found, frame, config)),
      ...{ name: null, computedAtMs: 0, config: await configHash(config) },
    });
    return [
      hash,
      checkCutOffs(config),
      checkEntries(
        found,
        canonical(toRatingBasis(found, frame, config)) === basisText,
        ratingWindows(frame.asOfS, config),
      ),
      ...compareFigures(body, right),
      same('payload', payload.result, resultOf(right), 'its result follows from its entries'),
    ];
  } catch {
    return [hash, fault('form', 'nothing can be computed from this payload')];
  }
}

/** Whether these can be the entries of one wallet, and the columns are those that they give. */
function checkEntries({ entries, bothSided }: WalletEntries, isSame: boolean, { fromS, asOfS }: RatingWindows): Check {
  const name = 'entries';
  const tokens = new Set(entries.map(({ clip }) => clip.token));
  if (tokens.size < entries.length) return fault(name, 'a token is listed twice, and has one first entry');
  if (entries.some(({ clip }) => clip.timeS < fromS || clip.timeS >= asOfS)) {
    return fault(name, 'an entry lies outside of the window that ends with as_of');
  }
  if ([...findBothSided(entries)].some((condition) => !bothSided.has(condition))) {
    return fault(name, 'two outcomes of a market are listed, and it is not flagged as both-sided');
  }
  const says = `pools, flags and counts of ${entries.length} entries fit each other`;
  return isSame ? good(name, says) : fault(name, `not so: ${says}`);
}

/** A signer may choose laxer rules: then the verdict follows from them, and means less. */
function checkCutOffs(config: RatingConfig): Check {
  const name = 'cut_offs';
  const received = ratingConfigText(config);
  const published = PUBLISHED_CONFIGS.find((one) => ratingConfigText(one) === received);
  if (published === undefined) return { name, holds: null, says: 'of no version that this program knows' };
  return good(name, `those of score version ${published.scoreVersion}`);
}

/** Each group of figures, then all that is left of the answer. */
function compareFigures(body: JsonObject, right: WalletProfile): readonly Check[] {
  const all = right as unknown as JsonObject;
  const figures = Object.entries(FIGURES).map(([name, names]) =>
    same(name, pick(body, names), pick(all, names), saidOf(name, all)),
  );
  const { name: _name, computed_at: _made, next_refresh_at: _next, note: _note, evidence: _evidence, ...rest } = body;
  const { paid: _paid, ...reported } = rest;
  const { name: _own, computed_at: _at, next_refresh_at: _then, note: _late, ...expected } = all;
  const grouped = new Set(Object.values(FIGURES).flat());
  const others = (from: JsonObject) => Object.fromEntries(Object.entries(from).filter(([name]) => !grouped.has(name)));
  return [...figures, same('answer', others(reported), others(expected), 'all other figures follow from the entries')];
}

/** What is shown of a group that holds. */
function saidOf(name: string, right: JsonObject): string {
  if (name === 'verdict') return String(right.verdict);
  if (name === 'roi') return `${right.roi_slippage_basis_pct}% before fees, ${right.roi_fee_inclusive_pct}% after`;
  if (name === 'counts') return `${right.n_resolved} of ${right.n_first_entries} first entries are scored`;
  if (name === 'certainty') return `z ${right.z}, a ${right.sample} sample`;
  return `${name} follow from the entries`;
}

/** Returns those of the members that there are. */
function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
}

/** The name of the cut-offs, as the service makes it. */
async function configHash(config: RatingConfig): Promise<string> {
  return (await digestHex('SHA-256', ratingConfigText(config))).slice(0, CONFIG_HASH_DIGITS);
}

async function checkResponseHash(payload: WalletEvidencePayload, method: unknown): Promise<Check> {
  const response = canonical(walletResponseOf(payload, payload.basis, String(method))) ?? '';
  return same('response_hash', payload.response_hash, `sha256:${await digestHex('SHA-256', response)}`);
}
