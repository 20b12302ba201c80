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
 * One run of a step. Most steps never look at the signal, and it costs as much as all the rest of a
 * step.
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

/** Starts a step, and returns how it is left. `tell` hears the step's event, or `step.failed`; also after it was left. */
export function startStep<TInput, TEvent extends EventObject>(
  step: Step<TInput, TEvent>,
  input: TInput,
  tell: (event: TEvent | StepFailed) => void,
): { leave(): void } {
  const run = new StepRun();
  step(input, run).then(tell, (error: unknown) => tell({ type: 'step.failed', reason: sentenceOf(error) }));
  return run;
}

/** Which step an actor is of. */
const steps = new WeakMap<object, Step<unknown, EventObject>>();

/**
 * Returns the actor of a step: it sends the step's event to its machine, or `step.failed`. Outcomes
 * are events, and not the output of a promise, so that the machine's declared events type them and
 * their names decide where it goes.
 */
export function fromStep<TInput, TEvent extends EventObject>(
  step: Step<TInput, TEvent>,
): CallbackActorLogic<EventObject, TInput> {
  const actor = fromCallback<EventObject, TInput>(({ input, sendBack }) => {
    const run = startStep(step, input, sendBack);
    return () => run.leave();
  });
  // What it is given comes from the same definition, which types both.
  steps.set(actor, step as Step<unknown, EventObject>);
  return actor;
}

/** Returns the step that an actor is of, or undefined. */
export function stepOf(actor: object): Step<unknown, EventObject> | undefined {
  return steps.get(actor);
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
