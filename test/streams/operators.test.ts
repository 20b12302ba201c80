import { expect } from 'chai';
import { defer } from 'rxjs';
import { type Collector, collect, completionOf, conflate, resubscribe } from '#streams/operators';
import { inVirtualTime, testScheduler } from '#test/support/virtual-time';

const sets = { a: ['x'], b: ['y'], c: ['x', 'y'], n: [] as string[] };

describe('conflate', () => {
  it('emits each item once a period, however often it came', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      const source = hot('  aabab 15ms a|', sets);
      const expected = '    10ms c 10ms (a|)';
      expectObservable(source.pipe(conflate<string>(10, test))).toBe(expected, sets);
    }));

  it('starts no timer for nothing', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      expectObservable(hot('n 50ms n', sets).pipe(conflate<string>(10, test))).toBe('');
    }));

  it('passes an error on', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      expectObservable(hot('a#', sets).pipe(conflate<string>(10, test))).toBe('-#');
    }));

  it('forgets what it has emitted, and begins anew for each subscriber', () =>
    inVirtualTime(({ cold, expectObservable, expectSubscriptions }, test) => {
      const source = cold('a 12ms b', sets);
      const conflated = source.pipe(conflate<string>(10, test));
      expectObservable(conflated, '40ms !').toBe('10ms a 12ms b', sets);
      expectObservable(conflated, '5ms ^ 40ms !').toBe('15ms a 12ms b', sets);
      expectSubscriptions(source.subscriptions).toBe(['^ 39ms !', '5ms ^ 40ms !']);
    }));
});

describe('collect', () => {
  /** Adds numbers up; there is nothing to give while the sum is 0. */
  class Sum implements Collector<number, number> {
    #sum = 0;
    add(n: number): void {
      this.#sum += n;
    }
    take(): number | null {
      const sum = this.#sum;
      this.#sum = 0;
      return sum === 0 ? null : sum;
    }
  }
  const numbers = { 0: 0, 1: 1, 2: 2, 3: 3, 6: 6 };

  it('gives what was collected at the end of the period that the first item began', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      const source = hot('  1-2-3 8ms  1', numbers);
      const expected = '    10ms 6 12ms 1';
      expectObservable(source.pipe(collect(10, () => new Sum(), test)), '40ms !').toBe(expected, numbers);
    }));

  it('emits nothing for a period that gave nothing', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      expectObservable(hot('0 15ms |', numbers).pipe(collect(10, () => new Sum(), test))).toBe('16ms |');
    }));

  it('gives what is left when the source completes', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      expectObservable(hot('1-2|', numbers).pipe(collect(10, () => new Sum(), test))).toBe('---(3|)', numbers);
    }));

  it('drops what is left when it is unsubscribed', () =>
    inVirtualTime(({ hot, expectObservable }, test) => {
      expectObservable(hot('1-2', numbers).pipe(collect(10, () => new Sum(), test)), '-----!').toBe('');
    }));
});

describe('resubscribe', () => {
  const isAlive = (letter: string) => letter === 'a';

  it('waits longer after each source in a row that was not alive, and begins with short waits after one that was', () => {
    const test = testScheduler();
    const waits: number[] = [];
    test.run(({ cold, expectObservable }) => {
      const sources = ['x|', 'x|', 'x|', 'a-|', 'x|', '-'].map((marbles) => cold(marbles));
      const waitMs = (failures: number) => {
        waits.push(failures);
        return 10 * 2 ** failures;
      };
      const letters$ = defer(() => sources.shift()!).pipe(resubscribe(isAlive, waitMs, test));
      expectObservable(letters$, '200ms !').toBe('x 10ms x 20ms x 40ms a 11ms x');
    });
    expect(waits).to.deep.equal([0, 1, 2, 0, 1]);
  });

  it('waits no longer when it is unsubscribed', () =>
    inVirtualTime(({ cold, expectObservable, expectSubscriptions }, test) => {
      const source = cold('x|');
      expectObservable(source.pipe(resubscribe(isAlive, () => 10, test)), '-----!').toBe('x');
      expectSubscriptions(source.subscriptions).toBe(['^!']);
    }));

  it('passes an error on', () =>
    inVirtualTime(({ cold, expectObservable }, test) => {
      expectObservable(cold('x#').pipe(resubscribe(isAlive, () => 10, test))).toBe('x#');
    }));
});

describe('completionOf', () => {
  it('emits when the source completes, whatever it emitted before', () =>
    inVirtualTime(({ hot, expectObservable }) => {
      expectObservable(completionOf(hot('a-b-|'))).toBe('----(n|)', { n: null });
      expectObservable(completionOf(hot('a-b-'))).toBe('');
    }));
});
