import { expect } from 'chai';
import { PointsOut, WAITING_MAX } from '#services/payments/points-out';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const NAME = 'key 192.0.2.1';
const TURN_MS = 2_000;

describe('points that are out', () => {
  it('let a bounded number of one name wait, each until there is room or its time is over', async () => {
    const timers = new ManualTimers(new ManualClock());
    const points = new PointsOut();
    const giveBack = [points.take(NAME), points.take(NAME)];
    let gone = 0;
    const waiting = Array.from({ length: WAITING_MAX }, async () => {
      expect(await points.turn(NAME, { timers, ms: TURN_MS })).to.equal(true);
      gone++;
    });
    expect(await points.turn(NAME, { timers, ms: TURN_MS }), 'one more').to.equal(false);
    expect(await points.turn('key 192.0.2.2', { timers, ms: TURN_MS }), 'another name').to.equal(true);
    giveBack[0]!();
    giveBack[0]!();
    await new Promise(setImmediate);
    expect([gone, points.of(NAME)], 'given back once').to.deep.equal([1, 1]);
    timers.advance(TURN_MS);
    await Promise.all(waiting);
    giveBack[1]!();
    expect(points.of(NAME)).to.equal(0);
  });
});
