import { setImmediate as soon } from 'node:timers/promises';
import { expect } from 'chai';
import { boundedRoom } from '#services/status/room';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { rejectionOf } from '#test/support/promises';

describe('the room that a disk is asked for', () => {
  it('is what it says, asked anew each time', async () => {
    let bytes = 1;
    const clock = new ManualClock();
    const room = boundedRoom({ freeBytes: async () => bytes++, timers: new ManualTimers(clock), stopwatch: clock });
    expect([await room(), await room()]).to.deep.equal([1, 2]);
  });

  it('is given up after a second, while a disk that hangs is asked once', async () => {
    const clock = new ManualClock();
    const timers = new ManualTimers(clock);
    let asked = 0;
    const freeBytes = () => {
      asked++;
      return new Promise<number>(() => undefined);
    };
    const room = boundedRoom({ freeBytes, timers, stopwatch: clock });
    const both = [room(), room()].map((one) => rejectionOf(one));
    await soon();
    timers.advance(1_000);
    for (const { message } of await Promise.all(both)) expect(message).to.match(/has not said within 1000 ms/);
    expect((await rejectionOf(room())).message, 'and nobody waits again').to.match(/within 1000 ms/);
    expect(asked).to.equal(1);
  });
});
