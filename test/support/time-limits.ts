/**
 * How long a test (or a hook) that waits for processes may take. It only ends what hangs: starting
 * a service takes a second of a core, and on a machine with a load of 20 some ten times as long.
 * Other tests have the limit of .mocharc.json.
 */
export const PROCESS_TEST_MS = 300_000;

/** How long a process may take until it listens, and a wait until what it waits for is so. */
export const PROCESS_START_MS = 240_000;
export const WAIT_MS = 60_000;
