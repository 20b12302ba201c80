import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { systemClock } from '#adapters/process/system-clock';
import { readRecording, summaryOf } from '#local/venue/recording/recording';
import { capture } from '#test/support/captures';
import { rejectionOf } from '#test/support/promises';
import { tempFolder } from '#test/support/temp-folder';
import {
  ChannelClient,
  getJson,
  type Json,
  NaiveBook,
  StillClock,
  stillVenue,
  tokensOf,
} from '../../support/venue-harness.js';

const JUNE = 'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp';
const JULY = 'market_slug,market_id,asset_id,outcome_name,event_type,price,side,size,hash,timestamp';

describe('local venue: reading recordings', () => {
  const folder = tempFolder('venue-recording');
  async function fileWith(name: string, lines: readonly string[]): Promise<string> {
    const file = join(folder, name);
    const text = lines.join('\n');
    await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
    return file;
  }

  it('rebuilds frames from the June form: runs of equal type, token, timestamp and hash', async () => {
    const file = await fileWith('june.csv', [
      JUNE,
      'mlb-a-b,11,7,book,0.6,ask,5.0,h1,1000',
      'mlb-a-b,11,7,book,0.4,bid,10.50,h1,1000',
      'mlb-a-b,11,7,book,0.3,bid,7.0,h1,1000',
      'mlb-a-b,11,7,price_change,0.41,bid,1.0,h2,1001',
      'mlb-a-b,11,7,price_change,0.4,bid,0.0,h2,1001',
      'mlb-a-b,11,7,price_change,0.6,ask,0.0,h3,1001',
      'mlb-a-b,12,7,price_change,0.6,bid,2.0,h3,900',
    ]);
    const { frames, markets, bookFrames, priceChangeFrames, skipped } = await readRecording(file);
    expect({ bookFrames, priceChangeFrames, skipped }).to.deep.equal({
      bookFrames: 1,
      priceChangeFrames: 3,
      skipped: 0,
    });
    const [book, change, emptied] = frames.map((frame) => JSON.parse(frame.text));
    expect([book.bids, book.asks]).to.deep.equal([
      [
        { price: '0.3', size: '7' },
        { price: '0.4', size: '10.5' },
      ],
      [{ price: '0.6', size: '5' }],
    ]);
    expect(change.price_changes).to.deep.equal([
      { asset_id: '11', price: '0.41', size: '1', side: 'BUY', hash: 'h2', best_bid: '0.41', best_ask: '0.6' },
      { asset_id: '11', price: '0.4', size: '0', side: 'BUY', hash: 'h2', best_bid: '0.41', best_ask: '0.6' },
    ]);
    expect(emptied.price_changes[0].best_ask).to.equal('1');
    expect(frames.map((frame) => frame.atMs)).to.deep.equal([1000, 1001, 1001, 1001]);
    expect(markets[0]?.ids.tokenIds).to.deep.equal(['11', '12']);
  });

  it('reads the July form by header name, with outcome names, and leaves a torn row out', async () => {
    const file = await fileWith('july.csv.gz', [
      JULY,
      'mlb-a-b,7,11,Reds,book,0.4,BUY,1.0,h1,1000',
      'mlb-a-b,7,11,Rmlb-a-b,7,11,Reds,book,0.5,SELL,2.0,h1,1000',
      'mlb-a-b,7,11,Reds,book,0.6,SELL,2.0,h1,1000',
      'mlb-a-b,7,12,Red Sox,book,0.4,BUY,2.0,h2,1000',
    ]);
    const recording = await readRecording(file);
    expect(recording).to.include({ bookFrames: 2, skipped: 1 });
    expect(recording.markets[0]?.outcomes).to.deep.equal(['Reds', 'Red Sox']);
  });

  it('says what is wrong with a file that is no recording', async () => {
    const rejected = async (name: string, lines: readonly string[]) => {
      const file = await fileWith(name, lines);
      return (await rejectionOf(readRecording(file))).message;
    };
    expect(await rejected('notes.txt', ['hello'])).to.include('give a .csv or .jsonl file');
    expect(await rejected('empty.jsonl', ['', 'not json', '{"event_type":"book"}'])).to.include('holds no frame');
    const failed = async (name: string) => {
      const file = join(folder, name);
      const { message, cause } = await rejectionOf(readRecording(file));
      expect(message).to.include(`${file} cannot be played`);
      return (cause as NodeJS.ErrnoException).code;
    };
    expect([await failed('absent.csv'), await failed('absent.jsonl')]).to.deep.equal(['ENOENT', 'ENOENT']);
    await writeFile(join(folder, 'broken.csv.gz'), 'this is no gzip');
    await writeFile(join(folder, 'torn.jsonl.gz'), gzipSync('{}\n'.repeat(100)).subarray(0, 20));
    expect([await failed('broken.csv.gz'), await failed('torn.jsonl.gz')]).to.deep.equal([
      'Z_DATA_ERROR',
      'Z_BUF_ERROR',
    ]);
  });

  it('reads files that begin with a byte order mark, and says what it plays and what it left out', async () => {
    const book = JSON.stringify({
      event_type: 'book',
      market: `0x${'a1'.repeat(32)}`,
      asset_id: '11',
      timestamp: '1000',
      bids: [],
      asks: [{ price: '0.6', size: '5' }],
    });
    const raw = await readRecording(await fileWith('marked.jsonl', [`\uFEFF${book}`, '{"torn":', book]));
    expect(summaryOf(raw)).to.equal(
      'playing marked.jsonl: 2 frames of 1 markets (2 books, 0 changes); rows and lines left out as torn or of another form: 1',
    );
    const rows = [`\uFEFF${JUNE}`, 'mlb-a-b,11,7,book,0.6,ask,5.0,h1,1000'];
    expect(await readRecording(await fileWith('marked.csv', rows))).to.include({ bookFrames: 1, skipped: 0 });
  });

  it('leaves out what has no time in milliseconds, so that all else keeps its pace', async () => {
    const book = (timestamp: string) =>
      JSON.stringify({
        event_type: 'book',
        market: `0x${'a1'.repeat(32)}`,
        asset_id: '11',
        timestamp,
        bids: [],
        asks: [],
      });
    const torn = ['', 'abc', '2026-01-01T00:00:00Z', '1785130185252000', '-5', '1e3'];
    const raw = await readRecording(await fileWith('timed.jsonl', [...torn, '1000', '2000'].map(book)));
    expect([raw.frames.map(({ atMs }) => atMs), raw.skipped]).to.deep.equal([[1_000, 2_000], torn.length]);
    const rows = [...torn, '1000', '2000'].map((time) => `mlb-a-b,11,7,book,0.6,ask,5.0,h1,${time}`);
    const flat = await readRecording(await fileWith('timed.csv', [JUNE, ...rows]));
    expect([flat.frames.map(({ atMs }) => atMs), flat.skipped]).to.deep.equal([[1_000, 2_000], torn.length]);
  });

  it('finds 62,149 frames in the 17 recorded games: 1,848 books and 60,301 changes', async function () {
    const games = capture(this, 'ws-market/mlb-2025');
    const files = readdirSync(games).filter((name) => name.endsWith('.csv.gz'));
    const total = { files: files.length, books: 0, changes: 0, frames: 0, skipped: 0 };
    for (const name of files) {
      const recording = await readRecording(join(games, name));
      total.books += recording.bookFrames;
      total.changes += recording.priceChangeFrames;
      total.frames += recording.frames.length;
      total.skipped += recording.skipped;
      expect(recording.markets, name).to.have.length(1);
    }
    expect(total).to.deep.equal({ files: 17, books: 1_848, changes: 60_301, frames: 62_149, skipped: 1 });
  });

  it('finds 3 books and 29 changes in the raw session, in three markets of two tokens', async function () {
    const recording = await readRecording(capture(this, 'ws-market/session_1785130179.2026-07-27.jsonl'));
    expect(recording).to.include({ bookFrames: 3, priceChangeFrames: 29, skipped: 0 });
    expect(recording.markets).to.have.length(3);
  });
});

