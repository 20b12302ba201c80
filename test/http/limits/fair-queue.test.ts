import { expect } from 'chai';
import { FairQueue } from '#http/limits/fair-queue';

/** A queue of words like "a1x": address, token, and what comes. */
function queueOf(...words: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const word of words) queue.push(word[0]!, word[1]!, word);
  return queue;
}

const drain = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take());

describe('a fair queue', () => {
  it('serves addresses in turn, and within one its tokens in turn', () => {
    const queue = queueOf('a1p', 'a1q', 'a1r', 'a2p', 'a2q', 'b1p', 'c1p');
    expect(drain(queue)).to.deep.equal(['a1p', 'b1p', 'c1p', 'a2p', 'a1q', 'a2q', 'a1r']);
    expect([queue.size, queue.take()]).to.deep.equal([0, undefined]);
  });

  it('gives an address no larger share for more tokens', () => {
    const queue = queueOf('a1p', 'a2p', 'a3p', 'a4p', 'b1p', 'b1q');
    expect(drain(queue).slice(0, 4)).to.deep.equal(['a1p', 'b1p', 'a2p', 'b1q']);
  });

  it('drops the newest one of the token that has most, of the address that has most', () => {
    const queue = queueOf('a1p', 'a1q', 'a2p', 'a2q', 'a2r', 'b1p', 'b1q');
    expect([queue.dropOfLongest(), queue.dropOfLongest()]).to.deep.equal(['a2r', 'a2q']);
    expect(drain(queue)).to.have.members(['a1p', 'a1q', 'a2p', 'b1p', 'b1q']);
    expect(queue.dropOfLongest()).to.equal(undefined);
  });

  it('forgets what is gone', () => {
    const queue = queueOf('a1p', 'a1q', 'b1p');
    queue.remove((word) => word.endsWith('p'));
    expect([queue.oldestOf('a', '1'), queue.oldestOf('b', '1'), queue.size]).to.deep.equal(['a1q', undefined, 1]);
    expect(drain(queue)).to.deep.equal(['a1q']);
  });
});
