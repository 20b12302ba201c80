import { expect } from 'chai';
import { OutsideError } from '#domain/errors';
import { type TapeMarket, UNKNOWN_MARKET } from '#domain/rating/tape-market';
import type { MarketFacts } from '#ports/trade-source';
import {
  ASK_AGAIN_MS,
  createTapeMarkets,
  refreshForBoard,
  type TapeMarketsDeps,
  UNASKED_MAX,
} from '#services/tape/markets';
import { ManualClock } from '#test/support/manual-clock';
import { openTempTape, type TempTape } from '#test/support/temp-tape';
import { hex64, tradeNumber } from '#test/support/trade-rows';

describe('the markets of the tape', () => {
  let fixture: TempTape;
  let clock: ManualClock;
  /** What the venue knows. */
  let existing: Map<string, TapeMarket>;
  let requested: string[][];
  let facts: MarketFacts;

  const timeS = () => Math.floor(clock.nowMs() / 1_000);
  const market = (n: number, fields: Partial<TapeMarket> = {}): TapeMarket => ({
    ...UNKNOWN_MARKET,
    condition: hex64(n),
    scheduledEndS: timeS() + 3_600,
    ...fields,
  });
  const report = (...markets: TapeMarket[]) => markets.forEach((one) => void existing.set(one.condition, one));

  beforeEach(async () => {
    fixture = await openTempTape();
    clock = new ManualClock();
    [existing, requested] = [new Map(), []];
    facts = {
      fetchMarketFacts: async (conditions) => {
        requested.push([...conditions].toSorted());
        return {
          found: new Map([...existing].filter(([condition]) => conditions.includes(condition))),
          unasked: new Map(),
        };
      },
    };
    const fills = [0, 1, 2, 3, 4].map((n) => tradeNumber(n, timeS() - n));
    await fixture.tape.addFills('test', fills);
  });
  afterEach(() => fixture.close());

  it('are described once, and their payouts asked for when they should have ended', async () => {
    const markets = createTapeMarkets({ tape: fixture.tape, facts, clock });
    report(...[0, 1, 2, 3, 4].map((n) => market(n)));
    expect(await markets.refresh()).to.include({ described: 5, resolved: 0, asked: 5, unasked: 0 });
    expect(await markets.refresh()).to.include({ described: 0, resolved: 0, asked: 0, unasked: 0 });
    clock.advance(3_700_000);
    report(market(2, { scheduledEndS: 1, payoutMicros: [0, 1_000_000], resolvedAtS: timeS() }));
    expect(await markets.refresh()).to.include({ described: 0, resolved: 1, asked: 5, unasked: 0 });
    expect((await fixture.tape.marketsOf([hex64(2)])).get(hex64(2))?.payoutMicros).to.deep.equal([0, 1_000_000]);
    clock.advance(ASK_AGAIN_MS);
    await markets.refresh();
    expect(requested.at(-1)).to.deep.equal([0, 1, 3, 4].map(hex64));
  });

  it('make no board while questions about many of them fail, and one as soon as they are answered', async () => {
    const all = Array.from({ length: UNASKED_MAX + 1 }, (_, n) => `c${n}`);
    let isDown = true;
    const venue: MarketFacts = {
      fetchMarketFacts: async (conditions) => ({
        found: new Map(),
        unasked: new Map(isDown ? conditions.map((condition) => [condition, 'it is down']) : []),
      }),
    };
    const tape: TapeMarketsDeps['tape'] = {
      addRows: async () => {},
      unknownConditions: async () => [],
      unresolvedConditions: async () => all,
    };
    const markets = createTapeMarkets({ tape, facts: venue, clock });
    const tried = () => refreshForBoard(markets).then(String, (error: Error) => error.message);
    expect(await tried()).to.include('questions about 51 markets failed');
    expect(await tried(), 'they are not asked for again at once').to.include('51');
    isDown = false;
    clock.advance(60_000);
    expect(await tried()).to.equal('undefined');
  });

  it('make a board although a few of very many are those on which its sources never agree', async () => {
    const odd = new Set(Array.from({ length: UNASKED_MAX + 1 }, (_, n) => `odd${n}`));
    const all = [...odd, ...Array.from({ length: 1_000 }, (_, n) => `c${n}`)];
    const contradicted = (conditions: readonly string[]) => conditions.filter((condition) => odd.has(condition));
    const venue: MarketFacts = {
      fetchMarketFacts: async (conditions) => ({
        found: new Map(),
        unasked: new Map(contradicted(conditions).map((condition) => [condition, 'two sources disagree'])),
      }),
    };
    const tape: TapeMarketsDeps['tape'] = {
      addRows: async () => {},
      unknownConditions: async () => [],
      unresolvedConditions: async () => all,
    };
    await refreshForBoard(createTapeMarkets({ tape, facts: venue, clock }));
    const fewer = { ...tape, unresolvedConditions: async () => all.slice(0, 1_000) };
    const tried = await refreshForBoard(createTapeMarkets({ tape: fewer, facts: venue, clock })).then(String, String);
    expect(tried, 'one in twenty').to.include('questions about 51 markets failed');
  });

  it('come to an end where more are unknown to the venue than are remembered', async () => {
    const [requestedMax, count] = [10_000, 11_000];
    const all = Array.from({ length: count }, (_, n) => `c${n}`);
    let questions = 0;
    const strangers: MarketFacts = {
      async fetchMarketFacts(conditions) {
        questions += conditions.length;
        if (questions > all.length) throw new Error('somebody is asked for again');
        return { found: new Map(), unasked: new Map() };
      },
    };
    const tape: TapeMarketsDeps['tape'] = {
      addRows: async () => {},
      unknownConditions: async (limit) => all.slice(0, limit),
      unresolvedConditions: async () => [],
    };
    const markets = createTapeMarkets({ tape, facts: strangers, clock, requestedMax });
    expect((await markets.refresh()).asked).to.be.at.least(requestedMax);
  });

  it('that the venue does not know are left alone for a while, and do not stand in the way of others', async () => {
    const markets = createTapeMarkets({ tape: fixture.tape, facts, clock });
    expect(await markets.refresh({ conditionsMax: 3 })).to.include({
      described: 0,
      resolved: 0,
      asked: 3,
      unasked: 0,
    });
    expect(await markets.refresh({ conditionsMax: 3 })).to.include({
      described: 0,
      resolved: 0,
      asked: 2,
      unasked: 0,
    });
    expect(requested.flat().toSorted()).to.deep.equal([0, 1, 2, 3, 4].map(hex64));
    expect(await markets.refresh()).to.include({ asked: 0 });
    clock.advance(ASK_AGAIN_MS);
    expect(await markets.refresh()).to.include({ asked: 5 });
  });

  it('keep what was learnt where a later question fails', async () => {
    report(...[0, 1, 2, 3, 4].map((n) => market(n, { scheduledEndS: null })));
    const failing: MarketFacts = {
      fetchMarketFacts: async (conditions) => {
        if (requested.length === 1) throw new OutsideError('gamma', 'down', { failure: 'retryable' });
        return facts.fetchMarketFacts(conditions);
      },
    };
    const markets = createTapeMarkets({ tape: fixture.tape, facts: failing, clock });
    await markets.refresh();
    clock.advance(ASK_AGAIN_MS);
    expect(await markets.refresh().catch((error: unknown) => error)).to.be.instanceOf(OutsideError);
    expect(await fixture.tape.unknownConditions(10)).to.deep.equal([]);
  });

  it('are asked for no more once it is told to stop', async () => {
    expect(
      await createTapeMarkets({ tape: fixture.tape, facts, clock }).refresh({ signal: AbortSignal.abort() }),
    ).to.include({ asked: 0 });
  });
});