describe('local venue: playing a recording', () => {
  const lines = [
    JULY,
    'mlb-cin-bos-2025-07-01,7,11,Reds,book,0.4,BUY,100.0,h1,1000',
    'mlb-cin-bos-2025-07-01,7,11,Reds,book,0.42,SELL,50.0,h1,1000',
    'mlb-cin-bos-2025-07-01,7,12,Red Sox,book,0.58,BUY,50.0,h2,1000',
    'mlb-cin-bos-2025-07-01,7,12,Red Sox,book,0.6,SELL,100.0,h2,1000',
    'mlb-cin-bos-2025-07-01,7,11,Reds,price_change,0.41,BUY,7.0,h3,1500',
    'mlb-cin-bos-2025-07-01,7,12,Red Sox,price_change,0.585,BUY,3.0,h4,1600',
  ];

  const open: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(open.splice(0).map((close) => close())));

  async function playing(speed: number, rebase = true) {
    const folder = tempFolder('venue-replay');
    const file = join(folder, 'game.csv');
    await writeFile(file, lines.join('\n'));
    const recording = await readRecording(file);
    const clock = speed === 0 ? new StillClock() : systemClock;
    const venue = await stillVenue({ clock, recording: { recording, speed, rebase } });
    const market = venue.markets.find((each) => each.slug === 'mlb-cin-bos-2025-07-01');
    if (market === undefined) throw new Error('the recorded market is not listed');
    const client = await ChannelClient.subscribed(venue.wsUrl, tokensOf(market));
    const book = (token: string) => getJson(`${venue.clobUrl}/book?token_id=${token}`);
    open.push(() => venue.close());
    return { venue, market, client, book };
  }

  it('lists the market with its outcome names and has its first books before the first frame', async () => {
    const { venue, market, client, book } = await playing(0);
    expect(market.outcomes.map((outcome) => outcome.label)).to.deep.equal(['Reds', 'Red Sox']);
    const [listed] = await getJson(`${venue.gammaUrl}/markets?slug=${market.slug}`);
    expect(listed).to.include({ secondsDelay: 3, feeType: 'sports_fees_v3' });
    expect(client.messages().map((frame) => frame.asset_id)).to.deep.equal(['11', '12']);
    expect((await book('11')).bids).to.deep.equal([{ price: '0.4', size: '100' }]);
  });

  it('plays step by step into REST and channel alike, with hashes that fit, and begins again at the end', async () => {
    const { venue, client, book } = await playing(0);
    const books = new Map<string, NaiveBook>();
    for (let step = 0; step < 13; step++) {
      venue.step(1);
      await client.settle();
    }
    const frames = client.messages();
    expect(frames.map((frame) => frame.event_type)).to.include('tick_size_change');
    for (const frame of frames) applyTo(books, frame);
    for (const token of ['11', '12']) {
      const rest = await book(token);
      expect(books.get(token)?.levels('BUY')).to.deep.equal(rest.bids);
      expect(books.get(token)?.levels('SELL')).to.deep.equal(rest.asks);
      expect(books.get(token)?.hash('5', false)).to.equal(rest.hash);
    }
    const opening = frames.filter((frame) => frame.event_type === 'book' && frame.tick_size === undefined);
    expect(opening).to.have.length(7);
  });

  it('keeps recorded timestamps and hashes where it is told to', async () => {
    const { venue, client, book } = await playing(0, false);
    venue.step(3);
    await client.settle();
    const change = client.messages().at(-1);
    expect([change.timestamp, change.price_changes[0].hash]).to.deep.equal(['1500', 'h3']);
    expect((await book('11')).timestamp).to.equal('1500');
  });

  it('plays by itself at the pace it is given', async () => {
    const { client } = await playing(20);
    while (!client.messages().some((frame) => frame.event_type === 'price_change')) await client.settle();
  });

  it('plays a real session with every hash it was recorded with', async function () {
    const recording = await readRecording(capture(this, 'ws-market/session_1785130179.2026-07-27.jsonl'));
    const venue = await stillVenue({ recording: { recording, speed: 0, rebase: false } });
    open.push(() => venue.close());
    const tokens = recording.markets.map((market) => market.ids.tokenIds[0]);
    const client = await ChannelClient.subscribed(venue.wsUrl, tokens);
    client.forget();
    let fits = 0;
    for (let step = 0; step < recording.frames.length; step++) {
      venue.step(1);
      await client.settle();
      const changes: Json[] = (client.messages().at(-1)?.price_changes ?? []).filter((entry: Json) =>
        tokens.includes(entry.asset_id),
      );
      for (const entry of changes) {
        const rest = await getJson(`${venue.clobUrl}/book?token_id=${entry.asset_id}`);
        if (rest.hash === entry.hash) fits++;
      }
    }
    // Four of the 29 are not the last of their batch; the hash describes the book after the last.
    expect(fits).to.equal(25);
  });
});

function applyTo(books: Map<string, NaiveBook>, frame: Json): void {
  const bookOf = (token: string) => NaiveBook.in(books, token);
  if (frame.event_type === 'book') bookOf(frame.asset_id).takeBook(frame);
  if (frame.event_type === 'tick_size_change') bookOf(frame.asset_id).fields.tick_size = frame.new_tick_size;
  for (const entry of frame.price_changes ?? []) bookOf(entry.asset_id).takeChange(entry, frame.timestamp);
}
