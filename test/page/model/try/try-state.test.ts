import { expect } from 'chai';
import { DEMO_EXAMPLE } from '#api/sandbox/sandbox-demo';
import { TryState } from '#page/model/try/try-state';
import { eventData } from '#test/page/support/received-books';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const asks = (price: string) => ({ book: { ...DEMO_EXAMPLE.book, asks: [[price, '1000']] } });

describe('The try-out', () => {
  let timers: ManualTimers;
  let paints: (() => void)[];
  let state: TryState;
  let stop: () => void;
  let say: (data: string) => void;
  let opened: number;
  let look: (isHidden: boolean) => void;

  const start = (answer: { status: number; text: string }) => {
    const clock = new ManualClock();
    timers = new ManualTimers(clock);
    paints = [];
    state = new TryState(DEMO_EXAMPLE);
    const received: string[] = [];
    let wake = () => {};
    let isHidden = false;
    let noticed = () => {};
    opened = 0;
    look = (hidden) => {
      isHidden = hidden;
      noticed();
    };
    say = (data) => {
      received.push(`event: book\ndata: ${data}\n\n`);
      wake();
    };
    const texts = async function* (signal: AbortSignal) {
      signal.addEventListener('abort', () => wake());
      while (!signal.aborted) {
        yield* received.splice(0);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    stop = state.start({
      system: { clock, timers, random: { next: () => 1, bytes: () => new Uint8Array() } },
      openStream: async (_, signal) => {
        opened++;
        return { status: 200, contentType: 'text/event-stream', retryAfterS: null, texts: texts(signal) };
      },
      fetchMarkets: async () => answer,
      beforePaint: (due) => void paints.push(due),
      isHidden: () => isHidden,
      onHiddenChange: (changed) => {
        noticed = changed;
        return () => {
          noticed = () => {};
        };
      },
    });
    return settled();
  };
  const paint = () => {
    for (const due of paints.splice(0)) due();
  };
  const listed = { status: 200, text: JSON.stringify({ markets: [DEMO_EXAMPLE.market] }) };
  const best = () => state.judged.value?.body.numbers.best_price;

  afterEach(async () => {
    stop();
    await settled();
  });

  it('keeps the example until there is a live book, and paints only the newest of those that came', async () => {
    await start(listed);
    paint();
    expect([state.isExample.value, best()]).to.deep.equal([true, 0.48]);
    for (const [index, price] of ['0.5', '0.6', '0.7'].entries()) say(eventData(index + 1, asks(price)));
    await settled();
    expect([paints.length, best()]).to.deep.equal([1, 0.48]);
    paint();
    expect([state.isExample.value, state.isLive.value, best()]).to.deep.equal([false, true, 0.7]);
  });

  it('lets a book grow old by itself, until the verdict is VETO', async () => {
    await start(listed);
    say(eventData(1));
    await settled();
    paint();
    expect(state.judged.value!.body.verdict).to.equal('OK');
    state.change({ maxBookAgeS: '2' });
    timers.advance(1_700);
    await settled();
    expect([state.ageMs.value, state.judged.value!.body.verdict]).to.deep.equal([2_120, 'VETO']);
  });

  it('holds no stream while nobody sees it, and takes its last book for no new one when it is seen again', async () => {
    await start(listed);
    say(eventData(1));
    await settled();
    paint();
    look(true);
    await settled();
    expect([opened, state.isLive.value]).to.deep.equal([1, false]);
    timers.advance(90_000);
    await settled();
    expect(opened, 'opened while it was hidden').to.equal(1);
    look(false);
    await settled();
    expect([opened, state.isLive.value, state.judged.value!.body.verdict]).to.deep.equal([2, false, 'VETO']);
    expect(state.feedWords.value.tone).to.equal('calm');
    say(eventData(2, { server_time_ms: 1_784_000_090_002 }));
    await settled();
    paint();
    expect([state.isLive.value, state.judged.value!.body.verdict]).to.deep.equal([true, 'OK']);
  });

  it('opens no stream of a market that was chosen before anybody saw it', async () => {
    const begun = start(listed);
    look(true);
    await begun;
    expect(opened).to.equal(0);
    look(false);
    await settled();
    expect(opened).to.equal(1);
  });

  it('shows no verdict of one market as that of another', async () => {
    await start(listed);
    say(eventData(1));
    await settled();
    paint();
    const { market } = DEMO_EXAMPLE;
    const outcome = { ...market.outcomes[0]!, label: 'No', token_id: '77' };
    state.choose({ market, outcome });
    await settled();
    paint();
    expect([state.judged.value, state.ladder.value]).to.deep.equal([null, null]);
    expect(state.chosen.value.outcome.label).to.equal('No');
  });

  it('says why there is nothing live, and goes on with the example', async () => {
    await start({ status: 502, text: '<html>' });
    expect(state.listing.value).to.deep.equal({
      kind: 'none',
      why: 'The live markets cannot be listed: the service answered 502.',
    });
    expect(state.isExample.value).to.equal(true);
  });
});
