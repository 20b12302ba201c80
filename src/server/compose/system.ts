import { systemClock } from '#adapters/process/system-clock';
import { systemRandom } from '#adapters/process/system-random';
import { systemTimers } from '#adapters/process/system-timers';
import type { Log } from '#ports/log';
import type { Clock } from '#system/clock';
import type { Random } from '#system/random';
import type { Timers } from '#system/timers';

/** What every part has of the process that it runs in. */
export interface System {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
}

/** Returns the clock, timers and dice of this machine, with a log. */
export function systemWith(log: Log): System {
  return { clock: systemClock, random: systemRandom, timers: systemTimers, log };
}
