import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { LocalVenue } from '#local/venue/start-local-venue';
import { capture, captureJson } from '#test/support/captures';
import { ChannelClient, getJson, type Json, marketBySlug, stillVenue, tokensOf } from '../../support/venue-harness.js';

/** Each field with the kinds of values it was seen with. */
type Shape = Map<string, Set<string>>;

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function shapeOf(objects: readonly Json[]): Shape {
  const shape: Shape = new Map();
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      shape.set(key, (shape.get(key) ?? new Set()).add(kindOf(value)));
    }
  }
  return shape;
}

/** What we say that the venue was never seen to say, and in which other form. */
function strangers(ours: readonly Json[], recorded: readonly Json[]): string[] {
  const existing = shapeOf(recorded);
  return [...shapeOf(ours)].flatMap(([key, kinds]) =>
    [...kinds].filter((kind) => !existing.get(key)?.has(kind)).map((kind) => `${key}: ${kind}`),
  );
}

/** What the venue always said and one of ours leaves out. */
function missing(ours: readonly Json[], recorded: readonly Json[]): string[] {
  const always = [...shapeOf(recorded).keys()].filter((key) => recorded.every((object) => key in object));
  return always.filter((key) => ours.some((object) => !(key in object)));
}

const isOfFirst = (market: Json) => market.version === undefined;

