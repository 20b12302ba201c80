import type { RatingBasis, WalletEvidencePayload } from '#api/wallets/wallet-evidence';
import type { WalletProfile } from '#api/wallets/wallet-profile';
import type { StoredRating } from '#domain/rating/stored-rating';
import { canonicalText } from '../canonical-text.js';
import type { Engine } from '../evidence-payload.js';
import { toWalletProfile } from './bodies.js';
import { type RatedEntries, rateEntries } from './rate-entries.js';
import { fromRatingBasis } from './rating-basis.js';

/** Where wallet ratings are sold: `endpoint` of the response hash, under the issuer's address. */
const ENDPOINT = '/api/preflight_copy';

/** What of a profile is no computation: names, notes, and when it was made and is made again. */
type Stated =
  | 'ok'
  | 'name'
  | 'computed_at'
  | 'next_refresh_at'
  | 'method'
  | 'tape_note'
  | 'note'
  | 'sandbox'
  | 'paid'
  | 'evidence';

/** The basis stands in the payload as the text that it was hashed as. */
type Unhashed = Omit<WalletEvidencePayload, 'response_hash' | 'basis'>;

/** Returns the members of a profile that follow from its basis. */
export function resultOf(profile: WalletProfile): Omit<WalletProfile, Stated> {
  const { ok: _ok, name: _name, computed_at: _made, next_refresh_at: _next, method: _method, ...rest } = profile;
  const { tape_note: _tape, note: _note, sandbox: _sandbox, paid: _paid, evidence: _evidence, ...result } = rest;
  return result;
}

/** Returns the payload without its basis and its response hash. */
export function toUnhashedWalletPayload(
  issuer: string,
  { version, sourceSha256 }: Engine,
  { basisHash, profile }: { basisHash: string; profile: WalletProfile },
): Unhashed {
  return {
    kind: 'wallet_rating',
    v: 1,
    issuer,
    engine: { version, source_sha256: sourceSha256 },
    basis_hash: basisHash,
    result: resultOf(profile),
  };
}

/** Returns the canonical text of the whole payload: `basis` is the first of its members. */
export function walletPayloadText(basisText: string, rest: Omit<WalletEvidencePayload, 'basis'>): string {
  return `{"basis":${basisText},${canonicalText(rest).slice(1)}`;
}

/** Returns what the response hash covers. */
export function walletResponseOf(
  { issuer, result }: Pick<WalletEvidencePayload, 'issuer' | 'result'>,
  { wallet, as_of }: Pick<RatingBasis, 'wallet' | 'as_of'>,
  method: string,
) {
  return {
    endpoint: issuer + ENDPOINT,
    inputs: { wallet, evidence: 1 },
    result,
    method,
    dataVintage: as_of,
  };
}

/** Returns the rating that follows from a basis, step by step; null if its entries were left out. */
export function* rateBasis(basis: RatingBasis): Generator<void, RatedEntries | null, void> {
  const read = yield* fromRatingBasis(basis);
  return read === null ? null : yield* rateEntries(read.found, read.frame, read.config);
}

/**
 * Returns the profile of a rating whose window was seen so far. When it is refreshed does not follow
 * from a basis.
 */
export function profileOfBasis({ seen }: RatingBasis, stored: StoredRating): WalletProfile {
  return toWalletProfile(stored, { nextRefreshS: 0, tapeStartS: tapeStartOf(seen) });
}

/** As `BodyFacts` has it: where a wallet's own trades were read, nothing of its window is cut off. */
function tapeStartOf({ source, from }: RatingBasis['seen']): number | null {
  return source === 'tape' && from !== null ? Date.parse(from) / 1e3 : null;
}
