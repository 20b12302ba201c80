import { expect } from 'chai';
import { CATALOG_BUDGET, createHttpJson } from '#adapters/http-client/json';
import { createGammaCatalog, type GammaCatalog } from '#adapters/polymarket/gamma';
import { OutsideError, UnreadableAnswer } from '#domain/errors';
import { FEE_FREE, FEE_UNKNOWN } from '#domain/market';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { rejectionOf } from '#test/support/promises';
import { tokenId } from '#test/support/sample-markets';
import { hex64 } from '#test/support/trade-rows';

const CONDITION = hex64(0xab);
const MARKET = {
  conditionId: CONDITION,
  slug: 'a-market',
  question: 'Will it?',
  outcomes: '["Yes", "No"]',
  clobTokenIds: '["7", "8"]',
  active: true,
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
  feesEnabled: false,
};
const CLOSED = {
  ...MARKET,
  conditionId: `0x${'c'.repeat(64)}`,
  slug: 'a-closed-market',
  clobTokenIds: '["9", "10"]',
  closed: true,
};
const EVENT = { slug: 'an-event', title: 'Event', markets: [MARKET, CLOSED] };

type Row = Record<string, unknown> & { slug: string; closed?: boolean };

describe('the Gamma catalog', () => {
  let gamma: LoopbackServer;
  let clob: LoopbackServer;
  let catalog: GammaCatalog;
  let markets: Row[];
  let events: Row[];

  beforeEach(async () => {
    gamma = await startLoopbackServer();
    clob = await startLoopbackServer();
    const limits = { backoffFirstMs: 1, backoffMaxMs: 2 };
    const clock = new ManualClock();
    const http = (upstream: string, { baseUrl }: LoopbackServer) =>
      createHttpJson({ upstream, baseUrl, budget: CATALOG_BUDGET, clock, limits });
    catalog = createGammaCatalog({ gamma: http('gamma', gamma), clob: http('clob', clob) });
    markets = [MARKET, CLOSED];
    events = [EVENT];
    // As the venue does it: lists hold what is open unless closed ones alone are asked for.
    gamma.answer((request, response) => {
      const { pathname, searchParams } = new URL(request.url, gamma.baseUrl);
      const rows = pathname === '/markets' ? markets : events;
      const slug = searchParams.get('slug');
      const tokens = searchParams.getAll('clob_token_ids');
      // What it lists unasked has been the one and the other.
      const closed = searchParams.get('closed') !== 'false';
      const isRequested = (row: Row) =>
        (row.closed ?? false) === closed &&
        (slug === null || row.slug === slug) &&
        (tokens.length === 0 || tokens.some((token) => String(row.clobTokenIds).includes(`"${token}"`)));
      sendJson(response, rows.filter(isRequested));
    });
  });
  afterEach(async () => {
    await gamma.close();
    await clob.close();
  });

  it('finds an open market by its slug with one question', async () => {
    expect(await catalog.fetchMarketBySlug('a-market')).to.include({ slug: 'a-market', conditionId: CONDITION });
    expect(gamma.seen.map((request) => request.url)).to.deep.equal(['/markets?slug=a-market&closed=false']);
    expect(clob.seen).to.deep.equal([]);
  });

  it('finds a closed market with a second look', async () => {
    expect((await catalog.fetchMarketBySlug('a-closed-market'))?.status.closed).to.equal(true);
    expect(gamma.seen.map(({ url }) => url)).to.deep.equal([
      '/markets?slug=a-closed-market&closed=false',
      '/markets?slug=a-closed-market&closed=true',
    ]);
  });

  it('finds markets by either token, open and closed', async () => {
    expect((await catalog.fetchMarketByToken(tokenId('8')))?.slug).to.equal('a-market');
    expect((await catalog.fetchMarketByToken(tokenId('10')))?.slug).to.equal('a-closed-market');
    expect(await catalog.fetchMarketByToken(tokenId('11'))).to.equal(null);
  });

  it('finds the open markets of many tokens in few questions, and leaves out what is to be asked for by itself', async () => {
    const open = Array.from({ length: 45 }, (_, n) => ({
      ...MARKET,
      slug: `market-${n}`,
      clobTokenIds: `["1${n}0", "1${n}1"]`,
    }));
    markets = [...open, CLOSED, { ...MARKET, slug: 'no-fee', feesEnabled: true, clobTokenIds: '["500", "501"]' }];
    const requested = [...open.map((_, n) => `1${n}0`), '10', '500', '7', '100'].map(tokenId);
    const found = await catalog.fetchMarketsByTokens(requested);
    expect(found.map(({ slug }) => slug)).to.deep.equal(open.map(({ slug }) => slug));
    expect(gamma.seen.map(({ url }) => new URL(url, gamma.baseUrl).searchParams.get('limit'))).to.deep.equal([
      '40',
      '8',
    ]);
    expect(clob.seen).to.deep.equal([]);
    gamma.answer((_, response) => sendJson(response, [MARKET, 'no market', ...open]));
    expect((await catalog.fetchMarketsByTokens([tokenId('8')])).map(({ slug }) => slug)).to.deep.equal(['a-market']);
  });

  it('finds an event with all its markets, and a closed event with a second look', async () => {
    expect((await catalog.fetchEventBySlug('an-event'))?.markets.map((market) => market.slug)).to.deep.equal([
      'a-market',
      'a-closed-market',
    ]);
    events = [{ ...EVENT, closed: true }];
    expect((await catalog.fetchEventBySlug('an-event'))?.title).to.equal('Event');
    expect(await catalog.fetchEventBySlug('no-event')).to.equal(null);
  });

  it('knows no market where the venue does not, or has one that cannot be priced', async () => {
    expect(await catalog.fetchMarketBySlug('no-market')).to.equal(null);
    markets = [{ ...MARKET, outcomes: '["A", "B", "C"]' }];
    expect(await catalog.fetchMarketBySlug('a-market')).to.equal(null);
  });

  it('does not take a market that was not asked for', async () => {
    gamma.answer((_, response) => sendJson(response, [CLOSED, MARKET]));
    expect((await catalog.fetchMarketBySlug('a-market'))?.slug).to.equal('a-market');
    expect((await catalog.fetchMarketBySlug('A-Market'))?.slug, 'one name in any case').to.equal('a-market');
    expect(await rejectionOf(catalog.fetchMarketBySlug('another'))).to.be.instanceOf(UnreadableAnswer);
    expect(await rejectionOf(catalog.fetchMarketByToken(tokenId('99')))).to.be.instanceOf(UnreadableAnswer);
  });

  it('finds what is asked for beside a row that cannot be read, and knows nothing where that may be it', async () => {
    const torn = { ...MARKET, conditionId: undefined };
    markets = [torn, MARKET];
    expect((await catalog.fetchMarketBySlug('a-market'))?.slug).to.equal('a-market');
    markets = [torn];
    expect(await rejectionOf(catalog.fetchMarketBySlug('a-market'))).to.be.instanceOf(UnreadableAnswer);
    expect(await rejectionOf(catalog.fetchMarketByToken(tokenId('7')))).to.be.instanceOf(UnreadableAnswer);
    events = [{ ...EVENT, markets: [torn, MARKET] }];
    expect(await catalog.fetchEventBySlug('an-event')).to.include({ listedCount: 2, unreadableCount: 1 });
    events = [{ ...EVENT, markets: null }];
    expect(await rejectionOf(catalog.fetchEventBySlug('an-event'))).to.be.instanceOf(UnreadableAnswer);
  });

  const notGammas: readonly (readonly [string, number, string])[] = [
    ['a page of HTML', 404, '<!DOCTYPE html><title>404 Not Found</title>'],
    ['other JSON', 404, '{"message":"no such route"}'],
    ['an error of another form', 422, '{"error":"blocked"}'],
    ['a text', 400, 'Bad Request'],
    ['nothing', 404, ''],
    ['a page of HTML in place of a list', 200, '<html></html>'],
    ['an object in place of a list', 200, '{"markets":[]}'],
    ['nothing in place of a list', 200, ''],
  ];
  for (const [what, status, body] of notGammas) {
    it(`takes for no absence what is not Gamma's own: ${what} (${status})`, async () => {
      gamma.answer((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body));
      for (const answer of [
        catalog.fetchMarketBySlug('a-market'),
        catalog.fetchMarketByToken(tokenId('7')),
        catalog.fetchEventBySlug('an-event'),
        catalog.fetchMarketsByTokens([tokenId('7')]),
      ])
        expect(await rejectionOf(answer)).to.be.instanceOf(OutsideError);
    });
  }

  it('takes a slug that Gamma refuses as unknown, and any other trouble as trouble', async () => {
    for (const [status, type] of [
      [422, 'validation error'],
      [404, 'not found error'],
    ] as const) {
      gamma.answer((_, response) => sendJson(response, { type, error: 'invalid slug' }, status));
      expect(await catalog.fetchMarketBySlug('a-market')).to.equal(null);
    }
    gamma.answer((_, response) => sendJson(response, { error: 'blocked' }, 403));
    expect(await catalog.fetchMarketBySlug('a-market').catch((e: unknown) => e)).to.be.instanceOf(OutsideError);
    gamma.answer((_, response) => sendJson(response, { markets: [] }));
    expect(await catalog.fetchMarketBySlug('a-market').catch((e: unknown) => e)).to.be.instanceOf(OutsideError);
    gamma.answer((_, response) => sendJson(response, {}, 500));
    expect(await catalog.fetchEventBySlug('an-event').catch((e: unknown) => e)).to.be.instanceOf(OutsideError);
    expect(catalog.health()).to.include({ name: 'gamma', ok: false });
  });

  it('asks the CLOB for a fee that Gamma does not tell', async () => {
    markets = [{ ...MARKET, feesEnabled: true }];
    clob.answer((_, response) =>
      sendJson(response, { c: CONDITION.replace('ab', 'AB'), fd: { r: 0.04, e: 1, to: true } }),
    );
    expect((await catalog.fetchMarketBySlug('a-market'))?.fee).to.deep.equal({
      rate: 0.04,
      exponent: 1,
      category: 'clob fd',
      known: true,
    });
    expect(clob.seen.map((request) => request.url)).to.deep.equal([`/clob-markets/${CONDITION}`]);
    clob.answer((_, response) => sendJson(response, { c: CONDITION }));
    expect((await catalog.fetchMarketByToken(tokenId('7')))?.fee, 'one of two says so').to.deep.equal(FEE_UNKNOWN);
    markets = [{ ...MARKET, feesEnabled: undefined }];
    expect((await catalog.fetchMarketByToken(tokenId('7')))?.fee).to.deep.equal(FEE_FREE);
  });

  it('asks the CLOB where what Gamma tells of a fee cannot be read, and not where it can', async () => {
    clob.answer((_, response) => sendJson(response, { c: CONDITION, fd: { r: '0.05', e: 0.5, to: true } }));
    const feeBy = async (facts: object) => {
      markets = [{ ...MARKET, feesEnabled: true, ...facts }];
      const { rate, exponent, known } = (await catalog.fetchMarketBySlug('a-market'))!.fee;
      return [rate, exponent, known, clob.seen.length];
    };
    expect(await feeBy({ feeSchedule: { rate: '0.04', exponent: 1 } })).to.deep.equal([0.04, 1, true, 0]);
    expect(await feeBy({ feeSchedule: { rate: 0 } })).to.deep.equal([0, 1, true, 0]);
    expect(await feeBy({ feeType: 'zero_fees' })).to.deep.equal([0, 1, true, 0]);
    expect(await feeBy({ feeSchedule: { rate: 'five', exponent: 1 } })).to.deep.equal([0.05, 0.5, true, 1]);
    expect(await feeBy({ feeSchedule: { rate: 0.05 } })).to.deep.equal([0.05, 0.5, true, 2]);
  });

  it('believes the CLOB that it takes no orders, where it is asked for the fee', async () => {
    markets = [{ ...MARKET, feesEnabled: true }];
    for (const [ao, expected] of [
      [false, false],
      ['false', false],
      [true, true],
      [null, true],
      [undefined, true],
    ] as const) {
      clob.answer((_, response) => sendJson(response, { c: CONDITION, ao, fd: { r: 0.04, e: 1 } }));
      const { status, fee } = (await catalog.fetchMarketBySlug('a-market'))!;
      expect([status.acceptingOrders, fee.rate], String(ao)).to.deep.equal([expected, 0.04]);
    }
  });

  it('assumes the worst fee where the CLOB cannot tell it either', async () => {
    markets = [{ ...MARKET, feesEnabled: undefined }];
    for (const [status, body] of [
      [404, { error: 'not found' }],
      [500, {}],
      [200, { c: hex64(0xff) }],
      [200, 'text'],
    ] as const) {
      clob.answer((_, response) => sendJson(response, body, status));
      expect((await catalog.fetchMarketBySlug('a-market'))?.fee, `${status}`).to.deep.equal(FEE_UNKNOWN);
    }
  });

  it('does not ask the CLOB about all the markets of an event', async () => {
    events = [{ ...EVENT, markets: [{ ...MARKET, feesEnabled: true }] }];
    expect((await catalog.fetchEventBySlug('an-event'))?.markets[0]?.fee).to.deep.equal(FEE_UNKNOWN);
    expect(clob.seen).to.deep.equal([]);
  });

  it('writes a slug into the address so that it stays one parameter', async () => {
    expect(await catalog.fetchMarketBySlug('a&closed=true#x')).to.equal(null);
    expect(gamma.seen[0]?.url).to.equal('/markets?slug=a%26closed%3Dtrue%23x&closed=false');
  });
});
