import { clientSystem } from '#client/system';

/** Waits a fiftieth of the time that it is told to, so that many attempts fit. */
export const HURRIED = {
  ...clientSystem,
  timers: {
    ...clientSystem.timers,
    sleep: (ms: number, signal?: AbortSignal) => clientSystem.timers.sleep(ms / 50, signal),
  },
};
