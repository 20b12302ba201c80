import type { InspectionEvent, StateValue } from 'xstate';
import type { Log } from '#ports/log';

/** Options of `createActor`, to be spread into its others. */
type Inspection = { readonly inspect: (inspected: InspectionEvent) => void } | Record<string, never>;

/**
 * Returns the options of a root actor whose transitions are written to the log at `debug`: one line
 * with the subject (the ids by which the log knows the actor), the state it has come to, and the
 * event that brought it there. They are empty while `debug` is not written: an actor without an
 * inspector pays nothing for it.
 */
export function inspectTransitions(log: Log, subject: Readonly<Record<string, string | null>>): Inspection {
  if (log.isLevelEnabled?.('debug') !== true) return {};
  let last: string | null = null;
  return {
    inspect(inspected) {
      if (inspected.type !== '@xstate.snapshot' || inspected.actorRef.sessionId !== inspected.rootId) return;
      if (!('value' in inspected.snapshot)) return;
      const state = nameOf(inspected.snapshot.value as StateValue);
      if (state === last) return;
      last = state;
      log.debug({ ...subject, state, event: inspected.event.type }, 'state changed');
    },
  };
}

/** Returns the state as one word, nested states joined by dots. */
function nameOf(value: StateValue): string {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([parent, child]) => (child === undefined ? parent : `${parent}.${nameOf(child)}`))
    .join(' ');
}