describe('local venue: the forms of the real one', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await stillVenue({ seed: 5 });
  });
  after(() => venue.close());

  it('writes Gamma markets with the fields and types of recorded ones', async function () {
    const gamma = 'gamma';
    const fed = captureJson(this, `${gamma}/fed-decision-in-june-825/gamma-event.json`).markets;
    const others = [
      captureJson(this, `${gamma}/gamma_market_updown.2026-06.json`),
      captureJson(this, `${gamma}/gamma_event_crypto_updown.2026-06.json`)[0].markets[0],
      captureJson(this, `${gamma}/gamma_market_sports_market_money_line.json`),
      captureJson(this, `${gamma}/gamma_market_closed_binary_accepting_true.json`),
    ].flat();
    const open = await getJson(`${venue.gammaUrl}/markets?limit=100`);
    const closed = await getJson(`${venue.gammaUrl}/markets?limit=100&closed=true`);
    const all: Json[] = [...open, ...closed];
    expect(strangers(all.filter(isOfFirst), [...fed, ...others])).to.deep.equal([]);
    // None of the second protocol has been recorded; these are the words of its documents.
    expect(strangers(all, [...fed, ...others])).to.have.members([
      'version: string',
      'clobTokenIds: null',
      'positionIds: array',
      'resolutionStatus: string',
    ]);
    const tradable = open.filter((market: Json) => market.active && isOfFirst(market));
    const differs = ['feeSchedule', 'makerBaseFee', 'takerBaseFee', 'bestBid', 'lastTradePrice'];
    const absent = missing(tradable, [...fed, ...others.slice(0, 2)]).filter((key) => !differs.includes(key));
    expect(absent).to.deep.equal([]);
  });

  it('writes Gamma events with the fields and types of recorded ones', async function () {
    const recorded = [
      captureJson(this, 'gamma/fed-decision-in-june-825/gamma-event.json'),
      captureJson(this, 'gamma/gamma_event_crypto_updown.2026-06.json')[0],
    ];
    const events: Json[] = await getJson(`${venue.gammaUrl}/events?limit=100&closed=false`);
    const ours = events.filter(({ markets }) => markets.every(isOfFirst));
    expect(strangers(ours, recorded)).to.deep.equal([]);
    // Series belong to recurring events only; the two recorded ones both are.
    const absent = missing(ours, recorded).filter((key) => key !== 'series' && key !== 'seriesSlug');
    expect(absent).to.deep.equal([]);
  });

  it('writes REST books key for key', async function () {
    const recorded = captureJson(this, 'gamma/fed-decision-in-june-825/clob-books.json')[0];
    const ours = await getJson(`${venue.clobUrl}/book?token_id=${tokensOf(marketBySlug(venue, 'snap'))[0]}`);
    expect(Object.keys(ours)).to.deep.equal(Object.keys(recorded));
    expect(strangers([ours], [recorded])).to.deep.equal([]);
    expect(Object.keys(ours.bids[0])).to.deep.equal(Object.keys(recorded.bids[0]));
  });

  it('writes the CLOB s market terms with recorded fields', async function () {
    const recorded = [
      captureJson(this, 'clob-rest/clob-markets_politics.2026-10-06.json'),
      ...captureJson(this, 'gamma/fed-decision-in-june-825/clob-markets.json'),
    ];
    const ours = await getJson(`${venue.clobUrl}/clob-markets/${marketBySlug(venue, 'marlowe').conditionId}`);
    expect(strangers([ours], recorded)).to.deep.equal([]);
    expect(missing([ours], recorded)).to.deep.equal([]);
    const old = captureJson(this, 'clob-rest/clob_market_closed_binary_accepting_true.json');
    const full = await getJson(`${venue.clobUrl}/markets/${marketBySlug(venue, 'mlb-hbr').conditionId}`);
    expect(strangers([full], [old])).to.deep.equal([]);
    expect(missing([full], [old])).to.deep.equal([]);
  });

  it('writes trades and activity with recorded fields', async function () {
    const trades = captureJson(this, 'wallets/edulabrador_trades.json');
    const activity = captureJson(this, 'wallets/edulabrador_activity_all.json').concat(
      captureJson(this, 'wallets/data_activity.2026-06.json'),
    );
    const ours = await getJson(`${venue.dataUrl}/trades?limit=20`);
    const ourActivity = await getJson(`${venue.dataUrl}/activity?user=${ours[0].proxyWallet}`);
    for (const [mine, recorded] of [
      [ours, trades],
      [ourActivity, activity],
    ]) {
      expect(strangers(mine, recorded)).to.deep.equal([]);
      expect(missing(mine, recorded)).to.deep.equal([]);
    }
  });

  it('writes market-channel messages with the fields and types of recorded ones', async function () {
    const session = readFileSync(capture(this, 'ws-market/session_1785130179.2026-07-27.jsonl'), 'utf8');
    const recorded: Json[] = session
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const lastTrade = captureJson(this, 'ws-market/nautilus/py_last_trade_price.json');
    const tickSize = captureJson(this, 'ws-market/nautilus/py_tick_size_change.json');
    const bestBidAsk = captureJson(this, 'ws-market/nautilus/ws_market_best_bid_ask_msg.json');
    const resolved = captureJson(this, 'ws-market/nautilus/ws_market_resolved_msg.json');
    const newMarket = captureJson(this, 'ws-market/nautilus/ws_market_new_market_msg.json');
    const frames = await everyKindOfFrame(venue);
    const ours = (kind: string) => frames.filter((frame) => frame.event_type === kind);
    const theirs = (kind: string) => recorded.filter((frame) => frame.event_type === kind);

    expect(Object.keys(ours('book')[0])).to.deep.equal(Object.keys(theirs('book')[0]));
    expect(Object.keys(ours('price_change')[0])).to.deep.equal(Object.keys(theirs('price_change')[0]));
    const entry = (frame: Json) => Object.keys(frame.price_changes[0]);
    expect(entry(ours('price_change')[0])).to.deep.equal(entry(theirs('price_change')[0]));
    // Documented since the fixture was taken: transaction_hash; event_message.
    expect(strangers(ours('last_trade_price'), [lastTrade])).to.deep.equal(['transaction_hash: string']);
    expect(strangers(ours('tick_size_change'), [tickSize])).to.deep.equal([]);
    expect(strangers(ours('best_bid_ask'), [bestBidAsk])).to.deep.equal([]);
    expect(strangers(ours('market_resolved'), [resolved])).to.deep.equal(['event_message: object']);
    for (const [kind, recordedOne] of Object.entries({ lastTrade, tickSize, bestBidAsk, resolved, newMarket })) {
      expect(missing(ours(recordedOne.event_type), [recordedOne]), kind).to.deep.equal([]);
      expect(ours(recordedOne.event_type), kind).to.not.be.empty;
    }
  });
});

/** Drives a venue until it has said everything it can say. */
async function everyKindOfFrame(venue: LocalVenue): Promise<Json[]> {
  const rail = marketBySlug(venue, 'rail-link');
  const client = await ChannelClient.subscribed(venue.wsUrl, tokensOf(rail), { custom_feature_enabled: true });
  venue.step(1_500, rail.slug);
  venue.faults.resolveMarket(rail.slug);
  await client.settle();
  const frames = client.messages();
  client.close();
  return [...frames, ...(await newMarketFrames())];
}

async function newMarketFrames(): Promise<Json[]> {
  const clock = { now: 1_784_030_400_000, nowMs: () => clock.now, elapsedMs: () => clock.now };
  const venue = await stillVenue({ clock });
  const client = await ChannelClient.subscribed(venue.wsUrl, [], { custom_feature_enabled: true });
  clock.now += 300_000;
  venue.step();
  await client.settle();
  client.close();
  await venue.close();
  return client.messages().filter((frame) => frame.event_type === 'new_market');
}
