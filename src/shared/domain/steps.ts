/** Entries of a wallet that one step of work looks at: less than a millisecond for most. */
export const ENTRIES_PER_STEP = 50;

/** Runs work that is done in steps to its end, for those who can wait: returns what it returns. */
export function toEnd<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
