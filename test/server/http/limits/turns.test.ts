import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { BEGUN_PER_TURN, MORE_PER_TURN_MS, TURN_LATE_MS } from '#http/limits/limits';
import { Turns } from '#http/limits/turns';
import { ManualClock } from '#test/support/manual-clock';

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);
const never = () => false;

describe('requests that came at once', () => {
  let ran: number[];
  let turns: Turns<number>;

  beforeEach(() => {
    ran = [];
    turns = new Turns({ stopwatch: new ManualClock(), run: (item) => ran.push(item), runMore: never });
  });

  async function begunPerTurn(count: number): Promise<number[]> {
    const seen: number[] = [];
    for (let n = 0; n < count; n++) {
      const before = ran.length;
      await turn();
      seen.push(ran.length - before);
    }
    return seen;
  }

  it('begin in groups, one in each turn of the event loop, in their order', async () => {
    const count = 2 * BEGUN_PER_TURN + 1;
    for (const item of numbered(count)) turns.begin(item);
    expect(await begunPerTurn(4)).to.deep.equal([BEGUN_PER_TURN, BEGUN_PER_TURN, 1, 0]);
    expect(ran).to.deep.equal(numbered(count));
  });

  it('stay in their order with those that come meanwhile', async () => {
    const first = numbered(BEGUN_PER_TURN + 1);
    for (const item of first) turns.begin(item);
    await turn();
    const later = numbered(BEGUN_PER_TURN, first.length);
    for (const item of later) turns.begin(item);
    await turn();
    await turn();
    expect(ran).to.deep.equal([...first, ...later]);
  });

  it('may bring further ones, which begin later', async () => {
    const run = (item: number) => {
      ran.push(item);
      if (item < 3) turns.begin(item + 1);
    };
    turns = new Turns({ stopwatch: new ManualClock(), run, runMore: never });
    turns.begin(0);
    expect(ran).to.deep.equal([]);
    for (let n = 0; n < 4; n++) await turn();
    expect(ran).to.deep.equal([0, 1, 2, 3]);
  });

  it('are not held any more once they have begun, also while there is always more to begin', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const objects = new Turns<object>({ stopwatch: new ManualClock(), run: () => {}, runMore: never });
    const begin = () => {
      const item = {};
      objects.begin(item);
      return new WeakRef(item);
    };
    const first = begin();
    for (let n = 0; n < 5; n++) {
      for (let more = 0; more < 2 * BEGUN_PER_TURN; more++) begin();
      await turn();
    }
    gc();
    expect(first.deref()).to.equal(undefined);
  });
});

describe('requests that wait', () => {
  const EACH_MS = 1;
  let clock: ManualClock;
  let waiting: number;
  let late: boolean[];
  let turns: Turns<number>;

  beforeEach(() => {
    clock = new ManualClock();
    waiting = 100;
    late = [];
    const runMore = (isLate: boolean) => {
      late.push(isLate);
      if (waiting === 0) return false;
      waiting--;
      clock.advance(EACH_MS);
      return true;
    };
    turns = new Turns({ stopwatch: clock, run: () => {}, runMore });
  });

  async function begun(): Promise<number> {
    const before = waiting;
    await turn();
    return before - waiting;
  }

  it('begin for as long as a turn has time for them, in each turn until none waits', async () => {
    turns.come();
    const perTurn = 1 + MORE_PER_TURN_MS / EACH_MS;
    expect([await begun(), await begun()]).to.deep.equal([perTurn, perTurn]);
    for (let n = 0; n < 100 / perTurn; n++) await turn();
    expect(waiting).to.equal(0);
    waiting = 1;
    expect(await begun()).to.equal(0);
    turns.come();
    expect(await begun()).to.equal(1);
  });

  it('are told whether there was too much work since the turn was asked for, reading and refusing others apart', async () => {
    const lateAfter = async (workMs: number, refusedMs: number) => {
      waiting = 1;
      turns.come();
      clock.advance(workMs);
      turns.refused(refusedMs);
      await turn();
      return late.splice(0);
    };
    expect(await lateAfter(TURN_LATE_MS, 0)).to.deep.equal([false, false]);
    expect(await lateAfter(TURN_LATE_MS + 1, 0)).to.deep.equal([true, true]);
    expect(await lateAfter(TURN_LATE_MS + 8, 4)).to.deep.equal([false, false]);
    expect(await lateAfter(TURN_LATE_MS + 9, 4)).to.deep.equal([true, true]);
    expect(await lateAfter(TURN_LATE_MS, 0)).to.deep.equal([false, false]);
  });

  it('begin for as long as others were refused meanwhile, once', async () => {
    turns.refused(7);
    turns.refused(8);
    turns.come();
    expect(await begun()).to.equal(1 + 15 / EACH_MS);
    expect(await begun()).to.equal(1 + MORE_PER_TURN_MS / EACH_MS);
    while (waiting > 0) await turn();
  });
});
