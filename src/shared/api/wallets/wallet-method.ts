import { RATING_CONFIG as CONFIG } from '#domain/rating/rating-config';
import { STRENGTH } from '#domain/rating/strength/edge-grid';

/**
 * What is said about the simulation, from the cut-offs themselves, so that words and arithmetic
 * cannot drift apart.
 */

const cents = CONFIG.slippageMicros / 10_000;
const price = (micros: number) => (micros / 1e6).toFixed(2);
const shares = (micros: number) => micros / 1e6;

const BASIS =
  `First-entry mirror: the first BUY of each token is copied with $${CONFIG.stakeUsd}, ${cents}c above the wallet's price ` +
  `(at most ${CONFIG.copierPriceMicrosMax / 1e6}), and held to resolution. Fills below ${shares(CONFIG.fillSharesMicrosMin)} ` +
  'shares and crypto up/down markets are left out.';

const ROI = `ROI is per dollar staked, net of ${cents}c slippage; the fee-inclusive figure adds the explicit 2026 taker fee at the copier's price.`;

const SCORED = 'Only entries that are settled and past their scheduled end are scored.';
const CAVEAT = 'A simulation of the past: neither a prediction nor advice.';

/** `method` of a wallet profile. */
export const PROFILE_METHOD = [BASIS, SCORED, ROI, CAVEAT].join(' ');

/** `method` of leaderboard and red list (docs/interface-wallets.md, "Lists"). */
export const LIST_METHOD = [
  BASIS,
  `Lists consider entries at ${price(CONFIG.filterPriceMicrosMin)} to ${price(CONFIG.filterPriceMicrosMax)} ` +
    `whose first clip has at least ${shares(CONFIG.filterClipSharesMicrosMin)} shares.`,
  SCORED,
  ROI,
  CAVEAT,
].join(' ');

/** Added to `method` where an answer has a `strength` (docs/ratings.md, "Strength"). */
export const STRENGTH_METHOD =
  `Strength "strong" is a second mark on a COPY: the edge is now at least ${STRENGTH.edgeCentsMin}c per share after ` +
  `slippage and fees with a probability of ${STRENGTH.probabilityMin} or more, by how edges are spread over all wallets of the ` +
  'board and with older months counting less. No verdict depends on it.';

/** What WATCH means, for every answer that has one. */
export const WATCH_NOTE = 'WATCH means unproven, not half a COPY.';
