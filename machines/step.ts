import { type CallbackActorLogic, type EventObject, fromCallback } from 'xstate';

/**
 * A step ended in a way that its machine did not plan; `reason` is the sentence of what was thrown.
 */
export interface StepFailed {
  readonly type: 'step.failed';
  readonly reason: string;
}

/**
 * What a machine has done for it: resolves with the event that states what came of it, or rejects.
 * It may run twice. The signal is aborted when the machine has left the state that invoked it, or
 * was stopped; nothing that comes later is heard.
 */
export type Step<TInput, TEvent extends EventObject> = (
  input: TInput,
  run: { readonly signal: AbortSignal },
) => Promise<TEvent>;

/**
 * One run of a step. Its signal is made when it is looked at, which most steps never do: to abort
 * one takes some 30 µs, and a payment has six steps.
 */
class StepRun {
  #controller: AbortController | null = null;
  #isLeft = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isLeft) this.#controller.abort();
    return this.#controller.signal;
  }

  leave(): void {
    this.#isLeft = true;
    this.#controller?.abort();
  }
}

/**
 * Returns the actor of a step: it sends the step's event to its machine, or `step.failed`. Outcomes
 * are events, and not the output of a promise, so that the machine's declared events type them and
 * their names decide where it goes.
 */
export function fromStep<TInput, TEvent extends EventObject>(
  step: Step<TInput, TEvent>,
): CallbackActorLogic<EventObject, TInput> {
  return fromCallback(({ input, sendBack }) => {
    const run = new StepRun();
    step(input, run).then(sendBack, (error: unknown) => sendBack({ type: 'step.failed', reason: sentenceOf(error) }));
    return () => run.leave();
  });
}

/**
 * Returns the place of a step in setup(); an actor whose machine was not provided with the step
 * itself ends with an error.
 */
export function stepWith<TInput>(): CallbackActorLogic<EventObject, TInput> {
  return fromStep<TInput, never>(() => {
    throw new Error('the machine was not provided with this step');
  });
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
