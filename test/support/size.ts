/**
 * How much of the random and the repeated is tried: `fast` (npm run test:fast) shows in seconds
 * that all is well as a whole, `whole` (npm test) takes minutes, `proof` (npm run prove) has the
 * full size.
 */
type Size = 'fast' | 'whole' | 'proof';

const SIZE: Size = process.env.PROVE === '1' ? 'proof' : process.env.TEST_SIZE === 'fast' ? 'fast' : 'whole';

const by = <T>(sizes: Readonly<Record<Size, T>>): T => sizes[SIZE];

/** Whether all cases are played of which the suite draws some (test/support/draw.ts). */
export const PLAYS_ALL = SIZE === 'proof';

/** Whether tests with recordings of the venue are left out. */
export const LEAVES_RECORDINGS_OUT = SIZE === 'fast';

/** How often a property is tried. */
export const PROPERTY_RUNS = by({ fast: 100, whole: 1_000, proof: 300_000 });

/** How often one is tried that has to meet cases of each kind on its way. */
export const COVERING_RUNS = Math.max(PROPERTY_RUNS, 1_000);

/** Bodies of any form that an evaluation is asked for with. */
export const EVALUATED_BODIES = by({ fast: 1_000, whole: 2_000, proof: 1_000_000 });

/** The same sent to the doors of HTTP and MCP; each takes some hundredths of a second. */
export const EVALUATED_REQUESTS = by({ fast: 30, whole: 100, proof: 5_000 });

/**
 * On how many random books the numbers of a verdict are compared with the same in integers of any
 * size.
 */
export const EXACT_BOOKS = by({ fast: 300, whole: 4_000, proof: 1_000_000 });

/** How many random histories of the ledger are played through on a real store. */
export const LEDGER_SEQUENCES = by({ fast: 10, whole: 100, proof: 10_000 });

/** How often a process is killed in the middle of its work. */
export const KILL_ROUNDS = by({ fast: 1, whole: 2, proof: 40 });

/** How many generated tapes SQL and the pure functions are compared on. */
export const TAPE_RUNS = by({ fast: 1, whole: 1, proof: 100 });

/** A compaction is ended at n-th of its statements. */
export const COMPACTION_STRIDE = by({ fast: 12, whole: 6, proof: 1 });

/** Wallets that are rated while the venue has random faults. */
export const VENUE_FAULTS = by({ fast: 10, whole: 25, proof: 10_000 });

/** Fields of the venue's answers that have another form, one at a time. */
export const VENUE_DRIFTS = by({ fast: 200, whole: 500, proof: 10_000 });

/** Readers of event streams that never read. */
export const DEAF_READERS = by({ fast: 3, whole: 10, proof: 50 });

/** Days after the first at which the local venue's past is rated. */
export const PAST_DAYS = by<readonly number[]>({ fast: [0], whole: [0], proof: [0, 7, 19, 31, 37, 47, 64, 78, 85] });

/** How many authorizations are sent in 50 copies each. */
export const COPY_ROUNDS = by({ fast: 1, whole: 5, proof: 1_000 });

/** How many generated answers are computed again from their evidence. */
export const EVIDENCE_RUNS = by({ fast: 40, whole: 200, proof: 10_000 });

/** Of the wallets of the generated tape every n-th is rated again from its evidence. */
export const RATED_WALLETS_STRIDE = by({ fast: 50, whole: 12, proof: 1 });

/** Processes that claim from one budget, and how many of them are killed; once per seed. */
export interface ClaimRace {
  readonly processes: number;
  readonly atOnce: number;
  readonly kills: number;
}

export const CLAIM_RACES = by<ClaimRace & { readonly seeds: readonly number[]; readonly minutes: number }>({
  fast: { processes: 6, atOnce: 6, kills: 2, seeds: [1], minutes: 1 },
  whole: { processes: 12, atOnce: 12, kills: 5, seeds: [1], minutes: 1 },
  proof: { processes: 400, atOnce: 100, kills: 300, seeds: Array.from({ length: 20 }, (_, n) => n + 1), minutes: 10 },
});

/** Seeds of the planted worlds that a backtest has to find again. */
export const BACKTEST_SEEDS = by({ fast: 1, whole: 1, proof: 12 });

/** Planted worlds whose boards are followed up. */
export const FOLLOWED_WORLDS = by({ fast: 1, whole: 3, proof: 40 });

/** Single bits that are changed in a store, each followed by a check. */
export const BIT_FLIPS = by({ fast: 20, whole: 60, proof: 5_000 });

/**
 * Moments at which the power of a store is cut, in a run of so many rounds; six images of each. A
 * short run may meet no write that finds no room while a change is answered, and such a disk takes long.
 */
export const POWER_CUTS = by({
  fast: { rounds: 6, cuts: 12, meetsEveryFault: false },
  whole: { rounds: 12, cuts: 30, meetsEveryFault: false },
  proof: { rounds: 120, cuts: 400, meetsEveryFault: true },
});

/** Whether a service dies at each point beside its payments. */
export const PLAYS_ALL_DEATHS = by({ fast: false, whole: false, proof: true });

/** Orders that each official client sends through a guard, and bare. */
export const GUARDED_ORDERS = by({ fast: 30, whole: 120, proof: 10_000 });

/** Whether a guarded process dies at each step of each order, or at some (`cells`); and races for the last of a cap. */
export const GUARD_DEATHS = by({
  fast: { isWhole: false, cells: 0, races: 0 },
  whole: { isWhole: false, cells: 3, races: 1 },
  proof: { isWhole: true, cells: 0, races: 15 },
});

/** Days that a world of virtual time lives, and those that it lives twice. */
export const SIMULATED_DAYS = by({ fast: 1, whole: 4, proof: 1_000 });
export const REPEATED_DAYS = by({ fast: 1, whole: 1, proof: 100 });
