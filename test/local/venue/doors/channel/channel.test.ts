import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import type { LocalVenue } from '#local/venue/start-local-venue';
import {
  ChannelClient,
  type Json,
  marketBySlug,
  NaiveBook,
  StillClock,
  stillVenue,
  tokensOf,
} from '../../../support/venue-harness.js';

describe('local venue: market channel', () => {
  let venue: LocalVenue;
  const clients: ChannelClient[] = [];
  beforeEach(async () => {
    venue = await stillVenue({ seed: 11 });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await venue.close();
  });

  async function subscribed(tokens: readonly string[], more: object = {}): Promise<ChannelClient> {
    const client = await ChannelClient.subscribed(venue.wsUrl, tokens, more);
    clients.push(client);
    return client;
  }

  it('answers a subscription with one array of books that carry tick size and last trade price', async () => {
    const tokens = tokensOf(marketBySlug(venue, 'snap-election'));
    const client = await subscribed(tokens);
    expect(client.texts).to.have.length(2);
    const dump = JSON.parse(client.texts[0] ?? '');
    expect(dump.map((book: Json) => [book.event_type, book.asset_id, book.tick_size])).to.deep.equal([
      ['book', tokens[0], '0.01'],
      ['book', tokens[1], '0.01'],
    ]);
    expect(dump[0].last_trade_price).to.match(/^0\.\d{3}$/);
  });

  it('keeps every book provable: hashes and tops of all changes fit a book kept from the frames alone', async () => {
    const open = venue.markets.filter((market) => market.hasBook);
    const client = await subscribed(open.flatMap(tokensOf));
    venue.step(300);
    venue.step(1_000, marketBySlug(venue, 'rail-link').slug);
    await client.settle();
    const firstOutcomes = new Set(open.map((market) => tokensOf(market)[0]));
    const checked = proveStream(client.messages(), firstOutcomes, negRiskTokens(venue));
    expect(checked.hashes).to.be.above(5_000);
    expect(checked.tickChanges).to.be.above(0);
    expect(checked.trades).to.be.above(100);
    expect(checked.batchFrames).to.be.above(100);
    expect(checked.books).to.equal(open.length * 2 + 2 * checked.trades);
  });

  it('lets timestamps grow with every action of a market', async () => {
    const client = await subscribed(tokensOf(marketBySlug(venue, 'snap-election')));
    venue.step(200);
    await client.settle();
    const times = client
      .messages()
      .slice(2)
      .map((frame) => Number(frame.timestamp));
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
    for (const frame of client.messages()) expect(frame.timestamp).to.match(/^\d{13}$/);
  });

  it('says both tokens in every price_change, also to a client of one token, and book to that token alone', async () => {
    const [yes, no] = tokensOf(marketBySlug(venue, 'snap-election'));
    const client = await subscribed([yes]);
    venue.step(200);
    await client.settle();
    for (const frame of client.messages()) {
      if (frame.event_type === 'price_change') {
        expect(frame.price_changes.map((entry: Json) => entry.asset_id)).to.deep.equal([yes, no]);
      } else expect(frame.asset_id).to.equal(yes);
    }
  });

  it('says nothing at all about unknown tokens and tokens without a book', async () => {
    const client = await subscribed(['12345', ...tokensOf(marketBySlug(venue, 'tunnel'))]);
    venue.step(20);
    client.send('{"broken');
    client.send({ operation: 'resubscribe', assets_ids: ['1'] });
    await client.settle();
    expect(client.texts).to.deep.equal(['PONG', 'PONG']);
  });

  it('adds and removes tokens while connected', async () => {
    const first = tokensOf(marketBySlug(venue, 'snap-election'));
    const second = tokensOf(marketBySlug(venue, 'ceasefire'));
    const client = await subscribed(first);
    client.forget();
    client.send({ operation: 'subscribe', assets_ids: second });
    client.send({ operation: 'unsubscribe', assets_ids: first });
    await client.settle();
    expect(client.messages().map((book) => book.asset_id)).to.deep.equal(second);
    client.forget();
    venue.step(30);
    await client.settle();
    const markets = new Set(client.messages().map((frame) => frame.market));
    expect([...markets]).to.deep.equal([marketBySlug(venue, 'ceasefire').conditionId]);
  });

  it('sends no initial books without initial_dump, nor above 500 tokens on one connection', async () => {
    const [token] = tokensOf(marketBySlug(venue, 'snap-election'));
    const silent = await subscribed([token], { initial_dump: false });
    expect(silent.messages()).to.deep.equal([]);
    const many = Array.from({ length: 500 }, (_, index) => String(index + 1));
    const crowded = await subscribed([token, ...many]);
    expect(crowded.messages()).to.deep.equal([]);
    venue.step(10);
    await crowded.settle();
    expect(crowded.messages().length).to.be.above(0);
  });

  it('sends custom features only to those who asked, and that a market is resolved only to who subscribed to it', async () => {
    const market = marketBySlug(venue, 'mlb-hbr');
    const plain = await subscribed(tokensOf(market));
    const custom = await subscribed(tokensOf(market), { custom_feature_enabled: true });
    const ended = marketBySlug(venue, 'ceasefire');
    const follower = await subscribed(tokensOf(ended), { custom_feature_enabled: true });
    venue.step(150);
    venue.faults.resolveMarket(ended.slug);
    await Promise.all([plain.settle(), custom.settle(), follower.settle()]);
    const kinds = (client: ChannelClient) => new Set(client.messages().map((frame) => frame.event_type));
    expect([...kinds(plain)]).to.have.members(['book', 'price_change', 'last_trade_price']);
    expect([...kinds(custom)]).to.have.members(['book', 'price_change', 'last_trade_price', 'best_bid_ask']);
    const tops = custom.messages().filter((frame) => frame.event_type === 'best_bid_ask');
    for (const { best_bid, best_ask, spread } of tops) {
      expect(Number(spread)).to.be.closeTo(Number(best_ask) - Number(best_bid), 1e-9);
    }
    const resolved = follower.messages().find((frame) => frame.event_type === 'market_resolved');
    expect(resolved.market).to.equal(ended.conditionId);
  });

  it('announces the next crypto window to everyone with custom features', async () => {
    const clock = new StillClock();
    const moving = await stillVenue({ clock });
    const client = await ChannelClient.subscribed(moving.wsUrl, [], { custom_feature_enabled: true });
    clock.move(300_000);
    moving.step();
    await client.settle();
    const kinds = client.messages().map((frame) => [frame.event_type, frame.slug]);
    expect(kinds).to.deep.equal([['new_market', 'btc-updown-5m-1784030700']]);
    client.close();
    await moving.close();
  });

  it('disconnects a client that never says anything', async () => {
    const strict = await stillVenue({ heartbeatMs: 30 });
    const client = await ChannelClient.open(strict.wsUrl);
    await client.untilClosed();
    await strict.close();
  });

  it('moves by itself where it is given a pace', async () => {
    const lively = await stillVenue({ tickMs: 20, clock: systemClock });
    const client = await ChannelClient.subscribed(lively.wsUrl, tokensOf(marketBySlug(lively, 'snap-election')));
    while (client.messages().length < 12) await client.settle();
    client.close();
    await lively.close();
  });
});

