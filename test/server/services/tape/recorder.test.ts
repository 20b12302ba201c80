import { expect } from 'chai';
import { Subject } from 'rxjs';
import { OutsideError } from '#domain/errors';
import type { Fill } from '#domain/rating/fill';
import type { TradePage, TradeSource } from '#ports/trade-source';
import { createTapeRecorder, type TapeRecorderDeps } from '#services/tape/recorder';
import type { TradeHint } from '#streams/trade-hints';
import { ManualClock } from '#test/support/manual-clock';
import { allFills, distinct, openTempTape, type TempTape } from '#test/support/temp-tape';
import { hex40, tradeNumber } from '#test/support/trade-rows';

const WALLETS = [0, 1, 2, 3, 4, 5, 6].map(hex40);
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const HINT: TradeHint = { kind: 'traded', fromS: 1, toS: 2, trades: 1, conditions: [], wallets: [], incomplete: false };
const MARKETS = { refresh: async () => ({ described: 0, resolved: 0, asked: 0, unasked: 0, everAsked: 0 }) };

const settle = () => new Promise((resolve) => setTimeout(resolve, 30));
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
};

describe('the recorder of the tape', () => {
  let fixture: TempTape;
  let clock: ManualClock;
  let fills: Fill[];
  let requested: number;
  let down: boolean;
  let added: number;
  const nowS = () => Math.floor(clock.nowMs() / 1_000);

  const source: Pick<TradeSource, 'fetchTrades'> = {
    async fetchTrades(cursor): Promise<TradePage> {
      requested++;
      if (down) throw new OutsideError('data-api', 'gave no answer', { failure: 'retryable' });
      const from = Number(cursor ?? 0);
      const page = fills.slice(from, from + 10);
      return {
        fills: page,
        names: [],
        skipped: 0,
        unreadable: 0,
        next: from + 10 < fills.length ? String(from + 10) : null,
      };
    },
  };
  const recorder = (more: Partial<TapeRecorderDeps> = {}) => {
    const tape: TapeRecorderDeps['tape'] = {
      addFills: (segment, list) => {
        added += list.length;
        return fixture.tape.addFills(segment, list);
      },
      addRows: (...added) => fixture.tape.addRows(...added),
      progressOf: (job) => fixture.tape.progressOf(job),
      saveProgress: (job, progress) => fixture.tape.saveProgress(job, progress),
    };
    const deps = {
      tape,
      source: source as TradeSource,
      markets: MARKETS,
      hints: null,
      clock,
      log: SILENT,
      lookbackS: 3_600,
    };
    return createTapeRecorder({ ...deps, ...more });
  };
  const held = () => allFills(fixture.tape, WALLETS);

  beforeEach(async () => {
    fixture = await openTempTape();
    clock = new ManualClock();
    fills = Array.from({ length: 35 }, (_, n) => tradeNumber(n, nowS() - 5 - n));
    [requested, down, added] = [0, false, 0];
  });
  afterEach(() => fixture.close());

  it('brings what was made before it began and since, and adds nothing twice', async () => {
    const one = recorder();
    await one.round();
    expect(await held()).to.deep.equal(distinct(fills));
    expect(one.report()).to.deep.include({
      lastOkAtMs: clock.nowMs(),
      lastError: null,
      lastFillS: nowS() - 5,
      gapsOpen: 0,
      fills: 35,
    });
    for (let n = 0; n < 4; n++) {
      clock.advance(10_000);
      fills = [tradeNumber(100 + n, nowS() - 3), ...fills];
      await one.round();
    }
    expect(await held()).to.deep.equal(distinct(fills));
    expect(added).to.equal(fills.length);
  });

  it('fills the gap of an outage once the venue answers again, also after a restart', async () => {
    await recorder().round();
    down = true;
    const failing = recorder();
    clock.advance(600_000);
    await failing.round();
    expect(failing.report().lastError).to.equal('data-api: gave no answer');
    expect(failing.report().lastOkAtMs).to.equal(null);
    fills = [...Array.from({ length: 25 }, (_, n) => tradeNumber(200 + n, nowS() - n * 20)), ...fills];
    down = false;
    const later = recorder();
    await later.round();
    expect(later.report()).to.deep.include({ lastError: null, gapsOpen: 0 });
    expect(await held()).to.deep.equal(distinct(fills));
  });

  it('asks regularly by itself', async () => {
    const one = recorder({ intervalMs: 5 });
    one.start();
    await until(() => requested >= 4 + 3);
    await one.stop();
  });

  it('asks sooner on a hint, and not for every one', async () => {
    const hints = new Subject<TradeHint>();
    const one = recorder({ hints, intervalMs: 1_000_000_000, soonerMs: 5 });
    one.start();
    await until(() => one.report().lastOkAtMs !== null);
    const before = requested;
    clock.advance(60_000);
    for (let n = 0; n < 50; n++) hints.next(HINT);
    hints.next({ kind: 'gap', awayMs: 1, reason: 'gone' });
    await until(() => requested > before);
    await settle();
    expect(one.report()).to.deep.include({ hints: 50, feedGaps: 1 });
    expect(requested - before, 'the pages of one round, the last one twice').to.be.at.most(5);
    await one.stop();
  });

  it('reports how the live feed stands: not tried, away with the last reason, back with the first trade', async () => {
    const hints = new Subject<TradeHint>();
    const one = recorder({ hints, intervalMs: 1_000_000_000 });
    one.start();
    expect(one.report().feed).to.deep.equal({ name: 'rtds', ok: null, lastOkAtMs: null, lastError: null });
    hints.next({ kind: 'lost', reason: 'code 1006' });
    hints.next({ kind: 'lost', reason: 'connection refused' });
    expect(one.report().feed).to.deep.include({ ok: false, lastOkAtMs: null, lastError: 'connection refused' });
    expect(one.report().feedGaps).to.equal(0);
    hints.next(HINT);
    expect(one.report().feed, 'trades of before the loss').to.deep.include({ ok: false });
    clock.advance(1_000);
    hints.next({ kind: 'gap', awayMs: 1_000, reason: 'connection refused' });
    expect(one.report().feed).to.deep.include({ ok: true, lastOkAtMs: clock.nowMs() });
    await one.stop();
  });

  it('records nothing until the time is known, says so, and asks the venue for its date', async () => {
    let isKnown = false;
    clock.step(2 * 86_400_000);
    const one = recorder({ isTimeKnown: () => isKnown });
    let hasBegun = false;
    const begun = one.begun.then(() => {
      hasBegun = true;
    });
    await one.round();
    await settle();
    expect([requested, added, hasBegun]).to.deep.equal([1, 0, false]);
    expect(one.report().lastError).to.include('the time is not confirmed');
    clock.step(-2 * 86_400_000);
    isKnown = true;
    await one.round();
    await begun;
    expect(one.report()).to.deep.include({ lastError: null, gapsOpen: 0 });
    expect(await held()).to.deep.equal(distinct(fills));
  });

  it('brings what was made since a round by a clock that was ahead', async () => {
    clock.step(2 * 86_400_000);
    const one = recorder({ lookbackS: 3 * 86_400 });
    await one.round();
    clock.step(-2 * 86_400_000);
    for (let n = 0; n < 5; n++) {
      clock.advance(600_000);
      fills = [tradeNumber(100 + n, nowS() - 200), ...fills];
      await one.round();
    }
    expect(await held()).to.deep.equal(distinct(fills));
  });

  it('ends after the first round, which was asked for before it began to ask by itself', async () => {
    const one = recorder();
    let isOver = false;
    const round = one.round().then(() => {
      isOver = true;
    });
    await one.stop();
    expect(isOver).to.equal(true);
    await round;
  });

  it('ends after the page that is under way', async () => {
    const one = recorder({ intervalMs: 1_000_000 });
    one.start();
    await until(() => requested > 0);
    await one.stop();
    const before = requested;
    await settle();
    expect([requested, before <= 2]).to.deep.equal([before, true]);
    await recorder().round();
    expect(await held()).to.deep.equal(distinct(fills));
  });
});
