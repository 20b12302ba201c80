import { expect } from 'chai';
import type { JsonAnswer, Throttled } from '#adapters/http-client/attempt';
import { Asker, NotAsked } from '#adapters/venue-check/asker';
import { CALLS_MAX } from '#adapters/venue-check/limits';
import { OutsideError } from '#domain/errors';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const OK: JsonAnswer = { kind: 'ok', body: '{"a":1}' };
const LOST = new OutsideError('clob', 'GET / gave no answer', { failure: 'retryable' });

/** An asker whose calls get these answers, the last of them for good; its waits end at once. */
function askerOf(answers: readonly (JsonAnswer | Throttled | OutsideError)[]) {
  const clock = new ManualClock();
  const timers = new ManualTimers(clock);
  const times: number[] = [];
  const stopping = new AbortController();
  const asker = new Asker({
    urls: { gamma: 'http://gamma', clob: 'http://clob', data: 'http://data' },
    clock,
    timers: { ...timers, after: (ms, due) => timers.after(ms, due), sleep: async (ms) => clock.advance(ms) },
    signal: stopping.signal,
    attempt: async () => {
      const answer = answers[Math.min(times.length, answers.length - 1)]!;
      times.push(clock.elapsedMs());
      if (answer instanceof OutsideError) throw answer;
      return answer;
    },
  });
  const ask = (part: 'gamma' | 'clob' = 'clob') =>
    asker.get(part, 'sample', '/').catch((error: unknown) => {
      if (error instanceof NotAsked) return error.message;
      throw error;
    });
  return { asker, ask, times, stopping };
}

describe('what asks the venue', () => {
  it('never makes more calls than it may', async () => {
    const { ask, times, asker } = askerOf([OK]);
    for (let n = 0; n < CALLS_MAX; n++) expect(await ask()).to.include({ status: 200 });
    expect(await ask()).to.equal('120 calls were made, which is all that a check makes');
    expect([times.length, asker.calls]).to.deep.equal([CALLS_MAX, CALLS_MAX]);
  });

  it('asks half a second after the last call at the soonest', async () => {
    const { ask, times } = askerOf([OK]);
    for (let n = 0; n < 4; n++) await ask();
    expect(times.map((time) => time - times[0]!)).to.deep.equal([0, 500, 1_000, 1_500]);
  });

  it('asks once more where no answer came, and then no more of that part', async () => {
    const { ask, times } = askerOf([LOST]);
    const told = [await ask(), await ask(), await ask()];
    expect(told).to.deep.equal([LOST.message, LOST.message, 'clob did not answer before']);
    expect(times).to.have.length(4);
    expect(await ask('gamma')).to.equal(LOST.message);
  });

  it('waits as long as a 429 asks for, up to 30 s', async () => {
    for (const [retryAfter, waitMs] of [
      ['7', 7_000],
      ['600', 30_000],
      [null, 2_000],
    ] as const) {
      const { ask, times } = askerOf([{ kind: 'throttled', retryAfter }, OK]);
      expect(await ask()).to.include({ status: 200 });
      expect(times[1]! - times[0]!).to.equal(waitMs);
    }
  });

  it('passes a refusal on, and an answer that is no JSON', async () => {
    const { ask } = askerOf([
      { kind: 'refused', status: 404, text: '<html>' },
      { kind: 'ok', body: '<html>' },
    ]);
    expect(await ask()).to.deep.equal({ status: 404, body: undefined, text: '<html>' });
    expect(await ask()).to.deep.equal({ status: 200, body: undefined, text: '<html>' });
  });

  it('asks nothing more when it has to stop', async () => {
    const { ask, times, stopping } = askerOf([OK]);
    stopping.abort();
    expect(await ask()).to.equal('stopped before it was asked');
    expect(times).to.deep.equal([]);
  });
});
