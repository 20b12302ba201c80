import type { AnyStateMachine, ContextFrom, EventObject, InputFrom, OutputFrom } from 'xstate';
import { type Step, stepOf } from './step.js';

/** What guards, assignments, inputs and outputs are told. */
interface Told<TContext> {
  readonly context: TContext;
  readonly event: EventObject;
}

type Asked<TContext, T> = (told: Told<TContext>) => T;

/** A transition: taken if its guard holds. Without a target the state stays. */
export interface Way<TContext> {
  readonly holds: Asked<TContext, boolean> | null;
  readonly assign: readonly Asked<TContext, Partial<TContext>>[];
  readonly target: string | null;
}

/** A state, with what may happen in it. */
export interface Place<TContext> {
  readonly name: string;
  readonly entry: readonly Asked<TContext, Partial<TContext>>[];
  readonly ways: ReadonlyMap<string, readonly Way<TContext>[]>;
  /** Tried when the state was entered, and after whatever was heard in it. */
  readonly always: readonly Way<TContext>[];
  readonly work: { readonly step: Step<unknown, EventObject>; readonly input: Asked<TContext, unknown> } | null;
  /** null: it is no end. */
  readonly output: Asked<TContext, unknown> | null;
}

/** A machine as it is walked through (`FlatRun`). */
export interface FlatMachine<TMachine extends AnyStateMachine> {
  readonly initial: Place<ContextFrom<TMachine>>;
  /** Returns the state of that name. */
  place(name: string): Place<ContextFrom<TMachine>>;
  contextOf(input: InputFrom<TMachine>): ContextFrom<TMachine>;
  /** What the machine puts out when a final state has put out this. */
  outputOf(context: ContextFrom<TMachine>, output: unknown): OutputFrom<TMachine>;
}

type Nodes = AnyStateMachine['root'];
type Transition = NonNullable<Nodes['always']>[number];
type Actions = Readonly<Nodes['entry']>;

/**
 * Compiles a flat machine: states side by side with guards and assignments by name, and one step of
 * `fromStep` in each at most. Anything else (nested or parallel states, timers, other actions) is refused
 * here, at start. An actor of XState does the same at ten times the cost, most of it objects for what
 * such a machine does not have; a property holds both equal.
 */
export function compileFlat<TMachine extends AnyStateMachine>(machine: TMachine): FlatMachine<TMachine> {
  type Context = ContextFrom<TMachine>;
  const { id, root, implementations, config } = machine;
  const refuse = (where: string, why: string): never => {
    throw new Error(`${id}.${where}: ${why}`);
  };

  function named<T>(kind: 'guards' | 'actions' | 'actors', name: unknown, where: string): T {
    const found = typeof name === 'string' ? (implementations[kind] as Record<string, unknown>)[name] : undefined;
    return (found ?? refuse(where, `its ${kind} must have names`)) as T;
  }

  /** One that is made of others has to be asked by XState. */
  function guardOf(name: unknown, where: string): Asked<Context, boolean> {
    const guard = named<Asked<Context, boolean>>('guards', name, where);
    return 'check' in guard ? refuse(where, 'its guards must be plain functions') : guard;
  }

  function assignmentsOf(actions: Actions, where: string): Asked<Context, Partial<Context>>[] {
    return actions.map((name) => {
      const { assignment } = named<{ assignment?: unknown }>('actions', name, where);
      const isAsked = Object.values(assignment ?? {}).some((value) => typeof value === 'function');
      if (assignment === undefined || isAsked) refuse(where, 'only whole assignments are compiled');
      return asked<Partial<Context>>(assignment);
    });
  }

  function waysOf(transitions: readonly Transition[], where: string): Way<Context>[] {
    return transitions.map(({ guard, target = [], actions, source }: Transition) => {
      const [to] = target;
      if (target.length > 1 || to === source || (to !== undefined && to.parent !== root)) {
        refuse(where, 'a transition leads to one other state, or to none');
      }
      const holds = guard === undefined ? null : guardOf(guard, where);
      return { holds, assign: assignmentsOf(actions, where), target: to?.key ?? null };
    });
  }

  function workOf({ invoke, always, key }: Nodes): Place<Context>['work'] {
    const [only, ...others] = invoke;
    if (only === undefined) return null;
    if (others.length > 0 || always !== undefined) refuse(key, 'a state has one step, and then waits for it');
    const step = stepOf(named('actors', only.src, key));
    if (step === undefined || only.onDone !== undefined || only.onError !== undefined) {
      throw new Error(`${id}.${key}: its actor must be a step`);
    }
    return { step, input: asked(only.input) };
  }

  function placeOf(node: Nodes): Place<Context> {
    const { key, type, transitions, entry, exit, always = [], output } = node;
    if ((type !== 'atomic' && type !== 'final') || exit.length > 0) refuse(key, 'it must be a plain state');
    const types = new Set([...transitions.keys(), ...root.transitions.keys()]);
    if ([...types].some((of) => of.includes('*'))) refuse(key, 'events have their whole names');
    const transitionsFor = (of: string) => [...(transitions.get(of) ?? []), ...(root.transitions.get(of) ?? [])];
    return {
      name: key,
      entry: assignmentsOf(entry, key),
      // What the machine does in every state comes after what the state itself does.
      ways: new Map([...types].map((of) => [of, waysOf(transitionsFor(of), key)])),
      always: always.every(({ target }) => target !== undefined) ? waysOf(always, key) : refuse(key, 'always leads on'),
      work: workOf(node),
      output: type === 'final' ? asked(output) : null,
    };
  }

  if (root.entry.length + root.exit.length + root.invoke.length > 0 || root.always !== undefined) {
    refuse('root', 'only states have steps and actions');
  }
  const isEnd = ({ type }: Nodes) => type === 'final';
  if (root.output === undefined && Object.values(root.states).some(isEnd))
    refuse('root', 'its end must have an output');
  if (root.initial.actions.length > 0) refuse('root', 'only states have actions');
  const places = new Map(Object.values(root.states).map((node) => [node.key, placeOf(node)]));
  const place = (name: string) => places.get(name) ?? refuse(name, 'there is no such state');
  const context = asked<Context>(config.context);
  const output = asked<OutputFrom<TMachine>>(root.output);
  return {
    initial: place(root.initial.target?.[0]?.key ?? ''),
    place,
    contextOf: (input) => context({ input } as never),
    outputOf: (context, of) =>
      output({ context, event: { type: `xstate.done.state.${id}`, output: of } as EventObject }),
  };
}

/** What is no function is the same whatever has happened. */
function asked<T>(value: unknown): (told: Told<never>) => T {
  if (typeof value === 'function') return value as (told: Told<never>) => T;
  return () => value as T;
}
