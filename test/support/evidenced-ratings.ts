import type { Fill } from '#domain/rating/fill';
import { RATING_CONFIG, type RatingConfig } from '#domain/rating/rating-config';
import type { StoredRating } from '#domain/rating/stored-rating';
import { findWalletEntries } from '#domain/rating/sum-wallet';
import type { TapeMarket } from '#domain/rating/tape-market';
import { toEnd } from '#domain/steps';
import { toWalletProfile } from '#judge/wallet/bodies';
import { type RatingFrame, rateEntries } from '#judge/wallet/rate-entries';
import { basisTextOf } from '#judge/wallet/rating-basis';
import type { Board } from '#ports/ratings-store';
import { ratingConfigHash } from '#services/ratings/config-hash';
import { createWalletEvidence } from '#services/wallets/wallet-evidence';
import { ENGINE, type EvidenceFixture, ISSUER } from './evidence-fixture.js';

/** A wallet to rate, and how much of its window was seen. */
export interface WalletToRate {
  readonly wallet: string;
  readonly fills: readonly Fill[];
  readonly markets: ReadonlyMap<string, TapeMarket>;
  readonly frame: RatingFrame;
  /** Those in force, if it is absent. */
  readonly config?: RatingConfig;
}

/** A rating as a store has it, and the canonical text of what it was computed from. */
export function rateWithBasis({ wallet, fills, markets, frame, config = RATING_CONFIG }: WalletToRate) {
  const found = toEnd(findWalletEntries(wallet, fills, markets, frame.asOfS, config));
  const stored: StoredRating = {
    ...toEnd(rateEntries(found, frame, config)),
    ...{ name: null, computedAtMs: (frame.asOfS + 3_600) * 1e3, config: ratingConfigHash(config) },
  };
  return { stored, basis: basisTextOf(found, frame, config) };
}

/** Where the bases and the board of a test are. */
function evidenceStore(basis: string | null, board: Board | null = null) {
  return {
    board: async () => board,
    bases: { read: async () => basis, put: async () => {}, list: async () => never() },
  };
}

function never(): never {
  throw new Error('nobody lists these');
}

/** Returns the answer of preflight_copy with evidence, as JSON text; null for a wallet without coverage. */
export async function ratingWithEvidence(
  asked: WalletToRate,
  { keys }: Pick<EvidenceFixture, 'keys'>,
  issuer = ISSUER,
): Promise<string | null> {
  const { stored, basis } = rateWithBasis(asked);
  if (stored.rating.verdict === 'NO_COVERAGE') return null;
  const { source, fromS } = asked.frame.seen;
  const tapeStartS = source === 'tape' ? fromS : null;
  const profile = toWalletProfile(stored, { nextRefreshS: asked.frame.asOfS + 2 * 86_400, tapeStartS });
  const evidenceOf = createWalletEvidence({
    ...{ issuer, engine: ENGINE, keys, config: RATING_CONFIG },
    store: evidenceStore(basis),
    tape: { fillsOf: async () => never(), marketsOf: async () => never() },
    log: { error: () => never() },
  });
  const evidence = await evidenceOf({ stored, tapeStartS }, profile);
  return `${JSON.stringify(profile).slice(0, -1)},"evidence":${evidence}}`;
}
