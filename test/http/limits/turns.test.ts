import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { BEGUN_PER_TURN_MAX } from '#http/limits/limits';
import { Turns } from '#http/limits/turns';

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

describe('requests that came at once', () => {
  let ran: number[];
  let turns: Turns<number>;

  beforeEach(() => {
    ran = [];
    turns = new Turns((item) => ran.push(item));
  });

  it('begin in groups, one in each turn of the event loop, in their order', async () => {
    const count = 2 * BEGUN_PER_TURN_MAX + 1;
    for (const item of numbered(count)) turns.begin(item);
    const seen: number[] = [];
    for (let n = 0; n < 4; n++) {
      await turn();
      seen.push(ran.length);
    }
    expect(seen).to.deep.equal([BEGUN_PER_TURN_MAX, 2 * BEGUN_PER_TURN_MAX, count, count]);
    expect(ran).to.deep.equal(numbered(count));
  });

  it('stay in their order with those that come meanwhile', async () => {
    const first = numbered(BEGUN_PER_TURN_MAX + 1);
    for (const item of first) turns.begin(item);
    await turn();
    const later = numbered(BEGUN_PER_TURN_MAX, first.length);
    for (const item of later) turns.begin(item);
    await turn();
    await turn();
    expect(ran).to.deep.equal([...first, ...later]);
  });

  it('may bring further ones, which begin later', async () => {
    turns = new Turns((item) => {
      ran.push(item);
      if (item < 3) turns.begin(item + 1);
    });
    turns.begin(0);
    expect(ran).to.deep.equal([]);
    for (let n = 0; n < 4; n++) await turn();
    expect(ran).to.deep.equal([0, 1, 2, 3]);
  });

  it('are not held any more once they have begun, also while there is always more to begin', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const objects = new Turns<object>(() => {});
    const begin = () => {
      const item = {};
      objects.begin(item);
      return new WeakRef(item);
    };
    const first = begin();
    for (let n = 0; n < 5; n++) {
      for (let more = 0; more < 2 * BEGUN_PER_TURN_MAX; more++) begin();
      await turn();
    }
    gc();
    expect(first.deref()).to.equal(undefined);
  });
});
