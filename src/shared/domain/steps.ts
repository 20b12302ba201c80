/** Runs work that is done in steps to its end, for those who can wait: returns what it returns. */
export function toEnd<Result>(steps: Generator<void, Result, void>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
