import type { Context } from 'mocha';
import { keepForReport } from './run-report.js';

const skipped: Record<string, string[]> = {};

/**
 * Skips the test and has it named at the end of the run; `why` says what this machine lacks and
 * what to do about it.
 */
export function skipLoudly(test: Context, why: string, title = titleOf(test)): never {
  skipped[why] = [...(skipped[why] ?? []), title];
  keepForReport('skipped', skipped);
  return test.skip();
}

/** A hook that skips takes all tests beside it along. */
function titleOf({ test }: Context): string {
  if (test === undefined) return 'a test';
  const isHook = 'type' in test && test.type === 'hook';
  return isHook ? `${test.parent?.fullTitle()}: all of it` : test.fullTitle();
}
