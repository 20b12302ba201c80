/**
 * Seed of the placebo board: the same on every night, so that its count moves with the wallets
 * alone.
 */
export const PLACEBO_SEED = 1;
