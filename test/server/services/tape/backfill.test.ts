import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { openTapeModule, openTapeSources } from '#compose/tape';
import { OutsideError } from '#domain/errors';
import { numberEqualFills } from '#domain/rating/equal-fills';
import type { Fill } from '#domain/rating/fill';
import type { Span } from '#domain/time-spans';
import type { ChainTrades } from '#ports/chain-trades';
import type { Tape } from '#ports/tape';
import type { TradePage, TradeSource } from '#ports/trade-source';
import { type BackfillOptions, backfillTrades } from '#services/tape/backfill';
import { backfillChain } from '#services/tape/backfill-chain';
import { LIVE_JOB, recordedGaps } from '#services/tape/recorded-gaps';
import { FEED_LAG_S } from '#services/tape/trade-coverage';
import { PAGES_WITHOUT_PROGRESS_MAX } from '#services/tape/trade-walk';
import { BACKFILL_JOB, markWhole } from '#services/tape/whole-spans';
import { startDataApi } from '#test/support/data-api-server';
import { draw } from '#test/support/draw';
import { linesOf, throwDice } from '#test/support/killed-process';
import { ManualClock } from '#test/support/manual-clock';
import { KILL_ROUNDS } from '#test/support/size';
import { tempFolder } from '#test/support/temp-folder';
import { allFills, distinct, openTempTape, type TempTape } from '#test/support/temp-tape';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { hex40, hex64, tradeNumber } from '#test/support/trade-rows';

const CHILD = fileURLToPath(new URL('../support/tape-backfill-child.js', import.meta.url));
const TIME_S = 1_779_999_000;
const WALLETS = [0, 1, 2, 3, 4, 5, 6].map(hex40);
const made = (count: number, newestS: number): Fill[] =>
  Array.from({ length: count }, (_, n) => tradeNumber(n, newestS - Math.floor(n / 2)));

/** A venue in memory: pages of ten, whose cursors are places; it counts what it was asked. */
class FakeVenue implements TradeSource {
  readonly requested: string[] = [];
  refuse: ((cursor: string | null, n: number) => Error | null) | null = null;
  reorder = (fills: readonly Fill[]): readonly Fill[] => fills;
  /** Trades whose rows cannot be read. */
  isTorn = (_: Fill): boolean => false;
  /** The seconds of rows of a kind that nobody knows, beside those of a page. */
  strange = (_: readonly Fill[]): readonly number[] => [];
  next = (from: number, all: number): string | null => (from + 10 < all ? String(from + 10) : null);
  constructor(public fills: readonly Fill[]) {}

  async fetchTrades(cursor: string | null): Promise<TradePage> {
    return this.#page('feed', this.fills, cursor);
  }
  async fetchMarketTrades(condition: string, range: { fromS: number; toS: number }, cursor: string | null) {
    const isOf = (fill: Fill) => fill.condition === condition && fill.timeS >= range.fromS && fill.timeS <= range.toS;
    return this.#page(condition, this.fills.filter(isOf), cursor);
  }
  async fetchWalletTrades(wallet: string, range: { fromS: number; toS: number }, cursor: string | null) {
    const isOf = (fill: Fill) => fill.wallet === wallet && fill.timeS >= range.fromS && fill.timeS <= range.toS;
    return this.#page(wallet, this.fills.filter(isOf), cursor);
  }
  async hasTraded(): Promise<boolean> {
    return true;
  }

  #page(what: string, fills: readonly Fill[], cursor: string | null): TradePage {
    this.requested.push(`${what}:${cursor}`);
    const fault = this.refuse?.(cursor, this.requested.length);
    if (fault) throw fault;
    const from = Number(cursor ?? 0);
    const all = this.reorder(fills.slice(from, from + 10));
    const page = all.filter((fill) => !this.isTorn(fill));
    const names = page.map(({ wallet }) => ({ wallet, name: `name of ${wallet}` }));
    const unknownS = this.strange(page);
    const unreadable = all.length - page.length + unknownS.length;
    return { fills: page, names, skipped: 1, unreadable, unknownS, next: this.next(from, fills.length) };
  }
}

