import { expect } from 'chai';
import type { TestScheduler } from 'rxjs/testing';
import type { TokenId } from '#domain/ids';
import { HotSet, type SubscriptionChange } from '#streams/subscriptions';
import { inVirtualTime, testScheduler } from '#test/support/virtual-time';

const [A, B, C] = ['1', '2', '3'] as [TokenId, TokenId, TokenId];

/** Runs on virtual time, where one frame of a marble diagram is one millisecond. */
function onVirtualTime(
  run: (test: TestScheduler, hot: HotSet<string>, marbles: () => string) => void,
  tokensMax = 3,
): void {
  const test = testScheduler();
  test.run(() => {
    const hot = new HotSet<string>({ tokensMax, lingerMs: 30, sweepMs: 10, scheduler: test });
    const log: string[] = [];
    hot.changes$.subscribe(({ added, removed }: SubscriptionChange) =>
      log.push(`${test.now()}:${added.map((t) => `+${t}`).join('')}${removed.map((t) => `-${t}`).join('')}`),
    );
    run(test, hot, () => log.join(' '));
    hot.stop();
  });
}

/** Does each thing at its time, then looks. */
const at = (test: TestScheduler, steps: Record<number, () => void>, untilMs: number) => {
  for (const [ms, step] of Object.entries(steps)) test.schedule(step, Number(ms));
  let ended = false;
  test.schedule(() => (ended = true), untilMs);
  test.maxFrames = untilMs;
  test.flush();
  expect(ended).to.equal(true);
};

describe('HotSet', () => {
  it('subscribes a token once however many hold it', () =>
    onVirtualTime((_, hot, marbles) => {
      hot.acquire(A);
      hot.acquire(A);
      hot.acquire(B);
      expect(marbles()).to.equal('0:+1 0:+2');
    }));

  it('lets a token linger after its last holder, and unsubscribes it then', () =>
    onVirtualTime((test, hot, marbles) => {
      const first = hot.acquire(A)!;
      const second = hot.acquire(A)!;
      at(test, { 5: first, 15: second }, 100);
      expect(marbles()).to.equal('0:+1 50:-1');
    }));

  it('keeps a token that is asked for again while it lingers', () =>
    onVirtualTime((test, hot, marbles) => {
      const first = hot.acquire(A)!;
      at(test, { 5: first, 25: () => hot.acquire(A) }, 100);
      expect(marbles()).to.equal('0:+1');
    }));

  it('keeps a token that is used for as long as after a holder', () =>
    onVirtualTime((test, hot, marbles) => {
      hot.acquire(A)!();
      at(test, { 25: () => hot.use(A) }, 100);
      expect(marbles()).to.equal('0:+1 60:-1');
    }));

  it('does not let go of a token that is used while it is held', () =>
    onVirtualTime((test, hot, marbles) => {
      const release = hot.acquire(A)!;
      at(test, { 5: () => hot.use(A), 70: release }, 150);
      expect(marbles()).to.equal('0:+1 100:-1');
    }));

  it('makes room by letting go of another token than one that was used', () =>
    onVirtualTime((_, hot, marbles) => {
      for (const token of [A, B, C]) hot.acquire(token)!();
      hot.use(A);
      hot.acquire('4' as TokenId);
      expect(marbles()).to.equal('0:+1 0:+2 0:+3 0:-2 0:+4');
    }));

  it('subscribes no token that is only used or looked at', () =>
    onVirtualTime((_, hot, marbles) => {
      hot.acquire(A);
      expect([hot.use(B), hot.peek(B), hot.keep(B, () => 'b')]).to.deep.equal([undefined, undefined, undefined]);
      expect(marbles()).to.equal('0:+1');
    }));

  it('keeps one thing with each token, for as long as it is subscribed', () =>
    onVirtualTime((_, hot) => {
      hot.acquire(A);
      hot.acquire(B);
      expect([hot.peek(A), hot.use(A)]).to.deep.equal([undefined, undefined]);
      expect(hot.keep(A, () => 'first')).to.equal('first');
      expect(hot.keep(A, () => 'second')).to.equal('first');
      expect([hot.peek(A), hot.use(A), ...hot.attached()]).to.deep.equal(['first', 'first', 'first']);
      hot.drop(A);
      hot.acquire(A);
      expect([hot.peek(A), ...hot.attached()]).to.deep.equal([undefined]);
    }));

  it('lets go of a token that is only looked at', () =>
    onVirtualTime((test, hot, marbles) => {
      hot.acquire(A)!();
      at(test, { 25: () => hot.peek(A) }, 100);
      expect(marbles()).to.equal('0:+1 30:-1');
    }));

  it('makes room by letting go of the least recently used idle token', () =>
    onVirtualTime((_, hot, marbles) => {
      for (const token of [A, B, C]) hot.acquire(token)!();
      hot.acquire(A)!();
      hot.acquire('4' as TokenId);
      expect(marbles()).to.equal('0:+1 0:+2 0:+3 0:-2 0:+4');
      expect(hot.size).to.equal(3);
    }));

  it('refuses another token while every place is held, and grows no further', () =>
    onVirtualTime((_, hot) => {
      for (const token of [A, B, C]) hot.acquire(token);
      for (let n = 10; n < 1_000; n++) expect(hot.acquire(String(n) as TokenId)).to.equal(null);
      expect(hot.size).to.equal(3);
      expect(hot.acquire(A)).to.be.a('function');
    }));

  it('counts a holder that lets go twice only once', () =>
    onVirtualTime((test, hot, marbles) => {
      const release = hot.acquire(A)!;
      const other = hot.acquire(A)!;
      at(test, { 1: release, 2: release }, 60);
      expect(marbles()).to.equal('0:+1');
      other();
    }));

  it('completes when it is stopped, and looks at its tokens no more', () =>
    inVirtualTime(({ expectObservable }, test) => {
      const hot = new HotSet<string>({ tokensMax: 3, lingerMs: 30, sweepMs: 10, scheduler: test });
      test.schedule(() => hot.acquire(A)!(), 1);
      test.schedule(() => hot.stop(), 15);
      const changes = { a: { added: [A], removed: [] } };
      expectObservable(hot.changes$).toBe('-a 13ms |', changes);
    }));

  it('sweeps once for all of its subscribers', () =>
    inVirtualTime(({ expectObservable }, test) => {
      const hot = new HotSet<string>({ tokensMax: 3, lingerMs: 30, sweepMs: 10, scheduler: test });
      test.schedule(() => hot.acquire(A)!(), 1);
      test.schedule(() => hot.stop(), 60);
      const changes = { a: { added: [A], removed: [] }, r: { added: [], removed: [A] } };
      expectObservable(hot.changes$).toBe('-a 38ms r 19ms |', changes);
      expectObservable(hot.changes$).toBe('-a 38ms r 19ms |', changes);
    }));
});
