import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import {
  getJson,
  type Json,
  marketBySlug,
  postJson,
  StillClock,
  stillVenue,
  tokensOf,
} from '../support/venue-harness.js';

describe('local venue: what it lists', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await stillVenue();
  });
  after(() => venue.close());

  const gamma = (path: string) => getJson(`${venue.gammaUrl}${path}`);
  const clob = (path: string) => getJson(`${venue.clobUrl}${path}`);
  const gammaMarket = async (part: string) => gamma(`/markets/slug/${marketBySlug(venue, part).slug}`);

  it('lists at least twelve markets with 77-digit tokens and conditions of 32 bytes, or 31 in the second protocol', () => {
    expect(venue.markets.length).to.be.at.least(12);
    for (const market of venue.markets) {
      expect(market.conditionId).to.match(
        market.description.includes('second protocol') ? /^0x01[0-9a-f]{60}$/ : /^0x[0-9a-f]{64}$/,
      );
      for (const { tokenId } of market.outcomes) expect(tokenId).to.match(/^[1-9][0-9]{76}$/);
    }
    const tokens = venue.markets.flatMap((market) => market.outcomes.map((outcome) => outcome.tokenId));
    expect(new Set(tokens).size).to.equal(tokens.length);
  });

  it('is the same venue after a restart, and takes the same course from the same seed', async () => {
    const again = await stillVenue();
    try {
      venue.step(40);
      again.step(40);
      expect(again.markets).to.deep.equal(venue.markets);
      const ask = venue.markets.flatMap(tokensOf).map((token_id) => ({ token_id }));
      const [one, two] = await Promise.all([venue, again].map((each) => postJson(`${each.clobUrl}/books`, ask)));
      expect(await two?.json()).to.deep.equal(await one?.json());
    } finally {
      await again.close();
    }
  });

  it('lists a crowd of ordinary markets if it is asked to, each with a book of its own, and the usual ones as before', async () => {
    const crowded = await stillVenue({ bulkMarkets: 40 });
    try {
      const usual = crowded.markets.filter(({ slug }) => !slug.startsWith('crowd-'));
      expect(usual).to.deep.equal(venue.markets);
      const crowd = crowded.markets.filter(({ slug }) => slug.startsWith('crowd-'));
      const ask = crowd.map((market) => ({ token_id: tokensOf(market)[0] }));
      const books = (await (await postJson(`${crowded.clobUrl}/books`, ask)).json()) as {
        bids: object[];
        asks: object[];
      }[];
      expect(new Set(books.map(({ bids, asks }) => JSON.stringify([bids, asks]))).size).to.equal(40);
      for (const { bids, asks } of books) expect(Math.min(bids.length, asks.length)).to.be.above(0);
    } finally {
      await crowded.close();
    }
  });

  it('hides closed markets from /markets unless asked for them, but not from the slug path', async () => {
    const { slug } = marketBySlug(venue, 'referendum');
    expect(await gamma(`/markets?slug=${slug}`)).to.deep.equal([]);
    const [closed] = await gamma(`/markets?slug=${slug}&closed=true`);
    expect(closed).to.include({ closed: true, acceptingOrders: true, umaResolutionStatus: 'resolved' });
    expect(JSON.parse(closed.outcomePrices)).to.deep.equal(['1', '0']);
    expect((await gamma(`/markets/slug/${slug}`)).slug).to.equal(slug);
    expect((await gamma(`/events?slug=${slug}&closed=true`))[0].markets[0].closed).to.equal(true);
  });

  it('lists the closed ones alone of /events where it is not told which, as the venue did in May and August', async () => {
    const [open, closed] = ['snap-election', 'referendum'].map((part) => marketBySlug(venue, part).eventSlug);
    expect(await gamma(`/events?slug=${open}`)).to.deep.equal([]);
    expect(await gamma(`/events?slug=${closed}`)).to.have.length(1);
    expect(await gamma(`/events?slug=${open}&closed=false`)).to.have.length(1);
  });

  it('finds a market by slug, token and condition, with lists hidden in strings', async () => {
    const market = marketBySlug(venue, 'snap-election');
    const [token] = tokensOf(market);
    const found = await Promise.all([
      gamma(`/markets?slug=${market.slug}`),
      gamma(`/markets?clob_token_ids=${token}`),
      gamma(`/markets?condition_ids=${market.conditionId}`),
    ]);
    for (const [row] of found) expect(row.slug).to.equal(market.slug);
    const row = found[0][0];
    expect(row.outcomes).to.equal('["Yes", "No"]');
    expect(JSON.parse(row.clobTokenIds)).to.deep.equal(tokensOf(market));
    expect(row.volume).to.be.a('string');
    expect(row.volumeNum).to.be.a('number');
    expect(row.events[0]).to.not.have.any.keys('markets', 'tags');
  });

  it('answers 404 for unknown slugs and an empty list for unknown filters', async () => {
    const response = await fetch(`${venue.gammaUrl}/markets/slug/no-such-market`);
    expect(response.status).to.equal(404);
    expect(await response.json()).to.have.property('error', 'slug not found');
    expect(await gamma('/markets?slug=no-such-market')).to.deep.equal([]);
    expect((await fetch(`${venue.gammaUrl}/events/slug/no-such-event`)).status).to.equal(404);
  });

  it('holds one negRisk event with named outcomes, placeholders and Other', async () => {
    const [event] = await gamma('/events?slug=arcadia-presidential-election-winner&closed=false');
    expect(event).to.include({ negRisk: true, negRiskAugmented: true });
    const named = event.markets.filter((market: Json) => market.active && !market.negRiskOther);
    expect(named.length).to.be.at.least(4);
    for (const market of event.markets) expect(market.negRiskMarketID).to.equal(event.negRiskMarketID);
    const placeholders = event.markets.filter((market: Json) => !market.active);
    expect(placeholders.map((market: Json) => market.groupItemTitle)).to.deep.equal(['Person A', 'Person B']);
    for (const market of placeholders)
      expect(market).to.include({ acceptingOrders: true }).and.not.have.property('outcomePrices');
    const sum = named.reduce((total: number, market: Json) => total + Number(JSON.parse(market.outcomePrices)[0]), 0);
    expect(sum).to.be.within(0.85, 1.05);
  });

  it('shows every kind of fee where the venue shows it', async () => {
    const info = async (part: string) => clob(`/clob-markets/${marketBySlug(venue, part).conditionId}`);
    const cases: [string, string | null, number | null, boolean][] = [
      ['snap-election', 'politics_fees', 0.04, true],
      ['mlb-hbr', 'sports_fees_v3', 0.05, true],
      ['nba-kgs', 'sports_fees_v2', 0.03, true],
      ['btc-updown-5m', 'crypto_fees_v2', 0.07, true],
      ['brightwater', 'weather_fees', 0.05, false],
      ['ceasefire', null, null, false],
    ];
    for (const [part, feeType, rate, onGamma] of cases) {
      const market = await gammaMarket(part);
      expect(market.feeType, part).to.equal(feeType);
      expect(market.feesEnabled).to.equal(feeType !== null);
      expect(market.feeSchedule?.rate ?? null).to.equal(onGamma ? rate : null);
      expect((await info(part)).fd ?? null).to.deep.equal(rate === null ? null : { r: rate, e: 1, to: true });
    }
  });

  it('tells sports delay, event slugs that differ, and a resolution under way', async () => {
    expect(await gammaMarket('mlb-hbr')).to.include({ secondsDelay: 3, sportsMarketType: 'moneyline' });
    expect(await gammaMarket('snap-election')).to.not.have.property('secondsDelay');
    const budget = await gammaMarket('arcadia-budget');
    expect(budget.events[0].slug).to.equal('arcadia-budget-2027').and.not.equal(budget.slug);
    const tunnel = marketBySlug(venue, 'tunnel');
    expect(await gammaMarket('tunnel')).to.include({ umaResolutionStatus: 'proposed', active: true, closed: false });
    expect((await fetch(`${venue.clobUrl}/book?token_id=${tokensOf(tunnel)[0]}`)).status).to.equal(404);
  });

  it('pages by cursor through open markets only, and refuses offset', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const after = cursor === undefined ? '' : `&after_cursor=${cursor}`;
      const page = await gamma(`/markets/keyset?limit=30${after}`);
      expect(page.markets.length).to.be.at.most(30);
      seen.push(...page.markets.map((market: Json) => market.slug));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const open = venue.markets.filter((market) => market.hasBook || market.slug.includes('tunnel'));
    // Beside the markets of today there are those of the planned past that are still open.
    expect(seen).to.include.members(open.map((market) => market.slug));
    expect(new Set(seen).size).to.equal(seen.length).and.above(open.length);
    expect(seen).to.not.include(marketBySlug(venue, 'referendum').slug);
    expect((await fetch(`${venue.gammaUrl}/markets/keyset?offset=5`)).status).to.equal(422);
    expect((await fetch(`${venue.gammaUrl}/events/keyset?order=volume_num`)).status).to.equal(422);
    expect((await gamma('/events/keyset?limit=2')).events).to.have.length(2);
  });

  const STRANGE_PATHS: readonly [
    api: 'gammaUrl' | 'clobUrl' | 'dataUrl',
    path: string,
    status: number,
    body: object,
  ][] = [
    ['gammaUrl', '/weather', 404, { type: 'not found error', error: 'path not found' }],
    ['gammaUrl', '/markets/slug/%ff', 400, { type: 'validation error', error: 'request is not valid' }],
    ['clobUrl', '/orderbook-history?market=1', 404, { error: 'not found' }],
    ['clobUrl', '/markets-by-token/%ff', 400, { error: 'Invalid payload' }],
    ['dataUrl', '/v2/weather', 404, { error: 'not found' }],
    ['dataUrl', '/weather', 404, { error: 'not found' }],
  ];

  for (const [api, path, status, body] of STRANGE_PATHS) {
    it(`refuses ${path} in the venue’s own form, as JSON`, async () => {
      const answer = await fetch(venue[api] + path);
      expect([answer.status, await answer.json()]).to.deep.equal([status, body]);
    });
  }

  it('refuses a body that is no JSON in the venue’s own form', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[{' };
    const answer = await fetch(`${venue.clobUrl}/books`, init);
    expect([answer.status, await answer.json()]).to.deep.equal([400, { error: 'Invalid payload' }]);
  });

  it('follows the clock into the next five-minute crypto window', async () => {
    const clock = new StillClock();
    const moving = await stillVenue({ clock });
    try {
      const before = marketBySlug(moving, 'btc-updown-5m');
      expect(before.slug).to.equal('btc-updown-5m-1784030400');
      clock.move(300_000);
      moving.step();
      const windows = moving.markets.filter((market) => market.slug.startsWith('btc-updown-5m'));
      expect(windows.map((market) => [market.slug, market.hasBook])).to.deep.equal([
        ['btc-updown-5m-1784030400', false],
        ['btc-updown-5m-1784030700', true],
      ]);
      clock.move(180_000);
      const [ended] = await getJson(`${moving.gammaUrl}/markets?slug=${before.slug}&closed=true`);
      expect(JSON.parse(ended.outcomePrices)).to.have.members(['1', '0']);
    } finally {
      await moving.close();
    }
  });
});

