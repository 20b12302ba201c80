import { expect } from 'chai';
import { createActor, setup } from 'xstate';
import { inspectTransitions } from '#services/inspect-transitions';

const machine = setup({
  types: { events: {} as { type: 'door.opened' } | { type: 'door.shut' } | { type: 'bell.rung' } },
}).createMachine({
  id: 'door',
  initial: 'SHUT',
  states: {
    SHUT: { on: { 'door.opened': 'OPEN' } },
    OPEN: {
      on: { 'door.shut': 'SHUT' },
      initial: 'WIDE',
      states: { WIDE: {} },
    },
  },
});

describe('transitions in the log', () => {
  const logOf = (isDebugOn: boolean) => {
    const lines: object[] = [];
    const none = () => {};
    const debug = (facts: object, message: string) => lines.push({ ...facts, message });
    return { lines, log: { debug, info: none, warn: none, error: none, isLevelEnabled: () => isDebugOn } };
  };

  it('are one line each, with the ids of the actor, the state and what brought it there', () => {
    const { log, lines } = logOf(true);
    const [front, back] = ['front', 'back'].map((door) =>
      createActor(machine, { id: door, ...inspectTransitions(log, { door }) }).start(),
    );
    for (const type of ['door.opened', 'bell.rung', 'door.shut'] as const) front?.send({ type });
    back?.send({ type: 'door.opened' });
    const message = 'state changed';
    expect(lines).to.deep.equal([
      { door: 'front', state: 'SHUT', event: 'xstate.init', message },
      { door: 'back', state: 'SHUT', event: 'xstate.init', message },
      { door: 'front', state: 'OPEN.WIDE', event: 'door.opened', message },
      { door: 'front', state: 'SHUT', event: 'door.shut', message },
      { door: 'back', state: 'OPEN.WIDE', event: 'door.opened', message },
    ]);
  });

  it('are not looked at while debug is off, or when the log does not report its level', () => {
    const { log } = logOf(false);
    const { isLevelEnabled: _, ...mute } = log;
    for (const quiet of [log, mute]) expect(inspectTransitions(quiet, { door: 'front' })).to.deep.equal({});
  });
});
