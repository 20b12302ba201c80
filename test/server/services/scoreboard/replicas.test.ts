import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { isoDay } from '#domain/time';
import type { RatingsStore } from '#ports/ratings-store';
import { JobOwner } from '#services/jobs/job-owner';
import { Scoreboard } from '#services/scoreboard/scoreboard';
import { makeRatingsFixture } from '#test/contract/support/lmdb-ratings-fixture';
import { until } from '#test/support/live-verdicts';

const NOON = Date.parse('2026-11-27T12:00:00Z');

describe('the scoreboards of processes that share a store', () => {
  const nothing = () => {};
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const clock = { elapsedMs: () => systemClock.elapsedMs(), nowMs: () => NOON };

  /** A process that counts its draws. */
  function open(store: RatingsStore) {
    const drawn = { count: 0 };
    const timers = systemTimers;
    const board = new Scoreboard({
      scores: store.scores,
      follows: store.follows,
      jobs: new JobOwner({ leases: store.jobs, stopwatch: clock, timers, random: systemRandom, log }),
      books: {
        freshTokens() {
          drawn.count++;
          return [];
        },
        peek: () => null,
      },
      marketOf: () => null,
      ...{ clock, timers, log, isOn: true, passMs: 1, writeMs: 5 },
    });
    board.start();
    return { board, drawn };
  }

  it('are counted by one of them, and by the next one from where it ended', async () => {
    const fixture = await makeRatingsFixture();
    const stores = [await fixture.open(), await fixture.open(), await fixture.open()] as const;
    const [one, other] = [open(stores[0]), open(stores[1])];
    await until('twenty draws', () => one.drawn.count + other.drawn.count >= 20);
    await Promise.all([one.board.stop(), other.board.stop()]);
    expect([one.drawn.count, other.drawn.count].filter((count) => count === 0)).to.have.length(1);
    const first = one.drawn.count + other.drawn.count;
    expect((await stores[2].scores.day(isoDay(NOON / 1e3)))?.passes).to.equal(first);

    const next = open(stores[2]);
    await until('ten more draws', () => next.drawn.count >= 10);
    await next.board.stop();
    expect((await stores[2].scores.day(isoDay(NOON / 1e3)))?.passes).to.equal(first + next.drawn.count);
    for (const store of stores) await store.close();
    await fixture.remove();
  });
});
