const full = process.env.PROVE === '1';

/** How often a property is tried. `npm run prove` tries the full size; `npm test` a part that takes seconds. */
export const PROPERTY_RUNS = full ? 300_000 : 10_000;

/** How many random histories of the ledger are played through on a real store. */
export const LEDGER_SEQUENCES = full ? 10_000 : 100;

/** How often a process is killed in the middle of its work. */
export const KILL_ROUNDS = full ? 40 : 4;

/** How many generated tapes SQL and the pure functions are compared on. */
export const TAPE_RUNS = full ? 100 : 5;

/** Days after the first at which the local venue's past is rated. */
export const PAST_DAYS: readonly number[] = full ? [0, 7, 19, 31, 37, 47, 64, 78, 85] : [0];

/** How many authorizations are sent in 50 copies each. */
export const COPY_ROUNDS = full ? 1_000 : 20;
