import { type Profiler, Session } from 'node:inspector';
import { mainThreadMicros } from './cpu-taken.js';
import { partsOf } from './profile-parts.js';

const SAMPLE_EVERY_MICROS = 200;

/** What a profiled stretch of work took of the main thread. */
export interface Profiled {
  /** CPU of the main thread; null if the system does not tell. */
  readonly mainMicros: number | null;
  /** By part, in time on the clock. */
  readonly parts: readonly (readonly [string, number])[];
}

/** Returns what a child answers to begin a profile of itself, and to end it. */
export function profiling() {
  const session = new Session();
  session.connect();
  const post = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve, reject) =>
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result as T))),
    );
  let before: number | null = null;
  return {
    async profile() {
      await post('Profiler.enable');
      await post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROS });
      await post('Profiler.start');
      before = mainThreadMicros();
    },
    async profiled(): Promise<Profiled> {
      const after = mainThreadMicros();
      const { profile } = await post<{ profile: Profiler.Profile }>('Profiler.stop');
      await post('Profiler.disable');
      return { mainMicros: before === null || after === null ? null : after - before, parts: [...partsOf(profile)] };
    },
  };
}