describe('a backfill of the tape', () => {
  let fixture: TempTape;
  let venue: FakeVenue;
  let clock: ManualClock;
  const nowS = () => Math.floor(clock.nowMs() / 1_000);

  beforeEach(async () => {
    fixture = await openTempTape();
    clock = new ManualClock();
    venue = new FakeVenue(made(95, TIME_S));
  });
  afterEach(() => fixture.close());

  const run = (fromS: number, toS: number, options: Partial<BackfillOptions> = {}) =>
    backfillTrades(
      { tape: fixture.tape, source: venue, clock },
      { kind: 'feed' },
      { fromS, toS },
      { job: 'test', ...options },
    );
  const held = () => allFills(fixture.tape, WALLETS);
  const between = (fromS: number, toS: number) =>
    distinct(venue.fills.filter(({ timeS }) => timeS >= fromS && timeS <= toS));

  it('brings the trades of the span, both ends included, with the names of their wallets', async () => {
    const report = await run(TIME_S - 20, TIME_S - 5);
    expect(await held()).to.deep.equal(between(TIME_S - 20, TIME_S - 5));
    expect(report).to.deep.include({ fills: 32, complete: true, endsS: null, open: 0 });
    expect(await fixture.tape.namesOf([hex40(3)])).to.deep.equal(new Map([[hex40(3), `name of ${hex40(3)}`]]));
  });

  it('asks no further than the first page that is older as a whole, and not again for what it holds', async () => {
    await run(TIME_S - 20, TIME_S);
    expect(venue.requested).to.have.length(6);
    await run(TIME_S - 20, TIME_S);
    await run(TIME_S - 15, TIME_S - 3);
    expect(venue.requested).to.have.length(6);
  });

  it('brings what was made since, and overlaps the seconds that may not have been in the feed yet', async () => {
    clock = new ManualClock(TIME_S * 1_000);
    await run(TIME_S - 40, TIME_S);
    clock.advance(100_000);
    venue.fills = [...made(20, TIME_S + 90), tradeNumber(999, TIME_S - FEED_LAG_S + 40), ...venue.fills].toSorted(
      (a, b) => b.timeS - a.timeS,
    );
    await run(TIME_S - 40, nowS());
    expect(await held()).to.deep.equal(between(TIME_S - 40, TIME_S + 100));
  });

  it('fills the hole between two spans', async () => {
    await run(TIME_S - 40, TIME_S - 30);
    await run(TIME_S - 10, TIME_S);
    expect(await held()).to.have.length(44);
    const { open } = await run(TIME_S - 40, TIME_S);
    expect([open, await held()]).to.deep.equal([0, between(TIME_S - 40, TIME_S)]);
  });

  it('says where the feed ends, and does not ask for older trades again', async () => {
    const first = await run(TIME_S - 500, TIME_S);
    expect(first).to.deep.include({ complete: true, endsS: TIME_S - 46 });
    expect(await run(TIME_S - 500, TIME_S)).to.deep.include({ complete: true, endsS: TIME_S - 46, pages: 0 });
    expect(await held()).to.deep.equal(distinct(venue.fills));
  });

  it('holds no second of a row that it could not read, says so, and fills the gap later', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(94), { minLength: 1, maxLength: 40 }), async (torn) => {
        const own = await openTempTape();
        const fake = new FakeVenue(made(95, TIME_S));
        const time = new ManualClock(TIME_S * 1e3 + 300_000);
        const span = { fromS: TIME_S - 40, toS: TIME_S };
        const deps = { tape: own.tape, source: fake, clock: time };
        const fill = () => backfillTrades(deps, { kind: 'feed' }, span, { job: LIVE_JOB });
        const gaps = () => recordedGaps(own.tape, span, Math.floor(time.nowMs() / 1e3));
        const lost = new Set(torn.map((n) => fake.fills[n]!));
        fake.isTorn = (one) => lost.has(one);
        const report = await fill();
        const missing = await gaps();
        for (const { timeS } of lost) {
          if (timeS < span.fromS) continue;
          expect(missing.some(({ fromS, toS }) => fromS <= timeS && timeS <= toS)).to.equal(true);
        }
        expect(report.complete).to.equal(missing.length === 0);
        fake.isTorn = () => false;
        const requested = fake.requested.length;
        await fill();
        expect(fake.requested.length, 'it is left alone for a while').to.equal(requested);
        time.advance(600_000);
        expect((await fill()).complete).to.equal(true);
        expect(await gaps()).to.deep.equal([]);
        const wanted = fake.fills.filter(({ timeS }) => timeS >= span.fromS);
        expect(await allFills(own.tape, WALLETS)).to.deep.equal(distinct(wanted));
        await own.close();
      }),
      { numRuns: 10, endOnFailure: true },
    ));

  it('gives the second of a row of an unknown kind up, and no other', async () => {
    const strange = new Set([TIME_S - 3, TIME_S - 17, TIME_S - 18, TIME_S - 60]);
    venue.strange = (page) => page.map(({ timeS }) => timeS).filter((timeS) => strange.has(timeS));
    const report = await run(TIME_S - 40, TIME_S, { job: LIVE_JOB });
    expect(report.complete).to.equal(false);
    expect(await recordedGaps(fixture.tape, { fromS: TIME_S - 40, toS: TIME_S }, nowS())).to.deep.equal([
      { fromS: TIME_S - 18, toS: TIME_S - 17 },
      { fromS: TIME_S - 3, toS: TIME_S - 3 },
    ]);
    expect(await held()).to.deep.equal(between(TIME_S - 40, TIME_S));
  });

  it('says what was held before an outage that the feed no longer reaches back over', async () => {
    await backfillTrades(
      { tape: fixture.tape, source: venue, clock },
      { kind: 'feed' },
      { fromS: TIME_S - 40, toS: TIME_S },
      { job: LIVE_JOB },
    );
    clock.advance(10_000_000);
    venue.fills = made(20, TIME_S + 5_000);
    const span = { fromS: TIME_S - 40, toS: TIME_S + 5_000 };
    await backfillTrades({ tape: fixture.tape, source: venue, clock }, { kind: 'feed' }, span, { job: LIVE_JOB });
    expect(await recordedGaps(fixture.tape, span, nowS())).to.deep.equal([
      { fromS: TIME_S + 1, toS: TIME_S + 5_000 - 10 },
    ]);
  });

  it('takes one short answer for no end of the feed', async () => {
    venue.next = (from, all) => (venue.requested.length === 2 || from + 10 >= all ? null : String(from + 10));
    expect(await run(TIME_S - 500, TIME_S)).to.deep.include({ complete: true, endsS: TIME_S - 46 });
    expect(await held()).to.deep.equal(distinct(venue.fills));
  });

  describe('of a feed that is short for a while though older trades came of it', () => {
    const span = { fromS: TIME_S - 40, toS: TIME_S + 500 };
    const gaps = () => recordedGaps(fixture.tape, span, nowS());
    const record = () => run(span.fromS, span.toS, { job: LIVE_JOB });
    const makeShort = (isShort: boolean) => {
      venue.next = (from, all) => (isShort || from + 10 >= all ? null : String(from + 10));
    };

    beforeEach(async () => {
      clock = new ManualClock(TIME_S * 1e3 + 1_000_000);
      await run(span.fromS, TIME_S, { job: LIVE_JOB });
      venue.fills = [...made(60, span.toS), ...venue.fills];
      makeShort(true);
    });

    it('says what is missing, and asks for it again', async () => {
      expect(await record()).to.deep.include({ complete: false, lost: 1, endsS: null });
      expect(await gaps()).to.deep.equal([{ fromS: TIME_S + 1, toS: TIME_S + 495 }]);
      makeShort(false);
      clock.advance(600_000);
      expect(await record()).to.deep.include({ complete: true, lost: 0 });
      expect([await held(), await gaps()]).to.deep.equal([between(span.fromS, span.toS), []]);
    });

    it('takes it for the end of the feed where it stays so for a day', async () => {
      for (let n = 0; n < 12; n++) {
        await record();
        clock.advance(600_000 * 2 ** n);
      }
      expect(await record()).to.deep.include({ complete: true, lost: 0, endsS: TIME_S + 496 });
      expect(await record()).to.deep.include({ complete: true, lost: 0, endsS: TIME_S + 496, pages: 0 });
      expect(await gaps()).to.deep.equal([{ fromS: TIME_S + 1, toS: TIME_S + 495 }]);
    });

    it('lets an operator close the gap by a backfill', async () => {
      await record();
      makeShort(false);
      expect(await run(span.fromS, span.toS, { job: BACKFILL_JOB })).to.deep.include({ complete: true });
      expect([await held(), await gaps()]).to.deep.equal([between(span.fromS, span.toS), []]);
    });
  });

  it('takes the trades of one wallet for no proof that older ones of everybody are there, but an import or the chain', async () => {
    clock.advance(10_000_000);
    const span = { fromS: TIME_S - 500, toS: TIME_S };
    const source = { tape: fixture.tape, source: venue, clock };
    await backfillTrades(source, { kind: 'feed' }, span, { job: LIVE_JOB });
    await backfillTrades(source, { kind: 'wallet', wallet: hex40(3) }, span, { job: 'backfill' });
    const gaps = () => recordedGaps(fixture.tape, span, nowS());
    expect(await gaps()).to.deep.equal([{ fromS: TIME_S - 500, toS: TIME_S - 47 }]);
    await markWhole(fixture.tape, { from: TIME_S - 400, to: TIME_S - 100 });
    expect(await gaps()).to.deep.equal([
      { fromS: TIME_S - 500, toS: TIME_S - 401 },
      { fromS: TIME_S - 99, toS: TIME_S - 47 },
    ]);
    await markWhole(fixture.tape, { from: TIME_S - 600, to: TIME_S });
    expect(await gaps()).to.deep.equal([]);
  });

  it('takes an empty feed for no proof of anything', async () => {
    const fills = venue.fills;
    venue.fills = [];
    expect(await run(TIME_S - 500, TIME_S)).to.deep.include({ fills: 0, endsS: null });
    venue.fills = fills;
    expect(await run(TIME_S - 500, TIME_S)).to.deep.include({ fills: 95 });
  });

  it('goes on where it stopped: by its page limit, by a signal, by a failure', async () => {
    expect(await run(TIME_S - 60, TIME_S, { pagesMax: 2 })).to.deep.include({ pages: 2, complete: false, open: 1 });
    const stopping = new AbortController();
    await run(TIME_S - 60, TIME_S, {
      signal: stopping.signal,
      progress: ({ pages }) => pages === 3 && stopping.abort(),
    });
    venue.refuse = (_, n) => (n === 8 ? new OutsideError('x', 'down', { failure: 'retryable' }) : null);
    expect(await run(TIME_S - 60, TIME_S).catch((error: unknown) => error)).to.be.instanceOf(OutsideError);
    expect(await run(TIME_S - 60, TIME_S)).to.deep.include({ complete: true, pages: 3 });
    // The last one twice, because one short answer is no end.
    expect(venue.requested.map((one) => one.split(':')[1])).to.deep.equal([
      'null',
      '10',
      '20',
      '30',
      '40',
      '50',
      '60',
      '70',
      '70',
      '80',
      '90',
      '90',
    ]);
    expect(await held()).to.deep.equal(distinct(venue.fills));
  });

  it('begins anew where its cursor is not taken any more', async () => {
    await run(TIME_S - 60, TIME_S, { pagesMax: 3 });
    venue.refuse = (cursor, n) =>
      n === 4 && cursor !== null ? new OutsideError('x', 'no', { failure: 'final', status: 400 }) : null;
    await run(TIME_S - 60, TIME_S);
    expect(await held()).to.deep.equal(distinct(venue.fills));
    expect(venue.requested.slice(3, 5)).to.deep.equal(['feed:30', 'feed:null']);
  });

  it('bears pages whose rows are shuffled or come twice', async () => {
    venue.reorder = (fills) => [...fills.toReversed(), ...fills.slice(3)];
    await run(TIME_S - 30, TIME_S);
    expect(await held()).to.deep.equal(between(TIME_S - 30, TIME_S));
  });

  describe('of a feed in which single rows have an ancient time', () => {
    const ANCIENT_S = 1_600_000_000;
    const withAncient = (fills: readonly Fill[]) => fills.with(-1, { ...fills.at(-1)!, timeS: ANCIENT_S });

    it('takes the last row of a page for no proof that the rest is older, and brings it once its time is right', async () => {
      venue.reorder = (fills) => (fills[0] === venue.fills[10] ? withAncient(fills) : fills);
      const span = { fromS: TIME_S - 20, toS: TIME_S };
      const gaps = () => recordedGaps(fixture.tape, span, nowS());
      const others = between(TIME_S - 20, TIME_S).filter((line) => !line.includes(venue.fills[19]!.tx));
      expect(await run(TIME_S - 20, TIME_S, { job: LIVE_JOB })).to.deep.include({ complete: false, lost: 1 });
      expect(await held()).to.deep.equal(others);
      expect(await gaps()).to.deep.equal([{ fromS: TIME_S - 10, toS: TIME_S - 5 }]);
      venue.reorder = (fills) => fills;
      clock.advance(600_000);
      await run(TIME_S - 20, TIME_S, { job: LIVE_JOB });
      expect([await held(), await gaps()]).to.deep.equal([between(TIME_S - 20, TIME_S), []]);
    });

    for (const [at, place] of [
      ['last', -1],
      ['third', 2],
    ] as const) {
      it(`takes the ${at} row of the last page for no proof that the feed goes back so far`, async () => {
        for (const hasEmptyPage of [false, true]) {
          const own = await openTempTape();
          venue.next = (from, all) => (from + (hasEmptyPage ? 0 : 10) >= all ? null : String(from + 10));
          venue.reorder = (fills) =>
            fills[0] === venue.fills[90] ? fills.with(place, { ...fills.at(place)!, timeS: ANCIENT_S }) : fills;
          const span = { fromS: TIME_S - 500, toS: TIME_S };
          const deps = { tape: own.tape, source: venue, clock };
          await backfillTrades(deps, { kind: 'feed' }, span, { job: LIVE_JOB });
          const gaps = await recordedGaps(own.tape, span, nowS());
          const lost = venue.fills.slice(90).at(place)!.timeS;
          expect(gaps.at(0)?.fromS).to.equal(span.fromS);
          expect(gaps.some(({ fromS, toS }) => fromS <= lost && lost <= toS)).to.equal(true);
          await own.close();
        }
      });
    }

    it('claims no second that the walk is still to come to', async () => {
      venue.reorder = withAncient;
      await run(TIME_S - 500, TIME_S, { job: LIVE_JOB, pagesMax: 3 });
      expect(await recordedGaps(fixture.tape, { fromS: TIME_S - 500, toS: TIME_S }, nowS())).to.deep.equal([
        { fromS: TIME_S - 500, toS: TIME_S },
      ]);
    });

    it('does not take the pages after such a row for a circle', async () => {
      venue.fills = made(10 * (PAGES_WITHOUT_PROGRESS_MAX + 10), TIME_S);
      venue.reorder = (fills) => (fills[0] === venue.fills[0] ? withAncient(fills) : fills);
      expect(await run(TIME_S - 290, TIME_S)).to.deep.include({ open: 0 });
    });
  });

  describe('on a venue that walks in circles', () => {
    const forgetful: Pick<Tape, 'addFills' | 'addRows' | 'progressOf' | 'saveProgress'> = {
      addFills: async () => undefined,
      addRows: async () => undefined,
      progressOf: async () => null,
      saveProgress: async () => undefined,
    };
    const circle = () =>
      backfillTrades(
        { tape: forgetful, source: venue, clock },
        { kind: 'feed' },
        { fromS: TIME_S - 60, toS: TIME_S },
        { job: 'test' },
      );

    for (const [what, trouble] of [
      ['its pages have no end', () => (venue.next = () => '0')],
      [
        'it refuses a cursor again and again',
        () => {
          const refused = new OutsideError('x', 'no', { failure: 'final', status: 400 });
          venue.refuse = (cursor) => (cursor === '30' ? refused : null);
        },
      ],
    ] as const) {
      it(`gives up where ${what}`, async () => {
        trouble();
        const error = await circle().catch((e: unknown) => e);
        expect(error).to.be.instanceOf(OutsideError);
        expect((error as Error).message).to.include(`nothing older in ${PAGES_WITHOUT_PROGRESS_MAX} pages`);
        expect(venue.requested.length).to.be.below(2 * PAGES_WITHOUT_PROGRESS_MAX);
      });
    }
  });

  it('brings the trades of a market or a wallet, each a job of its own', async () => {
    const deps = { tape: fixture.tape, source: venue, clock };
    const span = { fromS: TIME_S - 30, toS: TIME_S };
    await backfillTrades(deps, { kind: 'market', condition: hex64(2) }, span, { job: 'test' });
    await backfillTrades(deps, { kind: 'wallet', wallet: hex40(3) }, span, { job: 'test' });
    const isWanted = ({ condition, wallet, timeS }: Fill) =>
      timeS >= span.fromS && (condition === hex64(2) || wallet === hex40(3));
    expect(await held()).to.deep.equal(distinct(venue.fills.filter(isWanted)));
    await backfillTrades(
      deps,
      { kind: 'wallet', wallet: hex40(3) },
      { fromS: TIME_S - 60, toS: TIME_S },
      { job: 'test' },
    );
    expect(await fixture.tape.fillsOf(hex40(3))).to.have.length(
      venue.fills.filter(({ wallet }) => wallet === hex40(3)).length,
    );
  });

  it('does not lose what it knows already where a page has to be kept twice', async () => {
    const existing = new Set<string>();
    const [isStored, onAdded] = [
      ({ tx }: Fill) => existing.has(tx),
      (fills: readonly Fill[]) => fills.forEach(({ tx }) => void existing.add(tx)),
    ];
    let saves = 0;
    const tape: Pick<Tape, 'addFills' | 'addRows' | 'progressOf' | 'saveProgress'> = {
      addFills: (segment, fills) => fixture.tape.addFills(segment, fills),
      addRows: async () => undefined,
      progressOf: (job) => fixture.tape.progressOf(job),
      saveProgress: async (job, progress) => {
        if (++saves === 2) throw new OutsideError('tape', 'disk full', { failure: 'retryable' });
        await fixture.tape.saveProgress(job, progress);
      },
    };
    const deps = { tape, source: venue, clock };
    const options = { job: 'test', isStored, onAdded };
    await backfillTrades(deps, { kind: 'feed' }, { fromS: TIME_S - 60, toS: TIME_S }, options).catch(() => undefined);
    await backfillTrades(deps, { kind: 'feed' }, { fromS: TIME_S - 60, toS: TIME_S }, options);
    expect(await held()).to.deep.equal(distinct(venue.fills));
  });

  it('from the chain goes by blocks, and skips those that are in', async () => {
    const requested: [number, number][] = [];
    const chain: ChainTrades = {
      latestBlock: async () => 1_720,
      firstBlockFrom: async (timeS) => Math.min(1_720, timeS - TIME_S),
      blockTimeS: async (block) => TIME_S + block,
      fetchFills: async (from, to) => {
        requested.push([from, to]);
        if (requested.length === 3) throw new OutsideError('polygon-rpc', 'down', { failure: 'retryable' });
        return { fills: [tradeNumber(from, TIME_S + from)], skipped: 2, unplaced: [] };
      },
    };
    const deps = { tape: fixture.tape, chain };
    const span = { fromS: TIME_S + 100, toS: TIME_S + 9_000 };
    expect(await backfillChain(deps, span).catch((error: unknown) => error)).to.be.instanceOf(OutsideError);
    const report = await backfillChain(deps, span);
    expect(requested).to.deep.equal([
      [100, 599],
      [600, 1_099],
      [1_100, 1_599],
      [1_100, 1_599],
      [1_600, 1_720],
    ]);
    expect(report).to.deep.include({ complete: true, blocksDone: 621, blocksAll: 621, fills: 2, skipped: 4 });
    expect(await held()).to.have.length(4);
    expect(await backfillChain(deps, span)).to.deep.include({ blocksAll: 0, complete: true });
  });
});

