import { expect } from 'chai';
import { TestScheduler } from 'rxjs/testing';

/**
 * A fresh scheduler for marbles and virtual time. A used one carries its clock on, so every test
 * takes its own.
 */
export function testScheduler(): TestScheduler {
  return new TestScheduler((actual, expected) => {
    expect(actual).to.deep.equal(expected);
  });
}
