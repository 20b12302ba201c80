/**
 * Counts draws on a scoreboard whose days take half a second each, and prints "began <day>" for
 * each draw and "wrote <day> <draws>" for each day that the store said was written. Runs until it is
 * killed; its arguments are the path of the ratings and the moment at which its wall clock begins.
 */
import { writeSync } from 'node:fs';
import { openLmdbRatings } from '#adapters/lmdb/ratings/ratings-store';
import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import { isoDay } from '#domain/time';
import { JobOwner } from '#services/jobs/job-owner';
import { Scoreboard } from '#services/scoreboard/scoreboard';

const WALL_PER_ELAPSED = 200_000;
const [path = '', beginsAt = ''] = process.argv.slice(2);

const store = openLmdbRatings({ path });
const startedMs = systemClock.elapsedMs();
let shownMs = 0;
const clock = {
  elapsedMs: () => systemClock.elapsedMs(),
  nowMs() {
    shownMs = Math.floor(Date.parse(beginsAt) + (systemClock.elapsedMs() - startedMs) * WALL_PER_ELAPSED);
    return shownMs;
  },
};
const say = (text: string) => writeSync(1, `${text}\n`);
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const timers = systemTimers;

new Scoreboard({
  scores: {
    ...store.scores,
    async put(day, hold) {
      await store.scores.put(day, hold);
      // Written at once, so that it is in the pipe before the process can be killed.
      say(`wrote ${day.day} ${day.passes}`);
    },
  },
  follows: store.follows,
  jobs: new JobOwner({ leases: store.jobs, stopwatch: clock, timers, random: systemRandom, log }),
  books: {
    freshTokens() {
      say(`began ${isoDay(shownMs / 1e3)}`);
      return [];
    },
    peek: () => null,
  },
  marketOf: () => null,
  ...{ clock, timers, log, isOn: true, passMs: 2, writeMs: 8 },
}).start();
// Timers of the service keep no process alive.
setInterval(nothing, 1_000);
