import { expect } from 'chai';
import fc from 'fast-check';
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

  it('drops the newcomer where others have as much', () => {
    const queue = queueOf('a1p', 'b1p', 'c1p', 'b2p', 'a2p');
    expect(queue.dropOfLongest()).to.equal('a2p');
    expect(queue.dropOfLongest()).to.equal('b2p');
  });

  it('does what a list would that is looked through each time', () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant('push' as const), address: fc.nat(3), token: fc.nat(2) }),
      fc.record({ does: fc.constantFrom('take', 'drop', 'remove') }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new FairQueue<string>();
        const list: { readonly address: string; readonly token: string; readonly item: string }[] = [];
        // Whose turn it is first; within an address, that of its tokens.
        let addresses: readonly string[] = [];
        let tokens: readonly string[] = [];
        const most = <T>(of: (one: T) => string, all: readonly T[]) => {
          const counts = new Map<string, number>();
          for (const one of all) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
          return Math.max(0, ...counts.values());
        };
        const forget = (item: string | undefined) =>
          list.splice(
            list.findIndex((one) => one.item === item),
            1,
          )[0]!;
        for (const [n, one] of steps.entries()) {
          if (one.does === 'push') {
            const [address, token, item] = [`a${one.address}`, `t${one.token}`, `${n}`];
            queue.push(address, token, item);
            list.push({ address, token, item });
            addresses = [...new Set([...addresses, address])];
            tokens = [...new Set([...tokens, `${address} ${token}`])];
          } else if (one.does === 'remove') {
            queue.remove((item) => Number(item) % 5 === 0);
            for (const { item } of [...list]) if (Number(item) % 5 === 0) forget(item);
          } else if (list.length > 0) {
            const before = [...list];
            const { address, token, item } = forget(one.does === 'take' ? queue.take() : queue.dropOfLongest());
            const ofAddress = before.filter((other) => other.address === address);
            const ofToken = ofAddress.filter((other) => other.token === token);
            expect(item).to.equal(ofToken.at(one.does === 'take' ? 0 : -1)!.item);
            if (one.does === 'take') {
              expect(address).to.equal(addresses[0]);
              expect(token).to.equal(tokens.find((other) => other.startsWith(address))!.split(' ')[1]);
              addresses = [...addresses.filter((other) => other !== address), address];
              tokens = [...tokens.filter((other) => other !== `${address} ${token}`), `${address} ${token}`];
            } else {
              expect(ofAddress).to.have.length(most((other) => other.address, before));
              expect(ofToken).to.have.length(most((other) => other.token, ofAddress));
            }
          }
          expect(queue.size).to.equal(list.length);
          addresses = addresses.filter((address) => list.some((other) => other.address === address));
          tokens = tokens.filter((name) => list.some(({ address, token }) => name === `${address} ${token}`));
        }
        expect(drain(queue)).to.have.members(list.map(({ item }) => item));
        expect([queue.take(), queue.dropOfLongest()]).to.deep.equal([undefined, undefined]);
      }),
    );
  });

  it('forgets what is gone', () => {
    const queue = queueOf('a1p', 'a1q', 'b1p');
    queue.remove((word) => word.endsWith('p'));
    expect([queue.oldestOf('a', '1'), queue.oldestOf('b', '1'), queue.size]).to.deep.equal(['a1q', undefined, 1]);
    expect(drain(queue)).to.deep.equal(['a1q']);
  });
});
