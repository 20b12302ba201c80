import { type AnyStateMachine, createActor, type EventObject, getNextTransitions } from 'xstate';

/**
 * A guard-only machine as a plain function: the states of all guards that hold, in the machine's
 * order.
 */
export type Classifier<TEvent extends EventObject, TState extends string> = (
  event: TEvent,
) => readonly Classified<TState>[];

/** A state and the tag that says what it means. */
interface Classified<TState extends string> {
  readonly state: TState;
  readonly tag: string;
}

interface Rule<TEvent, TState extends string> extends Classified<TState> {
  readonly holds: ((args: { event: TEvent }) => boolean) | null;
}

/**
 * Compiles a machine that only decides: one event, an ordered list of named guards, one final
 * tagged state for each, and an unguarded one last. The function answers with the states of every
 * guard that holds, or with the last state alone if none does; its first element is where the
 * interpreted machine goes. Anything it does not understand (actions, invokes, unnamed guards, a
 * missing fall-through) is refused here, at start, and not on the request path.
 */
export function compileClassifier<TEvent extends EventObject, TState extends string>(
  machine: AnyStateMachine,
): Classifier<TEvent, TState> {
  const rules = rulesOf<TEvent, TState>(machine);
  const otherwise = rules.pop();
  if (otherwise === undefined || otherwise.holds !== null)
    throw new Error(`${machine.id}: the last transition must have no guard`);
  const guarded = rules.map((rule) => {
    if (rule.holds === null) throw new Error(`${machine.id}: only the last transition may have no guard`);
    return { holds: rule.holds, found: { state: rule.state, tag: rule.tag } };
  });
  const none = [{ state: otherwise.state, tag: otherwise.tag }];
  return (event) => {
    const args = { event };
    const found = [];
    for (const rule of guarded) if (rule.holds(args)) found.push(rule.found);
    return found.length === 0 ? none : found;
  };
}

function rulesOf<TEvent, TState extends string>(machine: AnyStateMachine): Rule<TEvent, TState>[] {
  const transitions = getNextTransitions(createActor(machine).getSnapshot());
  if (new Set(transitions.map((t) => t.eventType)).size !== 1)
    throw new Error(`${machine.id}: exactly one event is compiled`);
  return transitions.map(({ guard, target, actions }) => {
    const node = target?.[0];
    if (target?.length !== 1 || node === undefined) throw new Error(`${machine.id}: every transition needs one target`);
    const where = `${machine.id}.${node.key}`;
    if (node.type !== 'final' || node.tags.length !== 1) throw new Error(`${where}: must be final, with one tag`);
    if (actions.length + node.entry.length + node.invoke.length > 0)
      throw new Error(`${where}: only guards are compiled`);
    return { state: node.key as TState, tag: node.tags[0]!, holds: guardOf(machine, guard, where) };
  });
}

function guardOf<TEvent>(machine: AnyStateMachine, guard: unknown, where: string): Rule<TEvent, never>['holds'] {
  if (guard === undefined) return null;
  const named = typeof guard === 'string' ? machine.implementations.guards[guard] : undefined;
  if (typeof named !== 'function') throw new Error(`${where}: its guard must be named in setup()`);
  return named as unknown as Rule<TEvent, never>['holds'];
}
