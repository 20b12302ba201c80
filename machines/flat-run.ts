import type { AnyStateMachine, ContextFrom, EventFromLogic, EventObject, InputFrom, OutputFrom } from 'xstate';
import type { FlatMachine, Place, Way } from './flat-machine.js';
import { startStep } from './step.js';

/** What a run tells of itself. */
export interface FlatRunHeard<TMachine extends AnyStateMachine> {
  /** Something came, and all that follows from it has happened; `output` is there when that was the end. */
  changed(context: ContextFrom<TMachine>, output: OutputFrom<TMachine> | undefined): void;
  /** It broke, by a fault of the program, and hears nothing any more. */
  broke(error: unknown): void;
  /** Which state it has come to, and by which event. */
  readonly arrived?: ((state: string, eventType: string) => void) | undefined;
}

const INIT = { type: 'xstate.init' } as const;

/**
 * One walk through a compiled machine, as an actor of XState would take it: one event after the other,
 * each with all that follows from it, and the step of a state as long as it is there.
 */
export class FlatRun<TMachine extends AnyStateMachine> {
  readonly #machine: FlatMachine<TMachine>;
  readonly #heard: FlatRunHeard<TMachine>;
  /** null: the start. */
  readonly #waiting: (EventObject | null)[] = [];
  #isBusy = false;
  #isOver = false;
  #context: ContextFrom<TMachine>;
  #place: Place<ContextFrom<TMachine>>;
  #step: { leave(): void } | null = null;

  constructor(machine: FlatMachine<TMachine>, input: InputFrom<TMachine>, heard: FlatRunHeard<TMachine>) {
    this.#machine = machine;
    this.#heard = heard;
    this.#context = machine.contextOf(input);
    this.#place = machine.initial;
  }

  get context(): ContextFrom<TMachine> {
    return this.#context;
  }

  start(): void {
    this.#hear(null);
  }

  /** Events that the state does not know change nothing, and those after the end are not heard. */
  send(event: EventFromLogic<TMachine>): void {
    this.#hear(event);
  }

  stop(): void {
    this.#isOver = true;
    this.#leave();
  }

  /** What comes while something happens waits for the end of that. */
  #hear(event: EventObject | null): void {
    this.#waiting.push(event);
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#waiting.length > 0 && !this.#isOver) {
      const next = this.#waiting.shift()!;
      try {
        if (next === null) this.#begin();
        else this.#take(next);
      } catch (error) {
        this.stop();
        this.#heard.broke(error);
      }
    }
    this.#isBusy = false;
  }

  #begin(): void {
    this.#assign(this.#place.entry, INIT);
    this.#follow(INIT);
    this.#arrive(INIT);
  }

  #take(event: EventObject): void {
    const way = this.#choose(this.#place.ways.get(event.type) ?? [], event);
    const isMoved = way !== null && this.#go(way, event);
    const isLedOn = this.#follow(event);
    if (isMoved || isLedOn) this.#arrive(event);
    else this.#heard.changed(this.#context, undefined);
  }

  /** Takes the ways that need no event. Returns whether there was one. */
  #follow(event: EventObject): boolean {
    let isLedOn = false;
    for (;;) {
      const way = this.#choose(this.#place.always, event);
      if (way === null) return isLedOn;
      isLedOn = this.#go(way, event);
    }
  }

  #choose(ways: readonly Way<ContextFrom<TMachine>>[], event: EventObject): Way<ContextFrom<TMachine>> | null {
    for (const way of ways) {
      if (way.holds === null || way.holds({ context: this.#context, event })) return way;
    }
    return null;
  }

  /** Returns whether it led to a state, which may be the same, entered anew. */
  #go({ assign, target }: Way<ContextFrom<TMachine>>, event: EventObject): boolean {
    this.#assign(assign, event);
    if (target === null) return false;
    this.#place = this.#machine.place(target);
    this.#assign(this.#place.entry, event);
    return true;
  }

  #assign(assignments: Place<ContextFrom<TMachine>>['entry'], event: EventObject): void {
    for (const assignment of assignments) {
      this.#context = Object.assign({}, this.#context, assignment({ context: this.#context, event }));
    }
  }

  /** The step of the state before is left, and that of this one begins. */
  #arrive(event: EventObject): void {
    const { name, work, output } = this.#place;
    const told = { context: this.#context, event };
    const input = work?.input(told);
    const ended = output === null ? undefined : this.#machine.outputOf(this.#context, output(told));
    this.#leave();
    this.#isOver = output !== null;
    this.#heard.arrived?.(name, event.type);
    if (work !== null && !this.#isOver) {
      const step = startStep(work.step, input, (outcome) => {
        if (this.#step === step) this.#hear(outcome);
      });
      this.#step = step;
      // Who is told of it may have stopped the run meanwhile.
      if (this.#isOver) this.#leave();
    }
    if (!this.#isOver || output !== null) this.#heard.changed(this.#context, ended);
  }

  #leave(): void {
    this.#step?.leave();
    this.#step = null;
  }
}
