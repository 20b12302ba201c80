const full = process.env.PROVE === '1';

/** How often a property is tried. `npm run prove` tries the full size; `npm test` a part that takes seconds. */
export const PROPERTY_RUNS = full ? 300_000 : 10_000;

/** How many random histories of the ledger are played through on a real store. */
export const LEDGER_SEQUENCES = full ? 10_000 : 100;

/** How often a process is killed in the middle of its work. */
export const KILL_ROUNDS = full ? 40 : 4;

/** How many authorizations are sent in 50 copies each. */
export const COPY_ROUNDS = full ? 1_000 : 20;