/** Versions and lengths of pages that one run reads. */
const FORMS_DRAWN = 2;

describe('rows that are equal', () => {
  /** Transactions with one, two or three equal fills, newest first. */
  const fills = Array.from({ length: 40 }, (_, n) => Array<Fill>(1 + (n % 3)).fill(tradeNumber(n, TIME_S - n))).flat();
  const numbered = distinct(numberEqualFills(fills));

  const forms = ([2, 1] as const).flatMap((version) => [1, 2, 5, 100].map((rowsPerPage) => ({ version, rowsPerPage })));
  const drawn = draw(forms, FORMS_DRAWN);
  for (const { version, rowsPerPage } of drawn.cases) {
    it(`are different fills by version ${version} in pages of ${rowsPerPage}, and no more when they are read again (${drawn.how})`, async () => {
      const server = await startDataApi({ fills, rowsPerPage, version });
      const fixture = await openTempTape();
      const clock = new ManualClock(TIME_S * 1e3 + 600_000);
      const url = server.baseUrl;
      const urls = { gammaUrl: url, clobUrl: url, wsUrl: url, dataUrl: url, rtdsUrl: url };
      const { source } = openTapeSources(urls, clock);
      const deps = { tape: fixture.tape, source, clock };
      const span = { fromS: TIME_S - 100, toS: TIME_S };
      const held = () => allFills(fixture.tape, WALLETS);
      await backfillTrades(deps, { kind: 'wallet', wallet: hex40(3) }, span, { job: 'wallet' });
      const own = distinct(numberEqualFills(fills.filter(({ wallet }) => wallet === hex40(3))));
      expect(await held()).to.deep.equal(own);
      server.set({ rowsPerPage: rowsPerPage + 1 });
      await backfillTrades(deps, { kind: 'wallet', wallet: hex40(3) }, span, { job: 'again' });
      expect(await held()).to.deep.equal(own);
      await backfillTrades(deps, { kind: 'feed' }, span, { job: 'feed' });
      await backfillTrades(deps, { kind: 'feed' }, span, { job: 'feed-again' });
      expect(await held()).to.deep.equal(numbered);
      await fixture.close();
      await server.close();
    });
  }
});

