import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import WebSocket from 'ws';
import type { LocalVenue } from '#local/venue/start-local-venue';
import {
  ChannelClient,
  getJson,
  type Json,
  marketBySlug,
  postJson,
  stillVenue,
  tokensOf,
} from '../../support/venue-harness.js';

/** Long enough for anything that is going to arrive on loopback to have arrived. */
const A_WHILE_MS = 60;

describe('local venue: what can go wrong with it', () => {
  let venue: LocalVenue;
  let yes: string;
  let no: string;
  let client: ChannelClient;

  beforeEach(async () => {
    venue = await stillVenue({ seed: 3 });
    [yes, no] = tokensOf(marketBySlug(venue, 'snap-election'));
    client = await ChannelClient.subscribed(venue.wsUrl, [yes, no]);
    client.forget();
  });
  afterEach(async () => {
    client.close();
    await Promise.all([venue.close(), twin?.close()]);
    twin = undefined;
  });

  /** A second venue that takes the same course, without faults. */
  let twin: LocalVenue | undefined;
  async function stillTwin(): Promise<LocalVenue> {
    twin = await stillVenue({ seed: 3 });
    return twin;
  }

  async function received(steps = 20): Promise<Json[]> {
    venue.step(steps);
    await client.settle();
    return client.messages();
  }
  const restBook = (token: string) => getJson(`${venue.clobUrl}/book?token_id=${token}`);

  it('freezes sockets: PONG is alive, data is not, REST moves on', async () => {
    const { hash } = await restBook(yes);
    venue.faults.freezeSocket = true;
    expect(await received()).to.deep.equal([]);
    expect((await restBook(yes)).hash).to.not.equal(hash);
    const late = await ChannelClient.subscribed(venue.wsUrl, [yes]);
    expect(late.messages()).to.deep.equal([]);
    late.close();
    venue.faults.freezeSocket = false;
    expect(await received()).to.not.be.empty;
  });

  it('freezes one token and leaves the other alone', async () => {
    venue.faults.freezeToken(yes);
    const frames = await received(80);
    expect(frames.length).to.be.above(20);
    const tokens = new Set(
      frames.flatMap((frame) => frame.asset_id ?? frame.price_changes.map((entry: Json) => entry.asset_id)),
    );
    expect([...tokens]).to.deep.equal([no]);
    const late = await ChannelClient.subscribed(venue.wsUrl, [yes, no]);
    expect(late.messages().map((book) => book.asset_id)).to.deep.equal([no]);
    late.close();
  });

  it('drops every socket at once', async () => {
    venue.faults.dropSockets();
    await client.untilClosed();
    expect(venue.socketCount).to.equal(0);
    const next = await ChannelClient.subscribed(venue.wsUrl, [yes]);
    expect(next.messages()).to.have.length(1);
    next.close();
  });

  it('swallows everything in a black hole, heartbeats too', async () => {
    venue.faults.blackholeSockets = true;
    const hole = await ChannelClient.open(venue.wsUrl);
    hole.send({ assets_ids: [yes], type: 'market' });
    hole.send('PING');
    venue.step(5);
    await sleep(A_WHILE_MS);
    expect([hole.texts, client.texts]).to.deep.equal([[], []]);
    expect([hole.closed, client.closed]).to.deep.equal([false, false]);
    hole.close();
  });

  it('refuses new sockets and keeps the open ones', async () => {
    venue.faults.refuseSockets = true;
    const refused = new WebSocket(venue.wsUrl);
    const outcome = await new Promise((resolve) => {
      refused.on('open', () => resolve('open'));
      refused.on('error', () => resolve('refused'));
    });
    expect(outcome).to.equal('refused');
    expect(await received()).to.not.be.empty;
  });

  it('says everything twice', async () => {
    venue.faults.duplicateFrames = true;
    await received();
    const texts = client.texts.filter((text) => text !== 'PONG');
    expect(texts.length).to.be.above(20);
    for (let at = 0; at < texts.length; at += 2) expect(texts[at]).to.equal(texts[at + 1]);
  });

  it('says everything again after two others', async () => {
    venue.faults.repeatFrames = true;
    await received();
    const texts = client.texts.filter((text) => text !== 'PONG');
    expect(texts.length).to.be.above(20);
    expect([texts[3], texts[5]]).to.deep.equal([texts[0], texts[1]]);
  });

  it('swaps neighboring frames, and loses none once it is over', async () => {
    const straight = await ChannelClient.subscribed((await stillTwin()).wsUrl, [yes, no]);
    straight.forget();
    venue.faults.reorderFrames = true;
    await received(15);
    venue.faults.reorderFrames = false;
    await received(1);
    twin?.step(15);
    twin?.step(1);
    await straight.settle();
    const swapped = client.texts.filter((text) => text !== 'PONG');
    const inOrder = straight.texts.filter((text) => text !== 'PONG');
    expect(swapped).to.have.members(inOrder);
    expect(swapped.slice(0, 2)).to.deep.equal(inOrder.slice(0, 2).reverse());
    straight.close();
  });

  it('falls back to the form of before September 2025', async () => {
    venue.faults.legacyFrames = true;
    const changes = (await received()).filter((frame) => frame.event_type === 'price_change');
    expect(changes.length).to.be.above(10);
    for (const frame of changes) {
      expect(frame).to.have.all.keys('asset_id', 'changes', 'event_type', 'hash', 'market', 'timestamp');
      expect(frame.changes[0]).to.have.all.keys('price', 'side', 'size');
    }
    expect(new Set(changes.map((frame) => frame.asset_id))).to.deep.equal(new Set([yes, no]));
  });

  it('mixes garbage into the stream and loses nothing of it', async () => {
    const clean = await ChannelClient.subscribed((await stillTwin()).wsUrl, [yes, no]);
    clean.forget();
    venue.faults.garbageFrames = true;
    await received();
    twin?.step(20);
    await clean.settle();
    const wanted = clean.texts.filter((text) => text !== 'PONG');
    const all = client.texts.filter((text) => text !== 'PONG');
    expect(all).to.have.length(2 * wanted.length);
    expect(all.filter((_, at) => at % 2 === 1)).to.deep.equal(wanted);
    clean.close();
  });

  it('mixes lines in words into the stream, and loses nothing of it', async () => {
    venue.faults.textLines = true;
    await received();
    const texts = client.texts.filter((text) => text !== 'PONG');
    expect(new Set(texts.filter((_, at) => at % 2 === 0))).to.deep.equal(new Set(['INVALID OPERATION']));
    expect(client.messages()).to.have.length(texts.length / 2);
  });

  it('leaves out what the venue may leave out', async () => {
    venue.faults.nullFields = true;
    const frames = await received(60);
    const changes = frames.filter(({ event_type }) => event_type === 'price_change');
    expect(changes.length).to.be.above(10);
    for (const { timestamp, price_changes } of changes)
      expect([timestamp, price_changes[0].hash]).to.deep.equal([null, null]);
    for (const { timestamp, hash } of frames.filter(({ event_type }) => event_type === 'book')) {
      expect([Number(timestamp) > 0, hash]).to.deep.equal([true, null]);
    }
  });

  it('says null by REST for what a market has not, and the same otherwise', async () => {
    const ask = () =>
      getJson(`${venue.gammaUrl}/events?slug=will-orbital-dynamics-announce-a-moon-lander-in-2026&closed=false`);
    const [sound] = await ask();
    venue.faults.nullFields = true;
    const [event] = await ask();
    const added = Object.keys(event.markets[0]).filter((key) => !(key in sound.markets[0]));
    expect(added).to.include.members(['closedTime', 'gameStartTime', 'secondsDelay', 'umaResolutionStatus']);
    for (const key of added) expect(event.markets[0][key], key).to.equal(null);
    expect(event.markets[0]).to.deep.include(sound.markets[0]);
    expect(event).to.deep.include({ ...sound, markets: event.markets });
  });

  it('has an edge answer for one REST interface, in pages of HTML, and for the others not', async () => {
    venue.faults.restEdge('clob');
    const statuses = new Set<number>();
    for (let n = 0; n < 30; n++) {
      const answer = await fetch(`${venue.clobUrl}/book?token_id=${yes}`);
      statuses.add(answer.status);
      expect(answer.headers.get('content-type')).to.match(/^text\/html/);
      expect(await answer.text()).to.match(/^<!DOCTYPE html>/);
      expect(answer.headers.get('retry-after')).to.equal(answer.status === 429 ? '1' : null);
    }
    expect([...statuses].toSorted()).to.deep.equal([403, 404, 429]);
    expect((await fetch(`${venue.gammaUrl}/events?limit=1`)).status).to.equal(200);
    venue.faults.restEdge('clob', false);
    expect((await fetch(`${venue.clobUrl}/ok`)).status).to.equal(200);
  });

  it('has mishaps by chance: the same ones with the same seed, as many as are set, and none where none are', async () => {
    const REQUESTS = 150;
    async function course(one: LocalVenue, share: number) {
      one.faults.mishaps = share;
      const statuses: number[] = [];
      for (let n = 0; n < REQUESTS; n++) statuses.push((await fetch(`${one.clobUrl}/book?token_id=${yes}`)).status);
      return statuses;
    }
    expect(await course(venue, 0)).to.deep.equal(Array.from({ length: REQUESTS }, () => 200));
    const bad = await course(venue, 0.2);
    expect(bad.filter((status) => status !== 200).length).to.be.within(REQUESTS * 0.1, REQUESTS * 0.3);
    expect(await course(await stillTwin(), 0.2)).to.deep.equal(bad);
    venue.faults.mishaps = 0.5;
    const changes = (await received(60)).filter(({ event_type }) => event_type === 'price_change');
    const nulls = changes.filter(({ timestamp }) => timestamp === null);
    expect(nulls.length).to.be.within(changes.length * 0.25, changes.length * 0.75);
    venue.faults.clear();
    expect(await course(venue, venue.faults.mishaps)).to.not.include(404);
  });

  it('leaves a level out of whole books, and not out of their hashes', async () => {
    venue.faults.omitLevels = true;
    const late = await ChannelClient.subscribed(venue.wsUrl, [yes]);
    const [shown] = late.messages();
    const book = await restBook(yes);
    expect(shown.hash).to.equal(book.hash);
    expect(shown.bids).to.deep.equal(book.bids.toSpliced(-2, 1));
    late.close();
  });

  it('announces trades after their books, with the time of then', async () => {
    venue.faults.lateAnnouncements = true;
    await received(60);
    while (!client.texts.some((text) => text.includes('last_trade_price'))) await sleep(A_WHILE_MS);
    const frames = client.messages();
    const announced = frames.findIndex(({ event_type }) => event_type === 'last_trade_price');
    const before = frames.slice(0, announced).filter(({ event_type }) => event_type === 'book');
    expect(before.map(({ timestamp }) => Number(timestamp) + 495)).to.include(Number(frames[announced].timestamp));
  });

  it('sends what a trade took as changes too, with the hash of the book', async () => {
    venue.faults.tradesInChanges = true;
    const frames = await received(60);
    const book = frames.find(({ event_type, asset_id }) => event_type === 'book' && asset_id === yes);
    const taken = frames.filter(
      ({ event_type, timestamp }) => event_type === 'price_change' && timestamp === book.timestamp,
    );
    expect(taken).to.not.be.empty;
    for (const { price_changes } of taken) expect(price_changes[0].hash).to.equal(book.hash);
  });

  it('sends first books only to who asks for them', async () => {
    venue.faults.dumpsOnRequest = true;
    const silent = await ChannelClient.subscribed(venue.wsUrl, [yes]);
    const asking = await ChannelClient.subscribed(venue.wsUrl, [yes], { initial_dump: true });
    expect([silent.messages().length, asking.messages().length]).to.deep.equal([0, 1]);
    for (const each of [silent, asking]) each.close();
  });

  it('announces markets that nobody asked for, on frozen sockets too', async () => {
    const curious = await ChannelClient.subscribed(venue.wsUrl, [yes], { custom_feature_enabled: true });
    curious.forget();
    venue.faults.newMarkets = true;
    venue.faults.freezeSocket = true;
    expect(await received(), 'without custom features').to.deep.equal([]);
    await curious.settle();
    expect(new Set(curious.messages().map(({ event_type }) => event_type))).to.deep.equal(new Set(['new_market']));
    curious.close();
  });

  it('answers a PING late', async () => {
    venue.faults.latePongs = true;
    client.send('PING');
    await sleep(A_WHILE_MS);
    expect(client.texts).to.deep.equal([]);
  });

  it('calls a client a slow consumer after its first frame', async () => {
    venue.faults.slowConsumers = true;
    const slow = await ChannelClient.open(venue.wsUrl);
    slow.send({ assets_ids: [yes], type: 'market' });
    await slow.untilClosed();
    expect([slow.closing, slow.messages().length]).to.deep.equal(['1013 slow consumer', 1]);
  });

  it('resolves without a word, and closes a socket all of whose tokens are over', async () => {
    const other = tokensOf(marketBySlug(venue, 'orbital'))[0];
    const mixed = await ChannelClient.subscribed(venue.wsUrl, [yes, other], { custom_feature_enabled: true });
    mixed.forget();
    venue.faults.closeResolved = true;
    venue.faults.resolveMarket(marketBySlug(venue, 'snap-election').slug);
    await client.untilClosed();
    expect(client.closing).to.equal('1000 all subscribed assets resolved');
    await mixed.settle();
    expect([mixed.closed, mixed.messages()]).to.deep.equal([false, []]);
    mixed.close();
    const again = await ChannelClient.open(venue.wsUrl);
    again.send({ assets_ids: [yes], type: 'market' });
    await again.untilClosed();
    expect(again.closing).to.equal('1000 all subscribed assets resolved');
  });

  it('sends hashes that fit no book, on the channel alone', async () => {
    venue.faults.wrongHashes = true;
    const frames = await received(30);
    const last = frames.findLast((frame) => frame.event_type === 'price_change');
    const { hash, timestamp } = await restBook(yes);
    expect(last.timestamp).to.equal(timestamp);
    expect(last.price_changes[0].hash)
      .to.match(/^[0-9a-f]{40}$/)
      .and.not.equal(hash);
  });

  it('shows a ghost book on the channel while REST tells the truth', async () => {
    venue.faults.ghostBook(yes);
    const frames = await received(60);
    const shown = frames.filter((frame) => frame.asset_id === yes && frame.event_type === 'book');
    expect(shown.length).to.be.above(0);
    for (const { bids, asks } of shown)
      expect([bids, asks].map((side) => side.map((level: Json) => level.price))).to.deep.equal([['0.01'], ['0.99']]);
    const changed = frames.flatMap((frame) => frame.price_changes ?? []).map((entry: Json) => entry.asset_id);
    expect(new Set(changed)).to.deep.equal(new Set([no]));
    expect((await restBook(yes)).bids.length).to.be.above(10);
    venue.faults.healBook(yes);
    client.forget();
    const healed = (await received(60)).filter((frame) => frame.asset_id === yes && frame.event_type === 'book');
    for (const { bids } of healed) expect(bids.length).to.be.above(10);
  });

  it('shows a crossed book where it is told to', async () => {
    const isCrossed = ({ bids, asks }: Json) => Number(bids.at(-1).price) >= Number(asks.at(-1).price);
    venue.faults.crossBook(yes);
    await client.settle();
    expect(isCrossed(client.messages()[0])).to.equal(true);
    expect(isCrossed(await restBook(yes))).to.equal(false);
    venue.faults.crossBook(no, 'rest');
    expect(isCrossed(await restBook(no))).to.equal(true);
    const oneSided = tokensOf(marketBySlug(venue, 'orbital'))[0];
    venue.faults.crossBook(oneSided, 'both');
    expect(isCrossed(await restBook(oneSided))).to.equal(true);
  });

  it('lets one REST interface be down, slow or silent, and the others not', async () => {
    const ask = (url: string, signal?: AbortSignal) => fetch(url, signal === undefined ? {} : { signal });
    venue.faults.restDown('clob');
    expect((await ask(`${venue.clobUrl}/ok`)).status).to.equal(500);
    expect((await ask(`${venue.gammaUrl}/events?limit=1`)).status).to.equal(200);
    venue.faults.restDown('clob', false);
    venue.faults.restHang('gamma');
    const hung = ask(`${venue.gammaUrl}/events?limit=1`, AbortSignal.timeout(A_WHILE_MS)).then(
      () => 'answered',
      () => 'silent',
    );
    expect(await hung).to.equal('silent');
    expect((await ask(`${venue.clobUrl}/ok`)).status).to.equal(200);
    venue.faults.restSlowMs('data', A_WHILE_MS);
    const order: string[] = [];
    const slow = ask(`${venue.dataUrl}/trades?limit=1`).then(() => order.push('slow'));
    await ask(`${venue.clobUrl}/ok`).then(() => order.push('quick'));
    await slow;
    expect(order).to.deep.equal(['quick', 'slow']);
  });

  it('resolves a market: book gone, socket silent, Gamma and CLOB name the winner', async () => {
    const { slug, conditionId } = marketBySlug(venue, 'snap-election');
    venue.faults.resolveMarket(slug);
    expect(await received()).to.deep.equal([]);
    expect((await fetch(`${venue.clobUrl}/book?token_id=${yes}`)).status).to.equal(404);
    const market = await getJson(`${venue.gammaUrl}/markets/slug/${slug}`);
    expect(market).to.include({ closed: true, umaResolutionStatus: 'resolved' });
    expect(JSON.parse(market.outcomePrices)).to.deep.equal(['0', '1']);
    const clob = await getJson(`${venue.clobUrl}/markets/${conditionId}`);
    expect(clob.tokens.map((token: Json) => token.winner)).to.deep.equal([false, true]);
    expect(() => venue.faults.resolveMarket('no-such')).to.throw('there is no market no-such');
  });

  it('takes all of this from outside as JSON', async () => {
    const command = (body: unknown) => postJson(`${venue.controlUrl}/faults`, body);
    expect((await command({ freezeSocket: true, restDown: { gamma: true } })).status).to.equal(200);
    expect(venue.faults.freezeSocket).to.equal(true);
    expect((await fetch(`${venue.gammaUrl}/events?limit=1`)).status).to.equal(500);
    expect(
      (await command({ clear: true, ghostBook: { token: yes, place: 'rest' }, freezeToken: [no] })).status,
    ).to.equal(200);
    expect(venue.faults.freezeSocket).to.equal(false);
    expect((await restBook(yes)).bids).to.have.length(1);
    const stepped = await postJson(`${venue.controlUrl}/step`, { count: 5 });
    expect(await stepped.json()).to.deep.equal({ ok: true, count: 5 });
    expect((await getJson(`${venue.controlUrl}/markets`)).length).to.equal(venue.markets.length);
    await command({ dropSockets: true });
    await client.untilClosed();
    for (const wrong of [
      { freezeSockets: true },
      { freezeSocket: 1 },
      { restDown: { chain: true } },
      { resolveMarket: 'x' },
      { mishaps: 1.5 },
      { restEdge: { clob: 0.5 } },
    ]) {
      expect((await command(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    }
  });
});
