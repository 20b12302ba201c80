import { expect } from 'chai';
import type { FeedState } from '#page/model/book/feed';
import { followBook, RECONNECT, SILENCE_MS_MAX, type StreamAnswer, TRIES_MAX } from '#page/model/book/follow-book';
import { eventData, TOKEN } from '#test/page/support/received-books';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const sse = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`;
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function* texts(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}
const streamOf = (...all: readonly string[]): StreamAnswer => ({
  status: 200,
  contentType: 'text/event-stream',
  retryAfterS: null,
  texts: texts(...all),
});
const refusal = (status: number, retryAfterS: number | null = null): StreamAnswer => ({
  status,
  contentType: 'application/json',
  retryAfterS,
  texts: texts('{}'),
});

describe('Following a book', () => {
  let clock: ManualClock;
  let timers: ManualTimers;
  let states: FeedState[];
  let requested: number;
  let ended: AbortController;
  let followed: Promise<void>;
  const last = () => states.at(-1)!;
  const bestAsk = () => last().received?.book.sides.asks.bestTicks ?? null;

  /** Answers the requests one after the other, the last answer again and again. */
  const follow = (...answers: readonly ((signal: AbortSignal) => StreamAnswer | Promise<StreamAnswer>)[]) => {
    const open = async (_: string, signal: AbortSignal) => answers[Math.min(requested++, answers.length - 1)]!(signal);
    const random = { next: () => 1, bytes: () => new Uint8Array() };
    const system = { clock, timers, random };
    const onState = (state: FeedState) => void states.push(state);
    followed = followBook({ path: '/events', tokenId: TOKEN, open, system, onState, signal: ended.signal });
    return settled();
  };

  beforeEach(() => {
    clock = new ManualClock();
    timers = new ManualTimers(clock);
    states = [];
    requested = 0;
    ended = new AbortController();
  });
  afterEach(async () => {
    ended.abort();
    await followed;
    expect(timers.waiting, 'waits that are left behind').to.equal(0);
  });

  it('reads events however they are cut, and forgets one that never ended', async () => {
    const whole = `: ping\n\n${sse('book', eventData(1))}`;
    await follow(() =>
      streamOf(whole.slice(0, 40), whole.slice(40, 300), whole.slice(300), `event: book\ndata: ${eventData(2)}`),
    );
    expect(bestAsk()).to.equal(4_800);
    expect(last()).to.deep.include({ phase: 'waiting', trouble: { kind: 'ended' }, unreadableCount: 0 });
    expect(last().last!.sequence).to.equal(1);
  });

  it('comes back by itself, later each time, and gives up after so many tries without an event', async () => {
    await follow(() => Promise.reject(new Error('no route')));
    const waits: (number | null)[] = [];
    for (let tries = 1; tries < TRIES_MAX; tries++) {
      waits.push(last().waitMs);
      timers.advance(last().waitMs!);
      await settled();
    }
    expect(waits).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(waits.at(-1)).to.equal(RECONNECT.maxMs);
    expect(last()).to.deep.include({ phase: 'over', trouble: { kind: 'unreachable' }, waitMs: null });
    expect(requested).to.equal(TRIES_MAX);
  });

  it('begins to count anew once a book has come', async () => {
    let round = 0;
    await follow(() => (++round % 2 === 1 ? refusal(500) : streamOf(sse('book', eventData(round)))));
    for (let tries = 0; tries < 3 * TRIES_MAX; tries++) {
      expect(last().phase).to.equal('waiting');
      timers.advance(last().waitMs!);
      await settled();
    }
  });

  it('waits as long as it is asked to', async () => {
    await follow(() => refusal(429, 40));
    expect(last()).to.deep.include({ phase: 'waiting', waitMs: 40_000 });
  });

  for (const status of [402, 404, 400]) {
    it(`does not ask again after ${status}`, async () => {
      await follow(() => refusal(status));
      expect(last()).to.deep.include({ phase: 'over', trouble: { kind: 'status', status, retryAfterS: null } });
    });
  }

  it('takes the page of a proxy for what it is', async () => {
    await follow(() => ({ ...streamOf('<html>'), contentType: 'text/html' }));
    expect(last()).to.deep.include({ phase: 'waiting', trouble: { kind: 'no_stream' } });
  });

  it('leaves a stream that tells nothing readable', async () => {
    const endless = async function* () {
      for (;;) yield sse('book', '<html>');
    };
    await follow(() => ({ ...streamOf(), texts: endless() }));
    expect(last().trouble).to.deep.equal({ kind: 'unreadable' });
  });

  it('leaves a stream that goes silent, and keeps its last book', async () => {
    const silent = async function* (signal: AbortSignal) {
      yield sse('book', eventData(1));
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    };
    await follow((signal) => ({ ...streamOf(), texts: silent(signal) }));
    timers.advance(SILENCE_MS_MAX);
    await settled();
    expect(last()).to.deep.include({ phase: 'waiting', trouble: { kind: 'silent' } });
    expect(bestAsk()).to.equal(4_800);
  });
});