describe('a backfill from the chain', () => {
  let fixture: TempTape;
  beforeEach(async () => {
    fixture = await openTempTape();
  });
  afterEach(() => fixture.close());

  /** A chain with a block every second from `TIME_S` on, and one fill in each. */
  function chainOf({ newest, unplaced }: { newest: () => number; unplaced: (block: number) => boolean }): ChainTrades {
    return {
      latestBlock: async () => newest(),
      firstBlockFrom: async (timeS) => Math.max(0, Math.min(newest(), timeS - TIME_S)),
      blockTimeS: async (block) => TIME_S + block,
      fetchFills: async (from, to) => {
        const blocks = Array.from({ length: to - from + 1 }, (_, n) => from + n);
        const lost = blocks.filter(unplaced);
        return {
          fills: blocks.filter((block) => !unplaced(block)).map((block) => tradeNumber(block, TIME_S + block)),
          skipped: lost.length,
          unplaced: lost.map((block) => ({ block, timeS: TIME_S + block })),
        };
      },
    };
  }
  const whole = async () => ((await fixture.tape.progressOf('whole')) as { spans: Span[] } | null)?.spans ?? [];
  const held = async () => ((await fixture.tape.progressOf('chain')) as { held: Span[] }).held;
  const seconds = (from: number, to: number) => ({ from: TIME_S + from, to: TIME_S + to });
  const asked = { fromS: TIME_S + 100, toS: TIME_S + 200 };
  const none = () => false;

  for (const [what, newest, expected] of [
    ['what was asked for where the chain goes on', 900, [seconds(100, 200)]],
    ['no more than its last block where it ends before', 150, [seconds(100, 150)]],
    ['nothing where it ends before all of it', 60, []],
  ] as const) {
    it(`claims ${what}`, async () => {
      const chain = chainOf({ newest: () => newest, unplaced: none });
      const { throughS } = await backfillChain({ tape: fixture.tape, chain }, asked);
      expect(await whole()).to.deep.equal(expected);
      expect(throughS).to.equal(expected[0]?.to ?? null);
    });
  }

  it('claims no block with a token that has no market, and reads it again', async () => {
    const lost = new Set([101, 120]);
    const chain = chainOf({ newest: () => 900, unplaced: (block) => lost.has(block) });
    const deps = { tape: fixture.tape, chain };
    expect(await backfillChain(deps, asked)).to.deep.include({ complete: false, unplaced: 2 });
    expect(await whole()).to.deep.equal([seconds(121, 200), seconds(102, 119), seconds(100, 100)]);
    expect(await held()).to.deep.equal([
      { from: 121, to: 200 },
      { from: 102, to: 119 },
      { from: 100, to: 100 },
    ]);
    lost.delete(101);
    expect(await backfillChain(deps, asked)).to.deep.include({ complete: false, blocksAll: 2, fills: 1, unplaced: 1 });
    expect(await whole()).to.deep.equal([seconds(121, 200), seconds(100, 119)]);
    lost.clear();
    expect(await backfillChain(deps, asked)).to.deep.include({ complete: true, blocksAll: 1, unplaced: 0 });
    expect(await whole()).to.deep.equal([seconds(100, 200)]);
    expect(await allFills(fixture.tape, WALLETS)).to.have.length(101);
  });

  it('claims nothing it did not read, and in the end everything, whatever is lost meanwhile', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ newest: fc.nat(1_500), lost: fc.array(fc.nat(1_500), { maxLength: 60 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (runs) => {
          const own = memoryTape();
          for (const { newest, lost } of runs) {
            const chain = chainOf({ newest: () => newest, unplaced: (block) => lost.includes(block) });
            await backfillChain({ tape: own, chain }, { fromS: TIME_S + 50, toS: TIME_S + 1_400 });
            for (const { from, to } of own.whole()) {
              for (let timeS = from; timeS <= to; timeS++)
                expect(own.seconds.has(timeS), `${timeS - TIME_S}`).to.equal(true);
            }
          }
          const chain = chainOf({ newest: () => 1_500, unplaced: none });
          await backfillChain({ tape: own, chain }, { fromS: TIME_S + 50, toS: TIME_S + 1_400 });
          expect(own.whole()).to.deep.equal([seconds(50, 1_400)]);
        },
      ),
      { numRuns: 30 },
    ));
});

