import { setImmediate } from 'node:timers/promises';

/** Lets everything else have its turn: verdicts of orders want the event loop. */
export const turn = (): Promise<void> => setImmediate();

/** Runs steps of work, with a turn for everything else between them. */
export async function inTurns<Found>(steps: Generator<void, Found>, signal?: AbortSignal): Promise<Found> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
    signal?.throwIfAborted();
  }
}
