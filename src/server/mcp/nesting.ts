/**
 * Levels of objects and lists that a message may have, its own included. One with a payment that
 * echoes all of our terms has 14; readers that go down by recursion come to the end of the stack at
 * about 2,000.
 */
export const NESTING_MAX = 64;

/** Whether a parsed JSON value has more levels of objects and lists. Without recursion. */
export function isNestedDeeper(value: unknown, levelsMax: number): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levelsMax) return true;
    level = containersIn(level.flatMap((container) => Object.values(container)));
  }
  return false;
}

function containersIn(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
