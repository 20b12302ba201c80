import type { Context } from 'mocha';

/** Titles of the tests that were skipped because this machine lacks something, by what it lacks. */
const skipped = new Map<string, string[]>();

/** Skips the test and has it named at the end of the run; `why` says what is not there and what to do about it. */
export function skipLoudly(test: Context, why: string): never {
  skipped.set(why, [...(skipped.get(why) ?? []), titleOf(test)]);
  return test.skip();
}

/** Returns what was skipped, a line each, by what is lacking; "" when nothing was. */
export function skippedText(): string {
  return [...skipped]
    .map(([why, titles]) => [`SKIPPED: ${why}`, ...titles.map((title) => `  - ${title}`)].join('\n'))
    .join('\n');
}

/** A hook that skips takes all tests beside it along. */
function titleOf({ test }: Context): string {
  if (test === undefined) return 'a test';
  const isHook = 'type' in test && test.type === 'hook';
  return isHook ? `${test.parent?.fullTitle()}: all of it` : test.fullTitle();
}
