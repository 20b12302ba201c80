import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { ChannelClient, getJson, marketBySlug, StillClock, stillVenue, tokensOf } from '../support/venue-harness.js';

const WINDOW_MS = 300_000;
/** The listing is so far behind: this at least, and that at most. */
const [SOONEST_MS, LATEST_MS] = [51_000, 180_000];

describe('local venue: how a market is settled', () => {
  let clock: StillClock;
  let venue: LocalVenue;

  beforeEach(async () => {
    clock = new StillClock();
    venue = await stillVenue({ clock });
  });
  afterEach(() => venue.close());

  const bookOf = async (token: string) => {
    const answer = await fetch(`${venue.clobUrl}/book?token_id=${token}`);
    return answer.status === 200 ? ((await answer.json()) as { bids: object[]; asks: object[] }) : answer.status;
  };
  const listed = (slug: string) => getJson(`${venue.gammaUrl}/markets/slug/${slug}`);

  /** Checks what REST tells at the moment of a settlement, before and after the listing follows. */
  async function followsLater(slug: string, [yes]: readonly string[], conditionId: string): Promise<void> {
    const OPEN = { closed: false, acceptingOrders: true };
    expect(await bookOf(yes!)).to.deep.include({ bids: [], asks: [] });
    expect(await listed(slug)).to.include(OPEN);
    expect(await getJson(`${venue.gammaUrl}/markets?slug=${slug}&closed=true`)).to.deep.equal([]);
    const { tokens, closed } = await getJson(`${venue.clobUrl}/markets/${conditionId}`);
    expect([closed, tokens.filter(({ winner }: { winner: boolean }) => winner).length]).to.deep.equal([true, 1]);
    const { data } = await getJson(`${venue.dataUrl}/v2/resolutions?condition=${conditionId}`);
    expect(data[0].status).to.equal('resolved');

    clock.move(SOONEST_MS - 1);
    expect(await listed(slug)).to.include(OPEN);
    expect(await bookOf(yes!)).to.deep.include({ bids: [], asks: [] });
    clock.move(LATEST_MS - SOONEST_MS + 1);
    expect(await listed(slug)).to.include({ closed: true, umaResolutionStatus: 'resolved' });
    expect(await bookOf(yes!)).to.equal(404);
  }

  it('is, as it was seen: its book empty, no word, its socket closed, and the listing one to three minutes behind', async () => {
    const market = marketBySlug(venue, 'snap-election');
    const other = tokensOf(marketBySlug(venue, 'orbital'))[0];
    const features = { custom_feature_enabled: true };
    const own = await ChannelClient.subscribed(venue.wsUrl, tokensOf(market), features);
    const mixed = await ChannelClient.subscribed(venue.wsUrl, [...tokensOf(market), other], features);
    for (const client of [own, mixed]) client.forget();
    venue.faults.closeResolved = true;
    venue.faults.resolveMarket(market.slug);
    await own.untilClosed();
    await mixed.settle();
    expect(own.closing).to.equal('1000 all subscribed assets resolved');
    expect([...own.messages(), ...mixed.messages()]).to.deep.equal([]);
    mixed.close();
    await followsLater(market.slug, tokensOf(market), market.conditionId);
  });

  it('is so at the end of each five-minute window, where four in five are announced to those who subscribed', async () => {
    const WINDOWS = 40;
    const strangers = await ChannelClient.subscribed(venue.wsUrl, tokensOf(marketBySlug(venue, 'orbital')), {
      custom_feature_enabled: true,
    });
    let announced = 0;
    for (let n = 0; n < WINDOWS; n++) {
      const window = venue.markets.findLast(({ slug }) => slug.startsWith('btc-updown-5m'))!;
      const client = await ChannelClient.subscribed(venue.wsUrl, tokensOf(window), { custom_feature_enabled: true });
      client.forget();
      clock.move(n === 0 ? WINDOW_MS : WINDOW_MS - LATEST_MS);
      venue.step();
      await client.untilClosed();
      expect(client.closing).to.equal('1000 all subscribed assets resolved');
      const words = client.messages().filter(({ event_type }) => event_type === 'market_resolved');
      expect(words.length).to.be.at.most(1);
      announced += words.length;
      await followsLater(window.slug, tokensOf(window), window.conditionId);
    }
    expect(announced).to.be.within(WINDOWS * 0.6, WINDOWS * 0.95);
    await strangers.settle();
    expect(strangers.messages().filter(({ event_type }) => event_type === 'market_resolved')).to.deep.equal([]);
    expect(strangers.closed).to.equal(false);
    strangers.close();
  });

  it('is at once and everywhere where it is only commanded', async () => {
    const { slug } = marketBySlug(venue, 'snap-election');
    venue.faults.resolveMarket(slug);
    expect(await listed(slug)).to.include({ closed: true, umaResolutionStatus: 'resolved' });
  });
});
