import type { RatingBasis } from '#api/wallets/wallet-evidence';
import type { WalletProfile } from '#api/wallets/wallet-profile';
import { Problem } from '#domain/errors';
import type { RatingConfig } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import { canonicalText } from '#judge/canonical-text';
import type { Engine } from '#judge/evidence-payload';
import { type RatedEntries, rateEntries } from '#judge/wallet/rate-entries';
import { basisTextOf } from '#judge/wallet/rating-basis';
import { rateBasis, toUnhashedWalletPayload, walletPayloadText, walletResponseOf } from '#judge/wallet/wallet-payload';
import type { EvidenceKeys } from '#ports/evidence-keys';
import type { Log } from '#ports/log';
import type { RatingsStore } from '#ports/ratings-store';
import type { Tape } from '#ports/tape';
import { hashOf } from '../evidence-hash.js';
import { ratingConfigHash, ratingConfigOf } from '../ratings/config-hash.js';
import { inTurns, turn } from '../ratings/in-turns.js';
import { entriesOnTape } from '../ratings/tape-entries.js';

export interface WalletEvidenceDeps {
  /** Base address of the service. */
  readonly issuer: string;
  readonly engine: Engine;
  readonly keys: Pick<EvidenceKeys, 'signLong'>;
  readonly store: Pick<RatingsStore, 'board' | 'bases'>;
  readonly tape: Pick<Tape, 'fillsOf' | 'marketsOf'>;
  readonly config: RatingConfig;
  readonly log: Pick<Log, 'error'>;
}

/** A rating that is answered, and where it is from. */
interface Answered {
  readonly stored: StoredRating;
  /** Oldest fill of the board's tape; null or absent: it was made on demand. */
  readonly tapeStartS?: number | null;
}

/**
 * Returns the signed evidence of a rating (`WalletEvidence`), as JSON text: its payload stands there
 * in the very form that was signed. Rejects with a Problem where what the rating was computed from
 * is not stored, or does not give the rating any more: an answer that does not follow from its
 * evidence is never sold.
 */
export type WalletEvidenceOf = (answered: Answered, profile: WalletProfile) => Promise<string>;

/** Returns what signs the evidence of ratings. */
export function createWalletEvidence(deps: WalletEvidenceDeps): WalletEvidenceOf {
  const { issuer, engine, keys } = deps;
  return async (answered, profile) => {
    const text = (await storedBasis(answered, deps)) ?? (await basisFromTape(answered, deps));
    if (text === null) throw refusal(answered.stored, deps);
    const basisHash = hashOf(text);
    await turn();
    const unhashed = toUnhashedWalletPayload(issuer, engine, { basisHash, profile });
    const basis = { wallet: profile.wallet, as_of: profile.data_through };
    const response = canonicalText(walletResponseOf(unhashed, basis, profile.method));
    const payload = walletPayloadText(text, { ...unhashed, response_hash: hashOf(response) });
    await turn();
    return `{"payload":${payload},"jws":"${await keys.signLong(payload)}"}`;
  };
}

/** Returns the stored basis of a rating, if the rating still follows from it; else null. */
async function storedBasis({ stored }: Answered, { store }: WalletEvidenceDeps): Promise<string | null> {
  const text = await store.bases.read(stored.rating.asOfS, stored.rating.wallet);
  if (text === null) return null;
  const basis = JSON.parse(text) as RatingBasis;
  await turn();
  return (await follows(stored, basis)) ? text : null;
}

async function follows(stored: StoredRating, basis: RatingBasis): Promise<boolean> {
  try {
    // Most verdicts are the same by the rules of another version, and name its cut-offs.
    if (ratingConfigHash(basis.rating_config as RatingConfig) !== stored.config) return false;
    const again = await inTurns(rateBasis(basis));
    // Of more entries than are listed nothing can be computed again: then it is the service's word.
    return again === null || isSame(again, stored);
  } catch {
    // Another version wrote it, in a form of its own.
    return false;
  }
}

/** Returns the basis of a rating of the board, out of the tape as it is now; null if that gives another rating. */
async function basisFromTape(
  { stored, tapeStartS = null }: Answered,
  deps: WalletEvidenceDeps,
): Promise<string | null> {
  const board = tapeStartS === null ? null : await deps.store.board();
  // After an upgrade the board is still that of the rules before it.
  const config = ratingConfigOf(stored.config, deps.config);
  if (board === null || board.asOfS !== stored.rating.asOfS || config === null) return null;
  const { found, frame } = await entriesOnTape(stored.rating.wallet, board, { ...deps, config });
  const again = await inTurns(rateEntries(found, frame, config));
  return isSame(again, stored) ? basisTextOf(found, frame, config) : null;
}

function isSame(again: RatedEntries, { rating, unseen, strength }: StoredRating): boolean {
  return canonicalText({ ...again }) === canonicalText({ rating, unseen, strength });
}

function refusal({ rating }: StoredRating, { log }: WalletEvidenceDeps): Problem {
  const { wallet, asOfS, verdict } = rating;
  log.error({ wallet, asOfS, verdict }, 'a rating does not follow from what is stored of it; its evidence was refused');
  const text =
    'what this rating was computed from is not stored, or does not give this rating now; nothing was charged: ' +
    'leave out evidence, or try again after the next refresh';
  return new Problem('evidence_unavailable', text);
}
