import { expect } from 'chai';
import { inOrder, type Part } from '#compose/parts';

describe('parts that run as one', () => {
  let events: string[];

  beforeEach(() => {
    events = [];
  });

  /** A part that notes what it does a turn later, and fails at what it is told to fail at. */
  function part(name: string, ...failing: readonly ('start' | 'stop')[]): Part {
    const act = (what: 'start' | 'stop') => async () => {
      await new Promise(setImmediate);
      events.push(`${what} ${name}`);
      if (failing.includes(what)) throw new Error(`${name} does not ${what}`);
    };
    return { start: act('start'), stop: act('stop') };
  }

  it('start one after the other and stop backwards', async () => {
    const parts = inOrder([part('store'), { start: () => events.push('start watch') }, part('server')]);
    await parts.start();
    expect(events.splice(0)).to.deep.equal(['start store', 'start watch', 'start server']);
    await parts.stop();
    expect(events).to.deep.equal(['stop server', 'stop store']);
  });

  it('stop what was started, if one does not start, and pass its error on', async () => {
    const parts = inOrder([part('store', 'stop'), part('lease'), part('server', 'start'), part('last')]);
    const error = await parts.start().catch(({ message }: Error) => message);
    expect(error).to.equal('server does not start');
    expect(events).to.deep.equal(['start store', 'start lease', 'start server', 'stop lease', 'stop store']);
  });

  it('are all stopped, though some fail at it, and pass the first error on', async () => {
    const parts = inOrder([part('store', 'stop'), part('lease'), part('server', 'stop')]);
    const error = await parts.stop().catch(({ message }: Error) => message);
    expect(error).to.equal('server does not stop');
    expect(events).to.deep.equal(['stop server', 'stop lease', 'stop store']);
  });

  it('run as a part of others', async () => {
    const inner = inOrder([part('store'), part('lease', 'start')]);
    await inOrder([part('first'), inner])
      .start()
      .catch(() => undefined);
    expect(events).to.deep.equal(['start first', 'start store', 'start lease', 'stop store', 'stop first']);
  });
});
