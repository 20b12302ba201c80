import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { ChannelClient, getJson, type Json, marketBySlug, stillVenue, tokensOf } from '../support/venue-harness.js';

const ONE_USD_TICKS = 10_000;

describe('local venue: markets of 2026', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await stillVenue();
  });
  after(() => venue.close());

  const gamma = (path: string) => getJson(`${venue.gammaUrl}${path}`);
  const clob = (path: string) => getJson(`${venue.clobUrl}${path}`);

  const STEPS: readonly [step: string, slug: string][] = [
    ['0.1', 'market-square'],
    ['0.01', 'snap-election'],
    ['0.005', 'win-the-cup'],
    ['0.0025', 'cup-arc-nor'],
    ['0.001', 'meridian'],
    ['0.0001', 'comet'],
  ];

  for (const [step, slug] of STEPS) {
    it(`has a market in steps of ${step}: every price, every change and every trade is a multiple of it`, async () => {
      const market = marketBySlug(venue, slug);
      const tokens = tokensOf(market);
      const client = await ChannelClient.subscribed(venue.wsUrl, tokens, { custom_feature_enabled: true });
      venue.step(400, market.slug);
      await client.settle();
      client.close();
      const messages = client.messages();
      const books = await Promise.all(tokens.map((token) => clob(`/book?token_id=${token}`)));
      const prices = [
        ...[...messages, ...books].flatMap(({ bids = [], asks = [] }) => [...bids, ...asks].map(({ price }) => price)),
        ...messages.flatMap(({ price_changes = [] }) => price_changes.map(({ price }: Json) => price)),
        ...messages.filter(({ event_type }) => event_type === 'last_trade_price').map(({ price }) => price),
        ...books.map(({ last_trade_price }) => last_trade_price),
      ];
      expect(messages.filter(({ event_type }) => event_type === 'price_change').length).to.be.above(100);
      expect(messages.filter(({ event_type }) => event_type === 'last_trade_price').length).to.be.above(3);
      const stepTicks = Math.round(Number(step) * ONE_USD_TICKS);
      for (const price of prices) {
        const ticks = Number((Number(price) * ONE_USD_TICKS).toFixed(6));
        expect([price, ticks % stepTicks]).to.deep.equal([price, 0]);
        expect(ticks).to.be.within(stepTicks, ONE_USD_TICKS - stepTicks);
      }
      for (const { bids, asks, tick_size } of books) {
        expect(tick_size).to.equal(step);
        expect(Number(bids.at(-1).price)).to.be.below(Number(asks.at(-1).price));
      }
      expect((await clob(`/tick-size?token_id=${tokens[0]}`)).minimum_tick_size).to.equal(Number(step));
      expect((await clob(`/clob-markets/${market.conditionId}`)).mts).to.equal(Number(step));
      expect((await gamma(`/markets/slug/${market.slug}`)).orderPriceMinTickSize).to.equal(Number(step));
    });
  }

  it('has a market of the second protocol, found under its own ids wherever one of the first is', async () => {
    const market = marketBySlug(venue, 'glasshouse');
    const [token] = tokensOf(market);
    expect(market.conditionId).to.match(/^0x01[0-9a-f]{60}$/);
    const found = await Promise.all(
      [`slug=${market.slug}`, `clob_token_ids=${token}`, `condition_ids=${market.conditionId}`].map((query) =>
        gamma(`/markets?${query}`),
      ),
    );
    for (const [row] of found) {
      expect(row).to.deep.include({
        version: 'v2',
        conditionId: market.conditionId,
        clobTokenIds: null,
        positionIds: tokensOf(market),
        resolutionStatus: 'inactive',
        closed: false,
        acceptingOrders: true,
      });
      expect(row).to.not.have.any.keys('umaResolutionStatus', 'umaResolutionStatuses');
    }
    expect(await clob(`/book?token_id=${token}`)).to.include({ market: market.conditionId, asset_id: token });
    expect(await clob(`/clob-markets/${market.conditionId}`)).to.include({ v: 'v2', c: market.conditionId });
    expect((await clob(`/markets-by-token/${token}`)).condition_id).to.equal(market.conditionId);
    const trades: Json[] = await getJson(`${venue.dataUrl}/trades?market=${market.conditionId}`);
    expect(trades.length).to.be.above(0);
    for (const row of trades) expect(row).to.include({ conditionId: market.conditionId, slug: market.slug });
  });

  it('has one that is settled and still listed as open and accepting orders', async () => {
    const market = marketBySlug(venue, 'lantern-fair');
    const row = await gamma(`/markets/slug/${market.slug}`);
    expect(row).to.include({ resolutionStatus: 'resolved', closed: false, active: true, acceptingOrders: true });
    expect(row).to.not.have.property('closedTime');
    const book = await fetch(`${venue.clobUrl}/book?token_id=${tokensOf(market)[0]}`);
    expect([book.status, await book.json()]).to.deep.equal([
      404,
      { error: 'No orderbook exists for the requested token id' },
    ]);
    const { data } = await getJson(`${venue.dataUrl}/v2/resolutions?condition=${market.conditionId}`);
    expect(data[0]).to.deep.include({ status: 'resolved', payouts: [1_000_000, 0] });
  });
});
