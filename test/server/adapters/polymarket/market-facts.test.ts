import { expect } from 'chai';
import { CATALOG_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { createMarketFacts } from '#adapters/polymarket/market-facts';
import { OutsideError } from '#domain/errors';
import type { TapeMarket } from '#domain/rating/tape-market';
import { capture, readCaptureJson } from '#test/support/captures';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { hex64 } from '#test/support/trade-rows';

type Row = Record<string, unknown>;

/** Market n of the tests: open, politics, free of trouble. */
const market = (n: number, fields: Row = {}): Row => ({
  conditionId: hex64(n),
  slug: `market-${n}`,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.4", "0.6"]',
  clobTokenIds: `["${n}1", "${n}2"]`,
  closed: false,
  endDate: '2026-06-30T12:00:00Z',
  feesEnabled: true,
  feeType: 'politics_fees',
  feeSchedule: { rate: 0.04, exponent: 1 },
  events: [{ slug: `event-${n}`, seriesSlug: '' }],
  ...fields,
});
const decided: Row = { closed: true, outcomePrices: '["0", "1"]', closedTime: '2026-06-30 13:00:00+00' };
const NOW_S = Date.parse('2026-06-29T00:00:00Z') / 1_000;
const CLOSED_S = Date.parse('2026-06-30T13:00:00Z') / 1_000;

describe('markets as ratings need them', () => {
  let gamma: LoopbackServer;
  let clob: LoopbackServer;
  let data: LoopbackServer;
  let facts: ReturnType<typeof createMarketFacts>;
  let markets: Row[];
  /** Of /v2/resolutions; null: there is no second version. */
  let resolutions: Row[] | null;
  let clobAnswers: Map<string, unknown>;

  beforeEach(async () => {
    [gamma, clob, data] = await Promise.all([startLoopbackServer(), startLoopbackServer(), startLoopbackServer()]);
    const limits = { backoffFirstMs: 1, backoffMaxMs: 2, breakerFailures: 100 };
    const clock = new ManualClock(NOW_S * 1e3);
    const http = (upstream: string, { baseUrl }: LoopbackServer) =>
      createHttpJson({ upstream, baseUrl, budget: CATALOG_BUDGET, clock, limits });
    facts = createMarketFacts({
      gamma: http('gamma', gamma),
      clob: http('clob', clob),
      data: http('data', data),
      clock,
    });
    [markets, resolutions, clobAnswers] = [[market(1)], [], new Map()];
    gamma.answer((request, response) => {
      const query = new URL(request.url, gamma.baseUrl).searchParams;
      const isRequested = (row: Row) =>
        (row.closed ?? false) === (query.get('closed') === 'true') &&
        (query.getAll('condition_ids').includes(String(row.conditionId)) ||
          query.getAll('clob_token_ids').some((token) => String(row.clobTokenIds).includes(`"${token}"`)));
      sendJson(response, markets.filter(isRequested).slice(0, Math.min(100, Number(query.get('limit') ?? 20))));
    });
    clob.answer((request, response) => {
      const answer = clobAnswers.get(request.url);
      sendJson(response, answer ?? { error: 'not found' }, answer === undefined ? 404 : 200);
    });
    data.answer((request, response) => {
      const requested = new URL(request.url, data.baseUrl).searchParams.get('condition')?.split(',') ?? [];
      if (resolutions === null) return sendJson(response, { error: 'not found' }, 404);
      return sendJson(response, { data: resolutions.filter((row) => requested.includes(String(row.condition_id))) });
    });
  });
  afterEach(() => Promise.all([gamma.close(), clob.close(), data.close()]));

  const factsOf = async (n: number): Promise<TapeMarket | undefined> =>
    (await facts.fetchMarketFacts([hex64(n)])).found.get(hex64(n));
  const whyOf = async (n: number): Promise<string | undefined> =>
    (await facts.fetchMarketFacts([hex64(n)])).unasked.get(hex64(n));

  it('are told whole for an open market, which Gamma is asked for twice', async () => {
    expect(await factsOf(1)).to.deep.equal({
      condition: hex64(1),
      event: 'event-1',
      slug: 'market-1',
      category: 'politics',
      feeRateMicros: 40_000,
      upDown: false,
      scheduledEndS: Date.parse('2026-06-30T12:00:00Z') / 1_000,
      resolvedAtS: null,
      payoutMicros: null,
    } satisfies TapeMarket);
    expect([gamma.seen.length, clob.seen.length, data.seen.length]).to.deep.equal([2, 0, 0]);
  });

  it('are absent where the venue knows none, and ids of another kind are not asked for', async () => {
    const nothing = { found: new Map(), unasked: new Map() };
    expect(await facts.fetchMarketFacts([hex64(2), 'c17', ''])).to.deep.equal(nothing);
    expect(gamma.seen.every(({ url }) => !url.includes('c17'))).to.equal(true);
    expect(await facts.fetchMarketFacts(['c17'])).to.deep.equal(nothing);
    expect(gamma.seen).to.have.length(4);
  });

  it('are asked for in groups, open and closed, also more than Gamma lists by itself', async () => {
    markets = Array.from({ length: 95 }, (_, n) => market(n, n % 3 === 0 ? decided : {}));
    const { found } = await facts.fetchMarketFacts(markets.map(({ conditionId }) => String(conditionId)));
    expect([found.size, gamma.seen.length]).to.deep.equal([95, 12]);
    expect([...found.values()].filter(({ payoutMicros }) => payoutMicros !== null)).to.have.length(32);
    expect(gamma.seen.every(({ url }) => url.length < 6_000)).to.equal(true);
  });

  it('take the payout vector before everything else', async () => {
    markets = [market(1, decided)];
    resolutions = [
      { condition_id: hex64(1), status: 'resolved', payouts: [500_000, 500_000], resolved_at: '2026-07-01T00:00:00Z' },
    ];
    expect(await factsOf(1)).to.deep.include({ payoutMicros: [500_000, 500_000], resolvedAtS: 1_782_864_000 });
    expect(clob.seen).to.deep.equal([]);
  });

  it('stay undecided while the oracle has not spoken, whatever prices and flags say', async () => {
    markets = [market(1, decided)];
    resolutions = [{ condition_id: hex64(1), status: 'disputed' }];
    clobAnswers.set(`/markets/${hex64(1)}`, {
      condition_id: hex64(1),
      closed: true,
      tokens: [{ token_id: '11', winner: true }],
    });
    expect(await factsOf(1)).to.deep.include({ payoutMicros: null, resolvedAtS: null });
  });

  it('stay undecided where nobody tells when it was decided: a result without its moment would never be asked for again', async () => {
    markets = [market(1, { ...decided, closedTime: null, umaEndDate: null })];
    expect(await factsOf(1)).to.deep.include({ payoutMicros: null, resolvedAtS: null });
    resolutions = [
      { condition_id: hex64(1), status: 'resolved', payouts: [0, 1_000_000], resolved_at: '2026-07-01T00:00:00Z' },
    ];
    expect(await factsOf(1)).to.deep.include({ payoutMicros: [0, 1_000_000], resolvedAtS: 1_782_864_000 });
  });

  for (const [what, absent] of [
    ['has no resolutions', null],
    ['does not know this one', []],
  ] as const) {
    it(`take Gamma’s clear winner where the Data API ${what}`, async () => {
      [markets, resolutions] = [[market(1, decided)], absent === null ? null : []];
      expect(await factsOf(1)).to.deep.include({
        payoutMicros: [0, 1_000_000],
        payoutSource: 'price',
        resolvedAtS: CLOSED_S,
      });
    });
  }

  it('take the CLOB’s winner flags where Gamma is unclear, and 50/50 from it alone', async () => {
    const unclear = { ...decided, outcomePrices: '["0.5", "0.5"]' };
    markets = [market(1, unclear), market(2, unclear), market(3, unclear), market(4, unclear)];
    const answer = (n: number, fields: Row, winner: string | null) =>
      clobAnswers.set(`/markets/${hex64(n)}`, {
        condition_id: hex64(n),
        closed: true,
        is_50_50_outcome: false,
        tokens: [`${n}2`, `${n}1`].map((token) => ({ token_id: token, winner: token === winner })),
        ...fields,
      });
    answer(1, {}, '12');
    answer(2, { is_50_50_outcome: true }, null);
    answer(3, {}, null);
    answer(4, { condition_id: hex64(1) }, '42');
    const { found } = await facts.fetchMarketFacts(markets.map(({ conditionId }) => String(conditionId)));
    expect([1, 2, 3, 4].map((n) => found.get(hex64(n))?.payoutMicros)).to.deep.equal([
      [0, 1_000_000],
      [500_000, 500_000],
      null,
      null,
    ]);
    expect(found.get(hex64(1))?.payoutSource).to.equal('clob');
  });

  const failures: readonly (readonly [string, () => void, string])[] = [
    ['the Data API is down', () => data.answer((_, response) => response.writeHead(500).end()), 'data'],
    ['the Data API answers something else', () => data.answer((_, response) => sendJson(response, [])), 'be read'],
    ['a resolution cannot be read', () => report({ payouts: '1,0' }), 'its resolution cannot be read'],
    ['a resolution names no market', () => report({ condition_id: 7 }), 'the resolutions cannot be read'],
    ['a resolved market pays two dollars', () => report({ payouts: [1_000_000, 1_000_000] }), 'cannot be read'],
    ['Gamma calls it resolved, and it is disputed', () => report({ status: 'disputed' }), 'Gamma calls it resolved'],
    ['the CLOB is down', () => clob.answer((_, response) => response.writeHead(500).end()), 'clob'],
    ['the CLOB speaks of another market', () => flag({ condition_id: hex64(2) }, '12'), 'something else'],
    ['CLOB and price name two winners', () => flag({}, '11'), 'Gamma and the CLOB name different winners'],
  ];
  const report = (fields: Row) => {
    data.answer((_, response) => {
      sendJson(response, {
        data: [{ condition_id: hex64(1), status: 'resolved', payouts: [0, 1_000_000], ...fields }],
      });
    });
  };
  const flag = (fields: Row, winner: string) => {
    const tokens = ['11', '12'].map((token) => ({ token_id: token, winner: token === winner }));
    clobAnswers.set(`/markets/${hex64(1)}`, {
      condition_id: hex64(1),
      closed: true,
      is_50_50_outcome: false,
      tokens,
      ...fields,
    });
  };
  for (const [what, fail, why] of failures) {
    it(`are told without a payout, and why, where ${what}`, async () => {
      markets = [market(1, { ...decided, umaResolutionStatus: 'resolved' })];
      fail();
      expect(await factsOf(1)).to.deep.include({ payoutMicros: null, resolvedAtS: null });
      expect(await whyOf(1)).to.include(why);
    });
  }

  it('are told by the vector where Gamma still lists them as open, once they should have ended', async () => {
    markets = [market(1, { endDate: '2026-06-28T00:00:00Z' }), market(2)];
    report({ resolved_at: '2026-06-28T01:00:00Z' });
    expect(await factsOf(1)).to.deep.include({ payoutMicros: [0, 1_000_000], payoutSource: 'vector' });
    const requested = data.seen.length;
    expect(await factsOf(2)).to.deep.include({ payoutMicros: null });
    expect(data.seen.length).to.equal(requested);
  });

  it('are not told at all where their row cannot be read, and others are', async () => {
    markets = [market(1, { endDate: 'soon' }), market(2)];
    const received = await facts.fetchMarketFacts([hex64(1), hex64(2)]);
    expect([...received.found.keys()]).to.deep.equal([hex64(2)]);
    expect([...received.unasked]).to.deep.equal([[hex64(1), 'Gamma cannot be read, or contradicts itself']]);
  });

  it('are told without an end where those of their event have none', async () => {
    const events = [{ slug: 'what-will-happen', seriesSlug: '' }];
    markets = Array.from({ length: 7 }, (_, n) => market(n + 1, { endDate: null, events }));
    const received = await facts.fetchMarketFacts(markets.map((_, n) => hex64(n + 1)));
    expect([received.found.size, received.unasked.size]).to.deep.equal([7, 0]);
    expect([...received.found.values()].map(({ scheduledEndS }) => scheduledEndS)).to.deep.equal(Array(7).fill(null));
  });

  it('are not told where Gamma loses a field on the way, or loses the ends of all', async () => {
    markets = [1, 2, 3, 4, 5].map((n) => market(n));
    const conditions = markets.map(({ conditionId }) => String(conditionId));
    let requested = 0;
    const losing = (isLost: () => boolean) => {
      gamma.answer((request, response) => {
        const ids = new URL(request.url, gamma.baseUrl).searchParams.getAll('condition_ids');
        const rows = markets.filter(({ conditionId }) => ids.includes(String(conditionId)));
        if (request.url.includes('closed=true')) return sendJson(response, []);
        return sendJson(response, isLost() ? rows.map((row) => ({ ...row, endDate: undefined })) : rows);
      });
    };
    losing(() => requested++ === 0);
    const once = await facts.fetchMarketFacts(conditions);
    expect([once.found.size, once.unasked.size]).to.deep.equal([0, 5]);
    losing(() => true);
    const always = await facts.fetchMarketFacts(conditions);
    expect([always.found.size, always.unasked.size]).to.deep.equal([0, 5]);
    const four = await facts.fetchMarketFacts(conditions.slice(0, 4));
    expect([four.found.size, four.unasked.size], 'a few may have none').to.deep.equal([4, 0]);
  });

  it('are not charged by a table while the question for their fee fails', async () => {
    markets = [market(1, { feeSchedule: null })];
    clob.answer((_, response) => response.writeHead(500).end());
    expect([await factsOf(1), await whyOf(1)]).to.deep.equal([undefined, 'its fee cannot be asked for']);
  });

  it('reject where Gamma fails, refuses or answers something else', async () => {
    for (const [status, body] of [
      [500, {}],
      [403, {}],
      [200, { markets: [] }],
    ] as const) {
      gamma.answer((_, response) => sendJson(response, body, status));
      expect(await factsOf(1).catch((error: unknown) => error), `${status}`).to.be.instanceOf(OutsideError);
    }
  });

  it('are not taken where they were not asked for', async () => {
    gamma.answer((_, response) => sendJson(response, [market(7), null, {}, market(1)]));
    expect([...(await facts.fetchMarketFacts([hex64(1)])).found.keys()]).to.deep.equal([hex64(1)]);
  });

  it('are charged by the CLOB’s word where Gamma has none, and by the table where neither has', async () => {
    const silent = { feesEnabled: true, feeSchedule: null, feeType: null, tags: [{ slug: 'crypto' }] };
    markets = [1, 2, 3, 4].map((n) => market(n, n === 2 ? { ...silent, feesEnabled: null } : silent));
    clobAnswers.set(`/clob-markets/${hex64(1)}`, { c: hex64(1), fd: { r: 0.03, e: 1 } });
    clobAnswers.set(`/clob-markets/${hex64(2)}`, { c: hex64(2) });
    // Gamma says that it has fees: it is not told before both say the same.
    clobAnswers.set(`/clob-markets/${hex64(4)}`, { c: hex64(4) });
    const { found } = await facts.fetchMarketFacts([1, 2, 3, 4].map(hex64));
    expect([1, 2, 3, 4].map((n) => found.get(hex64(n))?.feeRateMicros)).to.deep.equal([30_000, 0, 70_000, undefined]);
  });

  it('are charged what Gamma says in full, and nothing where it says so by the fee type, without asking the CLOB', async () => {
    const sports = { feesEnabled: true, feeType: 'sports_fees_v2', feeSchedule: null };
    markets = [
      market(1, { ...sports, feeSchedule: { rate: '0.03', exponent: '1' } }),
      market(2, { ...sports, feeSchedule: { rate: 0, exponent: 0 } }),
      market(3, { ...sports, feeType: 'zero_fees' }),
      // A rate without its exponent is not all of a fee.
      market(4, { ...sports, feeSchedule: { rate: 0.04 } }),
    ];
    clobAnswers.set(`/clob-markets/${hex64(4)}`, { c: hex64(4), fd: { r: 0.05, e: 1 } });
    const { found } = await facts.fetchMarketFacts([1, 2, 3, 4].map(hex64));
    expect([1, 2, 3, 4].map((n) => found.get(hex64(n))?.feeRateMicros)).to.deep.equal([30_000, 0, 0, 50_000]);
    expect(clob.seen.map(({ url }) => url)).to.deep.equal([`/clob-markets/${hex64(4)}`]);
  });

  it('know crypto up/down markets, and games by their start', async function () {
    capture(this, 'gamma');
    const upDown = readCaptureJson('gamma/gamma_market_updown.2026-06.json') as Row;
    const game = readCaptureJson('gamma/gamma_market_sports_market_money_line.json') as Row;
    markets = [upDown, game];
    const { found } = await facts.fetchMarketFacts(markets.map(({ conditionId }) => String(conditionId)));
    expect(found.get(String(upDown.conditionId))).to.deep.include({
      upDown: true,
      category: 'crypto',
      feeRateMicros: 70_000,
    });
    expect(found.get(String(game.conditionId))).to.deep.include({
      upDown: false,
      category: 'sports',
      feeRateMicros: 30_000,
      scheduledEndS: Date.parse('2026-04-05T15:10:00Z') / 1_000,
      resolvedAtS: Date.parse('2026-04-05T19:37:33Z') / 1_000,
      payoutMicros: [1_000_000, 0],
    });
  });

  it('tell where tokens belong, open and closed', async () => {
    markets = [market(1), market(2, decided)];
    expect(await facts.findOutcomes(['11', '22', '99', 'no token'])).to.deep.equal(
      new Map([
        ['11', { condition: hex64(1), event: 'event-1', outcomeIndex: 0 }],
        ['12', { condition: hex64(1), event: 'event-1', outcomeIndex: 1 }],
        ['21', { condition: hex64(2), event: 'event-2', outcomeIndex: 0 }],
        ['22', { condition: hex64(2), event: 'event-2', outcomeIndex: 1 }],
      ]),
    );
  });
});