/** What a backfill keeps, and the seconds whose fills it has. */
function memoryTape() {
  const progress = new Map<string, unknown>();
  const own = new Set<number>();
  return {
    seconds: own,
    whole: () => (progress.get('whole') as { spans: Span[] } | undefined)?.spans ?? [],
    addFills: async (_: string, fills: readonly Fill[]) => fills.forEach(({ timeS }) => void own.add(timeS)),
    progressOf: async (job: string) => progress.get(job) ?? null,
    saveProgress: async (job: string, kept: unknown) => void progress.set(job, kept),
  };
}

describe('a backfill that is killed', function () {
  this.timeout(PROCESS_TEST_MS);

  it('and started again brings what an undisturbed one brings', async () => {
    const fills = made(300, TIME_S);
    const server = await startDataApi({ fills, rowsPerPage: 20, version: 2 });
    const dataDir = tempFolder('backfill');
    const dice = throwDice();
    const args = [server.baseUrl, dataDir, String(TIME_S - 140), String(TIME_S)];
    let kills = 0;
    for (let round = 0; round < KILL_ROUNDS; round++)
      kills += (await linesOf(CHILD, args, Math.floor(dice.next() * 60))).killed ? 1 : 0;
    const { lines } = await linesOf(CHILD, args, null);
    expect(JSON.parse(lines.at(-1) ?? '{}')).to.deep.include({ complete: true, open: 0 });
    expect(kills, `seed ${dice.seed}`).to.be.above(0);
    const { tape } = await openTapeModule(dataDir);
    const wanted = distinct(fills.filter(({ timeS }) => timeS >= TIME_S - 140));
    expect(await allFills(tape, WALLETS), `seed ${dice.seed}`).to.deep.equal(wanted);
    expect(await tape.verify()).to.deep.equal([]);
    // Every page but the killed ones was fetched once.
    expect(server.seen.length).to.be.at.most(15 + 2 * kills);
    await tape.close();
    await server.close();
  });
});
