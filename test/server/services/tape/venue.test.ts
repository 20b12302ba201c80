import { expect } from 'chai';
import { firstValueFrom, Subscription } from 'rxjs';
import { createHttpJson } from '#adapters/http-client/json';
import { createPolymarketData } from '#adapters/polymarket/data';
import { fetchPageV1, parseCursorV1 } from '#adapters/polymarket/data-v1';
import { connectRtds } from '#adapters/polymarket/rtds';
import { openTapeSources } from '#compose/tape';
import type { Fill } from '#domain/rating/fill';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { backfillTrades } from '#services/tape/backfill';
import { createTapeMarkets } from '#services/tape/markets';
import { createTapeRecorder } from '#services/tape/recorder';
import { tradeHints$ } from '#streams/trade-hints';
import { StillClock, stillVenue } from '#test/local/support/venue-harness';
import { distinct, openTempTape, type TempTape } from '#test/support/temp-tape';

const DAY_S = 86_400;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the tape, filled from the local venue', () => {
  let venue: LocalVenue;
  let fixture: TempTape;
  let clock: StillClock;
  const nowS = () => Math.floor(clock.nowMs() / 1_000);

  before(async () => {
    clock = new StillClock();
    venue = await stillVenue({ clock });
  });
  after(() => venue.close());
  beforeEach(async () => {
    fixture = await openTempTape();
  });
  afterEach(() => fixture.close());

  const addressOf = (role: string) => venue.exampleWallets.find((wallet) => wallet.role === role)!.address;

  it('holds the same trades of a wallet by either version of the Data API, and its name', async () => {
    const data = createHttpJson({
      upstream: 'data-api',
      baseUrl: venue.dataUrl,
      budget: { attemptTimeoutMs: 10_000, attemptsMax: 2 },
      clock,
    });
    for (const role of ['skilled', 'both-sides', 'small-sample']) {
      const wallet = addressOf(role);
      const range = { fromS: nowS() - 120 * DAY_S, toS: nowS() };
      const source = createPolymarketData({ data, clock });
      await backfillTrades({ tape: fixture.tape, source, clock }, { kind: 'wallet', wallet }, range, { job: 'test' });
      const fills: Fill[] = [];
      for (let cursor: string | null = null, n = 0; n < 100; n++) {
        const page = await fetchPageV1(data, { of: { wallet }, range }, parseCursorV1(cursor));
        fills.push(...page.fills);
        cursor = page.next;
        if (cursor === null) break;
      }
      expect(fills.length, role).to.be.above(5);
      expect(distinct(await fixture.tape.fillsOf(wallet)), role).to.deep.equal(distinct(fills));
      expect((await fixture.tape.namesOf([wallet])).get(wallet)).to.be.a('string');
    }
  });

  it('holds everybody’s trades as far back as the feed goes, and every market of them', async () => {
    const { source, facts } = openTapeSources(venue, clock);
    const span = { fromS: nowS() - 120 * DAY_S, toS: nowS() };
    const report = await backfillTrades({ tape: fixture.tape, source, clock }, { kind: 'feed' }, span, { job: 'test' });
    const firstOfLastMonthS =
      Date.UTC(new Date(clock.nowMs()).getUTCFullYear(), new Date(clock.nowMs()).getUTCMonth() - 1) / 1_000;
    expect(report).to.include({ complete: true });
    expect(report.endsS).to.be.within(firstOfLastMonthS, firstOfLastMonthS + DAY_S);
    const { described, resolved } = await createTapeMarkets({ tape: fixture.tape, facts, clock }).refresh();
    const status = await fixture.tape.status();
    expect([described, await fixture.tape.unknownConditions(5)]).to.deep.equal([status.markets, []]);
    expect(resolved).to.be.above(100).and.to.equal(status.marketsResolved);
    const fills = await fixture.tape.fillsOf(addressOf('skilled'));
    const markets = await fixture.tape.marketsOf(fills.map(({ condition }) => condition));
    for (const { condition, event } of fills) expect(markets.get(condition)?.event).to.equal(event);
  });

  it('hears of a trade by the live feed and records it soon', async () => {
    const { source, facts } = openTapeSources(venue, clock);
    const hints = tradeHints$(connectRtds(venue.rtdsUrl), { intervalMs: 5, backoffMs: () => 5 });
    const markets = createTapeMarkets({ tape: fixture.tape, facts, clock });
    const deps = { tape: fixture.tape, source, markets, hints, clock, log: SILENT, lookbackS: 3_600 };
    const recorder = createTapeRecorder({ ...deps, intervalMs: 1_000_000_000, soonerMs: 5 });
    recorder.start();
    await until(() => recorder.report().lastOkAtMs !== null);
    const before = (await fixture.tape.status()).lastFillS;
    clock.move(60_000);
    await until(() => {
      venue.step(5);
      return recorder.report().hints > 0;
    });
    await until(() => (recorder.report().lastFillS ?? 0) > (before ?? 0));
    await recorder.stop();
    expect(recorder.report()).to.include({ lastError: null });
    expect((await fixture.tape.status()).lastFillS).to.equal(nowS());
  });

  it('is told of the wallets and markets of live trades', async () => {
    const listening = new Subscription();
    const hints = tradeHints$(connectRtds(venue.rtdsUrl), { intervalMs: 5, backoffMs: () => 5 });
    const first = firstValueFrom(hints);
    const stepping = setInterval(() => venue.step(5), 5);
    listening.add(() => clearInterval(stepping));
    const hint = await first;
    listening.unsubscribe();
    expect(hint).to.deep.include({ kind: 'traded', incomplete: false });
    const existing = new Set(venue.markets.map(({ conditionId }) => conditionId));
    expect(hint.kind === 'traded' && hint.conditions.every((condition) => existing.has(condition))).to.equal(true);
  });
});
