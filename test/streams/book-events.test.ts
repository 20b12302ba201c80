import { map } from 'rxjs';
import { type BookState, bookEvents$ } from '#streams/book-events';
import { testScheduler } from '#test/support/virtual-time';

/** Looks at a book: what is new has a new number. */
const looks: Record<string, BookState> = {
  n: { revision: null, isStale: false, isClosed: false },
  o: { revision: null, isStale: true, isClosed: false },
  a: { revision: 1, isStale: false, isClosed: false },
  b: { revision: 2, isStale: false, isClosed: false },
  c: { revision: 3, isStale: false, isClosed: false },
  s: { revision: 3, isStale: true, isClosed: false },
  t: { revision: 4, isStale: true, isClosed: false },
  x: { revision: 4, isStale: false, isClosed: true },
};
const received = { 1: 'book 1', 2: 'book 2', 3: 'book 3', 4: 'book 4', s: 'stale', x: 'closed', p: 'ping' };

/**
 * Compares what a reader is told of these looks; `busy` names the times at which it has not taken
 * what it was sent.
 */
function expectReported(
  marbles: string,
  expected: string,
  more: { busy?: [number, number]; pingMs?: number; lastsMs?: number } = {},
) {
  const { busy: [from, to] = [0, 0], pingMs = 1_000, lastsMs = 5_000 } = more;
  const scheduler = testScheduler();
  scheduler.run(({ hot, expectObservable }) => {
    const isReady = () => scheduler.now() < from || scheduler.now() >= to;
    const events$ = bookEvents$(hot(marbles, looks), { isReady, pingMs, lastsMs, scheduler }).pipe(
      map((event) => (event.kind === 'book' ? `book ${event.state.revision}` : event.kind)),
    );
    expectObservable(events$, '6s !').toBe(expected, received);
  });
}

describe('what a reader of a book is told', () => {
  const short = { pingMs: 60_000, lastsMs: 60_000 };

  it('is each revision once, however often it is looked at', () => {
    expectReported('aaabbcbb', '1--2-32-', short);
  });

  it('is the newest when the reader is ready again, and none of those before', () => {
    expectReported('a 9ms b 9ms c 9ms cccc', '1 29ms 3', { ...short, busy: [5, 30] });
  });

  it('is nothing while there is no book on its way, and that there is none when none came', () => {
    expectReported('nnnnooa', '----s-1', short);
  });

  it('is once that the book is stale, and again when it is anew', () => {
    expectReported('c-sss-a-t---', '3-s---1-(4s)', short);
  });

  it('is the stale book and then that it is stale, to one who comes late', () => {
    expectReported('sss', '(3s)', short);
  });

  it('is the last book and then the end when the market closes', () => {
    expectReported('a--xx', '1--(4x|)', short);
  });

  it('is a sign of life in every period, but not to a reader that has not taken the last one', () => {
    expectReported('a', '1 999ms p 2999ms p|', { pingMs: 1_000, lastsMs: 4_001, busy: [1_500, 3_500] });
  });

  it('is over after its time, also when nothing comes', () => {
    expectReported('a', '1 2999ms |', { pingMs: 60_000, lastsMs: 3_000 });
  });

  it('is told by the look after the one at which a busy reader would have heard the end', () => {
    expectReported('a--x--x', '1-----(4x|)', { ...short, busy: [2, 5] });
  });
});