describe('local venue: books by REST', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await stillVenue({ seed: 7 });
    venue.step(60);
  });
  after(() => venue.close());

  const book = (token: string) => getJson(`${venue.clobUrl}/book?token_id=${token}`);
  const complement = (level: Json) => ({
    price: String(Number((1 - Number(level.price)).toFixed(4))),
    size: level.size,
  });

  it('sorts bids up and asks down, inside the grid, never crossed', async () => {
    for (const market of venue.markets.filter((each) => each.hasBook)) {
      const { bids, asks, tick_size: tick } = await book(tokensOf(market)[0]);
      const prices = (side: Json[]) => side.map((level) => Number(level.price));
      expect(prices(bids)).to.deep.equal(prices(bids).toSorted((a, b) => a - b));
      expect(prices(asks)).to.deep.equal(prices(asks).toSorted((a, b) => b - a));
      for (const level of [...bids, ...asks]) {
        expect((Number(level.price) / Number(tick)) % 1)
          .to.be.closeTo(0, 1)
          .and.satisfy(isWhole);
        expect(level.size).to.match(/^[1-9][0-9]*(\.[0-9]{1,2})?$|^0\.[0-9]{1,2}$/);
      }
      if (bids.length > 0 && asks.length > 0) expect(Number(bids.at(-1).price)).to.be.below(Number(asks.at(-1).price));
    }
  });

  it('shows the second outcome as the exact mirror of the first, with one timestamp and one last trade price', async () => {
    for (const market of venue.markets.filter((each) => each.hasBook)) {
      const [yes, no] = await Promise.all(tokensOf(market).map(book));
      expect(no.bids).to.deep.equal(yes.asks.map(complement));
      expect(no.asks).to.deep.equal(yes.bids.map(complement));
      expect(no.timestamp).to.equal(yes.timestamp);
      expect(no.last_trade_price).to.equal(yes.last_trade_price);
    }
  });

  it('looks like a real book: dozens of levels, a spread of a few steps, thousands of dollars', async () => {
    const { bids, asks } = await book(tokensOf(marketBySlug(venue, 'snap-election'))[0]);
    for (const side of [bids, asks]) {
      expect(side.length).to.be.within(20, 40);
      const usd = side.reduce((sum: number, level: Json) => sum + Number(level.price) * Number(level.size), 0);
      expect(usd).to.be.within(2_000, 150_000);
    }
    expect(Number(asks.at(-1).price) - Number(bids.at(-1).price)).to.be.within(0.0099, 0.0401);
  });

  it('has a thin book, a one-sided one, an extreme one and a deep one', async () => {
    const of = (part: string) => book(tokensOf(marketBySlug(venue, part))[0]);
    expect((await of('long-tide')).asks.length).to.be.at.most(4);
    expect((await of('orbital')).asks).to.deep.equal([]);
    expect((await of('orbital')).bids.length).to.be.above(0);
    const extreme = await of('central-bank');
    expect(Number(extreme.bids.at(-1).price)).to.be.above(0.97);
    expect(extreme.tick_size).to.equal('0.001');
    expect((await of('meridian')).bids.length).to.be.at.least(100);
  });

  it('answers POST /books for 500 tokens, leaves out those without a book, and refuses 501', async () => {
    const existing = tokensOf(marketBySlug(venue, 'snap-election'));
    const bookless = tokensOf(marketBySlug(venue, 'tunnel'));
    const requested = [...existing, ...bookless, ...Array.from({ length: 496 }, (_, index) => String(index + 1))];
    const answer = await postJson(
      `${venue.clobUrl}/books`,
      requested.map((token_id) => ({ token_id })),
    );
    expect(answer.status).to.equal(200);
    const books: Json[] = (await answer.json()) as Json;
    expect(books.map((each) => each.asset_id)).to.have.members(existing);
    const tooMany = await postJson(
      `${venue.clobUrl}/books`,
      [...requested, '9'].map((token_id) => ({ token_id })),
    );
    expect([tooMany.status, await tooMany.json()]).to.deep.equal([400, { error: 'Payload exceeds the limit' }]);
    expect(await (await postJson(`${venue.clobUrl}/books`, [])).json()).to.deep.equal([]);
    expect((await fetch(`${venue.clobUrl}/books?token_ids=1`)).status).to.equal(400);
  });

  it('speaks the venue s words for unknown and malformed tokens', async () => {
    const answers = await Promise.all(
      ['/book?token_id=123', '/book?token_id=abc', '/book', '/fee-rate?token_id=123', '/tick-size?token_id=123'].map(
        async (path) => {
          const response = await fetch(`${venue.clobUrl}${path}`);
          return [response.status, ((await response.json()) as Json).error];
        },
      ),
    );
    expect(answers).to.deep.equal([
      [404, 'No orderbook exists for the requested token id'],
      [400, 'Invalid token id'],
      [400, 'Invalid token id'],
      [404, 'fee rate not found for market'],
      [404, 'market not found'],
    ]);
  });

  it('answers the small questions: tick size, neg risk, fee rate, time, ok, token to condition', async () => {
    const market = marketBySlug(venue, 'ada-marlowe');
    const [token] = tokensOf(market);
    const ask = (path: string) => getJson(`${venue.clobUrl}${path}`);
    expect(await ask(`/tick-size?token_id=${token}`)).to.deep.equal({ minimum_tick_size: 0.001 });
    expect(await ask(`/neg-risk?token_id=${token}`)).to.deep.equal({ neg_risk: true });
    expect(await ask(`/fee-rate?token_id=${token}`)).to.deep.equal({ base_fee: 1000 });
    const free = tokensOf(marketBySlug(venue, 'ceasefire'))[0];
    expect(await ask(`/fee-rate?token_id=${free}`)).to.deep.equal({ base_fee: 0 });
    expect(await (await fetch(`${venue.clobUrl}/time`)).text()).to.equal('1784030400');
    expect(await ask('/ok')).to.equal('OK');
    expect((await ask(`/markets-by-token/${token}`)).condition_id).to.equal(market.conditionId);
    const resolved = await ask(`/markets/${marketBySlug(venue, 'referendum').conditionId}`);
    expect(resolved.tokens.map((each: Json) => [each.winner, each.price])).to.deep.equal([
      [true, 1],
      [false, 0],
    ]);
  });

  it('lists trades newest first, takers only unless asked, by market and by wallet', async () => {
    venue.step(200);
    const ask = (path: string) => getJson(`${venue.dataUrl}${path}`);
    const trades: Json[] = await ask('/trades?limit=50');
    expect(trades).to.have.length(50);
    const times = trades.map((trade) => trade.timestamp);
    expect(times).to.deep.equal(times.toSorted((a, b) => b - a));
    expect(await ask('/trades?limit=10&offset=5')).to.deep.equal(trades.slice(5, 15));
    const all: Json[] = await ask('/trades?limit=50&takerOnly=false');
    expect(all).to.not.deep.equal(trades);
    const { conditionId } = marketBySlug(venue, 'snap-election');
    const here: Json[] = await ask(`/trades?market=${conditionId}`);
    expect(here.length).to.be.above(0);
    for (const trade of here) expect(trade.conditionId).to.equal(conditionId);
    const wallet = trades[0].proxyWallet;
    const activity: Json[] = await ask(`/activity?user=${wallet}&limit=500`);
    expect(activity.length).to.be.above(0);
    for (const row of activity) expect(row).to.include({ proxyWallet: wallet, type: 'TRADE' });
    expect((await fetch(`${venue.dataUrl}/activity`)).status).to.equal(400);
    expect((await fetch(`${venue.dataUrl}/trades?offset=10001`)).status).to.equal(400);
  });
});

function isWhole(remainder: number): boolean {
  return Math.min(remainder, 1 - remainder) < 1e-6;
}
