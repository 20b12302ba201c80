import { expect } from 'chai';
import { Subject } from 'rxjs';
import type { TokenId } from '#domain/ids';
import { reconfirmations$ } from '#streams/freshness';
import { conflate } from '#streams/operators';
import { testScheduler } from '#test/support/virtual-time';

const sets = { a: ['x'], b: ['y'], c: ['x', 'y'], n: [] as string[] };

describe('conflate', () => {
  it('emits each item once a period, however often it came', () => {
    const test = testScheduler();
    test.run(({ hot, expectObservable }) => {
      const source = hot('  aabab 15ms a|', sets);
      const expected = '    10ms c 10ms (a|)';
      expectObservable(source.pipe(conflate<string>(10, test))).toBe(expected, sets);
    });
  });

  it('starts no timer for nothing', () => {
    const test = testScheduler();
    test.run(({ hot, expectObservable }) => {
      expectObservable(hot('n 50ms n', sets).pipe(conflate<string>(10, test))).toBe('');
    });
  });

  it('passes an error on', () => {
    const test = testScheduler();
    test.run(({ hot, expectObservable }) => {
      expectObservable(hot('a#', sets).pipe(conflate<string>(10, test))).toBe('-#');
    });
  });
});

describe('reconfirmations$', () => {
  it('asks one round at a time: a slow venue slows the rounds down and never piles them up', async () => {
    const rounds: number[] = [];
    const answers = new Subject<void>();
    const reconfirm = (tokens: readonly TokenId[]) => {
      rounds.push(tokens.length);
      return new Promise<void>((resolve) => answers.subscribe(() => resolve()));
    };
    const subscription = reconfirmations$(() => ['1' as TokenId], reconfirm, 2).subscribe();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(rounds).to.deep.equal([1]);
    answers.next();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(rounds).to.deep.equal([1, 1]);
    subscription.unsubscribe();
  });

  it('asks nothing while every book is fresh', async () => {
    let asked = 0;
    const reconfirm = async () => void asked++;
    const subscription = reconfirmations$(() => [], reconfirm, 2).subscribe();
    await new Promise((resolve) => setTimeout(resolve, 40));
    subscription.unsubscribe();
    expect(asked).to.equal(0);
  });
});
