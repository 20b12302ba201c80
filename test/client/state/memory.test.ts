import { expect } from 'chai';
import { memoryState } from '#client/index';
import { ManualClock } from '#test/support/manual-clock';

const KEPT_MAX = 200;
const UNTIL_MS = 1_000;

describe('answers that a page keeps', () => {
  it('are given until their time, and not at it', async () => {
    const { kept } = memoryState(new ManualClock());
    await kept.keep('leaderboard', 'body', UNTIL_MS);
    expect(await kept.find('leaderboard', UNTIL_MS - 1)).to.equal('body');
    expect(await kept.find('leaderboard', UNTIL_MS)).to.equal(null);
    expect(await kept.find('red_list', 0)).to.equal(null);
  });

  it('are bounded: beyond, the one that was kept longest ago goes', async () => {
    const { kept } = memoryState(new ManualClock());
    for (let n = 0; n < KEPT_MAX; n++) await kept.keep(`${n}`, `body ${n}`, UNTIL_MS);
    await kept.keep('0', 'kept again', UNTIL_MS);
    await kept.keep('one more', 'body', UNTIL_MS);
    const found = await Promise.all(['0', '1', '2', 'one more'].map((request) => kept.find(request, 0)));
    expect(found).to.deep.equal(['kept again', null, 'body 2', 'body']);
  });
});
