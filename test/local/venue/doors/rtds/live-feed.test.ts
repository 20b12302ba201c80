import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { captureJson } from '#test/support/captures';
import { ChannelClient, getJson, type Json, StillClock, stillVenue } from '../../../support/venue-harness.js';

const TRADES = { action: 'subscribe', subscriptions: [{ topic: 'activity', type: 'trades' }] };

describe('local venue: the live feed of trades', () => {
  const clock = new StillClock();
  let venue: LocalVenue;
  let client: ChannelClient;

  before(async () => {
    venue = await stillVenue({ clock, seed: 9 });
  });
  after(() => venue.close());
  beforeEach(async () => {
    client = await ChannelClient.open(venue.rtdsUrl);
  });
  afterEach(() => {
    client.close();
    venue.faults.clear();
  });

  const receivedBy = async (...messages: unknown[]): Promise<Json[]> => {
    for (const message of messages) client.send(message);
    await client.settle();
    venue.step(40);
    await client.settle();
    return client.messages();
  };

  it('tells of each trade once, from the taker s side, as the Data API writes it', async function () {
    const received = await receivedBy(TRADES);
    expect(received.length).to.be.above(5);
    const trades: Json[] = await getJson(`${venue.dataUrl}/trades?limit=1000`);
    for (const { topic, type, timestamp, payload } of received) {
      expect({ topic, type, timestamp }).to.deep.equal({ topic: 'activity', type: 'trades', timestamp: clock.nowMs() });
      expect(trades).to.deep.include(payload);
    }
    const hashes = received.map(({ payload }) => payload.transactionHash);
    expect(new Set(hashes).size).to.equal(hashes.length);
    expect(received[0].payload).to.have.all.keys(captureJson(this, 'wallets/edulabrador_trades.json')[0]);
  });

  it('is silent before a subscription, without its action, with filters, and on other topics', async () => {
    const subscriptions = TRADES.subscriptions;
    const filtered = { ...subscriptions[0], filters: '{"event_slug":"x"}' };
    const received = await receivedBy(
      { subscriptions },
      { action: 'subscribe', subscriptions: [filtered, { topic: 'comments', type: '*' }, null] },
      { action: 'subscribe', subscriptions: 'trades' },
      'not json',
    );
    expect(received).to.deep.equal([]);
  });

  it('tells every kind to whoever asks for all, and stops when asked to', async () => {
    const received = await receivedBy({ action: 'subscribe', subscriptions: [{ topic: 'activity', type: '*' }] });
    expect(new Set(received.map(({ type }) => type))).to.have.all.keys('trades', 'orders_matched');
    client.forget();
    expect(await receivedBy({ ...TRADES, action: 'unsubscribe' })).to.satisfy((left: Json[]) =>
      left.every(({ type }) => type === 'orders_matched'),
    );
  });

  it('answers PING and says nothing while it is frozen, and goes on afterwards', async () => {
    venue.faults.rtdsSilent = true;
    expect(await receivedBy(TRADES)).to.deep.equal([]);
    venue.faults.clear();
    expect(await receivedBy()).to.not.be.empty;
  });

  it('is dropped with every other socket, and refused while sockets are', async () => {
    venue.faults.dropSockets();
    await client.untilClosed();
    venue.faults.refuseSockets = true;
    const refused = await ChannelClient.open(venue.rtdsUrl).then(
      () => 'open',
      () => 'refused',
    );
    expect(refused).to.equal('refused');
  });

  it('tells of planned trades when their time comes', async () => {
    const planned = new Set(venue.exampleWallets.map(({ address }) => address as string));
    client.send(TRADES);
    await client.settle();
    for (let hour = 0; hour < 24; hour++) {
      clock.move(3_600_000);
      venue.step(1, 'no-market-moves');
    }
    await client.settle();
    const received = client.messages().map(({ payload }) => payload);
    expect(received.filter(({ proxyWallet }) => planned.has(proxyWallet)).length).to.be.above(30);
    for (const { timestamp } of received) expect(timestamp * 1_000).to.be.at.most(clock.nowMs());
  });
});
