import type { Timers } from './timers.js';

/**
 * An endpoint that owes an answer for so long is silent: where asking twice is safe the next one is
 * asked beside it. Longer than nearly every answer takes, and short beside what a caller waits.
 */
export const HEDGE_AFTER_MS = 400;

export interface SeveralAsked<Endpoint, Answer> {
  /** In the order in which they are asked. */
  readonly endpoints: readonly Endpoint[];
  /** Never rejects. Asking twice has to be safe. */
  readonly ask: (endpoint: Endpoint) => Promise<Answer>;
  /** Whether an answer ends the question; after any other the next endpoint is asked at once. */
  readonly isLast: (answer: Answer) => boolean;
  readonly timers: Timers;
  /** Bounds the sum of all tries. */
  readonly answerMaxMs: number;
}

/**
 * Asks endpoints in turn: the next one when one has no answer that ends the question, or none for
 * `HEDGE_AFTER_MS`. Resolves with what was said, the last word at the end: by the first answer that
 * ends the question, when all have answered, or when the time is up. Never rejects.
 */
export function askSeveral<Endpoint, Answer>(asked: SeveralAsked<Endpoint, Answer>): Promise<readonly Answer[]> {
  const { endpoints, ask, isLast, timers, answerMaxMs } = asked;
  const said: Answer[] = [];
  if (endpoints.length === 0) return Promise.resolve(said);
  return new Promise((resolve) => {
    let next = 0;
    let isOver = false;
    let cancelHedge = () => {};
    const cancelEnd = timers.after(answerMaxMs, end);

    function end(): void {
      isOver = true;
      cancelHedge();
      cancelEnd();
      resolve(said);
    }

    function hear(answer: Answer): void {
      if (isOver) return;
      said.push(answer);
      if (isLast(answer) || said.length === endpoints.length) end();
      else askNext();
    }

    function askNext(): void {
      cancelHedge();
      if (next === endpoints.length) return;
      const endpoint = endpoints[next++]!;
      if (next < endpoints.length) cancelHedge = timers.after(HEDGE_AFTER_MS, askNext);
      void ask(endpoint).then(hear);
    }

    askNext();
  });
}
