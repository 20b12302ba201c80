import { clientSystem } from '#client/system';

/** A system that waits so many times shorter than it is told to. */
export const hurried = (times: number) => ({
  ...clientSystem,
  timers: {
    ...clientSystem.timers,
    sleep: (ms: number, signal?: AbortSignal) => clientSystem.timers.sleep(ms / times, signal),
  },
});
