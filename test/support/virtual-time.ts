import { expect } from 'chai';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

/**
 * A fresh scheduler for marbles and virtual time. A used one carries its clock on, so every test
 * takes its own.
 */
export function testScheduler(): TestScheduler {
  return new TestScheduler((actual, expected) => {
    expect(actual).to.deep.equal(expected);
  });
}

/** Runs a test with marbles on a scheduler of its own. */
export function inVirtualTime(run: (helpers: RunHelpers, test: TestScheduler) => void): void {
  const test = testScheduler();
  test.run((helpers) => run(helpers, test));
}