function negRiskTokens(venue: LocalVenue): Set<string> {
  return new Set(venue.markets.filter((market) => market.eventSlug.includes('presidential')).flatMap(tokensOf));
}

/** Replays a stream into naive books and holds every hash and every top of book against them. */
function proveStream(messages: readonly Json[], firstOutcomes: ReadonlySet<string>, negRisk: ReadonlySet<string>) {
  const books = new Map<string, NaiveBook>();
  const seen = { hashes: 0, trades: 0, books: 0, tickChanges: 0, batchFrames: 0 };
  const bookOf = (token: string) => NaiveBook.in(books, token);
  for (const group of byMarketAndTime(messages)) {
    const expected = new Map<string, string>();
    for (const frame of group) takeFrame(frame, bookOf, firstOutcomes, expected, seen);
    for (const [token, hash] of expected) {
      expect(bookOf(token).hash('5', negRisk.has(token)), `hash at ${group[0].timestamp}`).to.equal(hash);
      seen.hashes++;
    }
    if (group.filter((frame) => frame.event_type === 'price_change').length > 1) seen.batchFrames++;
  }
  return seen;
}

function takeFrame(
  frame: Json,
  bookOf: (token: string) => NaiveBook,
  firstOutcomes: ReadonlySet<string>,
  expected: Map<string, string>,
  seen: { trades: number; books: number; tickChanges: number },
): void {
  if (frame.event_type === 'book') {
    bookOf(frame.asset_id).takeBook(frame);
    expected.set(frame.asset_id, frame.hash);
    seen.books++;
  } else if (frame.event_type === 'price_change') {
    for (const entry of frame.price_changes) {
      const book = bookOf(entry.asset_id);
      book.takeChange(entry, frame.timestamp);
      expected.set(entry.asset_id, entry.hash);
      expect(entry.best_bid).to.equal(book.levels('BUY').at(-1)?.price ?? '0');
      expect(entry.best_ask).to.equal(book.levels('SELL').at(-1)?.price ?? '1');
    }
  } else if (frame.event_type === 'last_trade_price') {
    seen.trades++;
    const isFirst = firstOutcomes.has(frame.asset_id);
    for (const token of frame.pair) {
      bookOf(token).fields.last_trade_price = isFirst
        ? frame.price
        : (1 - Number(frame.price)).toFixed(frame.price.length - 2);
    }
  } else if (frame.event_type === 'tick_size_change') {
    seen.tickChanges++;
    bookOf(frame.asset_id).fields.tick_size = frame.new_tick_size;
  }
}

/**
 * Frames of one action share market and timestamp; only the book after the last of them fits the
 * hash.
 */
function byMarketAndTime(messages: readonly Json[]): Json[][] {
  const pairs = new Map<string, Set<string>>();
  const groups: Json[][] = [];
  const open = new Map<string, Json[]>();
  for (const frame of messages) {
    const tokens = pairs.get(frame.market) ?? new Set<string>();
    pairs.set(frame.market, tokens);
    if (frame.asset_id !== undefined) tokens.add(frame.asset_id);
    if (frame.event_type === 'last_trade_price') frame.pair = tokens;
    const group = open.get(frame.market);
    if (group !== undefined && group[0].timestamp === frame.timestamp) group.push(frame);
    else {
      const fresh = [frame];
      open.set(frame.market, fresh);
      groups.push(fresh);
    }
  }
  return groups;
}
