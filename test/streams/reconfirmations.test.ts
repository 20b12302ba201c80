import { expect } from 'chai';
import type { Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import type { TokenId } from '#domain/ids';
import { reconfirmations$ } from '#streams/reconfirmations';
import { deferred } from '#test/support/promises';
import { testScheduler } from '#test/support/virtual-time';

const ONE = ['1' as TokenId];

/** Looks every 10 ms, has each round take what `round` shows, and says when rounds began. */
function roundsOf(round: (helpers: RunHelpers) => Observable<unknown>, expected: string, wanted = () => ONE): number[] {
  const test = testScheduler();
  const beganAtMs: number[] = [];
  test.run((helpers) => {
    const reconfirm = () => {
      beganAtMs.push(test.now());
      return round(helpers);
    };
    const rounds$ = reconfirmations$(wanted, reconfirm, 10, test);
    helpers.expectObservable(rounds$, '55ms !').toBe(expected, { r: ONE });
  });
  return beganAtMs;
}

describe('reconfirmations$', () => {
  it('asks one round at a time: a slow venue slows the rounds down and never piles them up', () => {
    expect(roundsOf(({ cold }) => cold('25ms |'), '35ms r')).to.deep.equal([10, 40]);
    expect(roundsOf(({ cold }) => cold('-'), '')).to.deep.equal([10]);
  });

  it('asks in every period while rounds are quick', () => {
    const expected = '10ms r 9ms r 9ms r 9ms r 9ms r';
    expect(roundsOf(({ cold }) => cold('(x|)'), expected)).to.deep.equal([10, 20, 30, 40, 50]);
  });

  it('asks nothing while every book is fresh', () => {
    expect(
      roundsOf(
        ({ cold }) => cold('|'),
        '',
        () => [],
      ),
    ).to.deep.equal([]);
  });

  it('waits for a promise as well', async () => {
    const rounds: (readonly TokenId[])[] = [];
    const [requested, answer] = [deferred(), deferred()];
    const reconfirm = () => {
      requested.resolve();
      return answer.promise;
    };
    const subscription = reconfirmations$(() => ONE, reconfirm, 1).subscribe((tokenIds) => {
      rounds.push(tokenIds);
      subscription.unsubscribe();
    });
    await requested.promise;
    expect(rounds).to.deep.equal([]);
    answer.resolve();
    await new Promise(setImmediate);
    expect(rounds).to.deep.equal([ONE]);
  });
});
