import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { systemClock } from '#adapters/process/system-clock';
import { DemoMarketsSchema } from '#api/demo/demo-markets';
import * as limits from '#http/limits/limits';
import { observeStreams } from '#http/observe/metrics';
import type { HttpServerDeps } from '#http/server';
import type { StreamReader } from '#services/demo/demo';
import { Demo } from '#services/demo/demo';
import { DemoSet } from '#services/demo/demo-set';
import { startLiveVerdicts, until } from '#test/support/live-verdicts';
import { ManualClock } from '#test/support/manual-clock';
import { ManualTimers } from '#test/support/manual-timers';
import { DEAF_READERS } from '#test/support/size';
import { type Door, openDoor } from '../support/door.js';

const PATH = '/demo/books/1/events';
/** An address that is a customer of its own. */
const address = (n: number) => `192.0.2.${n}`;

/** A demo lane whose readers are told what a test says. */
function manualDemo() {
  const readers = new Set<StreamReader>();
  const demo: HttpServerDeps['demo'] = {
    marketsText: async () => '{}',
    find: async (tokenId) =>
      tokenId === '1'
        ? (reader) => {
            readers.add(reader);
            reader.send(Buffer.from('retry: 2000\n\n'));
            return () => void readers.delete(reader);
          }
        : null,
  };
  return { demo, readers };
}

describe('event streams over HTTP', () => {
  let door: Door;
  let timers: ManualTimers;
  let lane: ReturnType<typeof manualDemo>;
  const answers: IncomingMessage[] = [];
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);

  // A listener that is left behind for each event is warned of.
  before(() => process.on('warning', warn));
  after(() => {
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });
  beforeEach(async () => {
    lane = manualDemo();
    const clock = new ManualClock();
    timers = new ManualTimers(clock);
    door = await openDoor({
      deps: {
        demo: lane.demo,
        timers,
        clock: { ...systemClock, elapsedMs: () => clock.elapsedMs() },
        trustedProxies: ['127.0.0.1'],
      },
    });
  });
  afterEach(async () => {
    for (const answer of answers.splice(0)) answer.destroy();
    await door.stop();
  });

  const ask = (from: string, path = PATH, method = 'GET') =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'x-forwarded-for': from, 'last-event-id': '7' };
      const sent = request(door.url + path, { method, headers, agent: false }, (answer) => {
        answers.push(answer);
        answer.on('error', () => undefined);
        resolve(answer);
      });
      sent.on('error', reject).end();
    });
  const textOf = async (answer: IncomingMessage) => Buffer.concat(await answer.toArray()).toString();
  /** Opens a stream that is read, or throws with the refusal. */
  async function open(from: string): Promise<IncomingMessage> {
    const answer = await ask(from);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await textOf(answer)}`);
    return answer.resume();
  }
  async function refusalOf(from: string) {
    const answer = await ask(from);
    const { error, code } = JSON.parse(await textOf(answer));
    return { status: answer.statusCode, retryAfter: Number(answer.headers['retry-after']), error, code };
  }
  const until0 = (count: () => number) => until('they are gone', () => count() === 0);

  it('say that nobody may keep or collect them, and that any origin may read them', async () => {
    const { headers } = await open(address(1));
    expect(headers).to.deep.include({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(headers).to.not.have.any.keys('content-length');
  });

  it('are 404 in JSON outside the set, also to a HEAD, which opens none', async () => {
    for (const path of ['/demo/books/2/events', '/demo/books/%00/events', `/demo/books/${'9'.repeat(2_000)}/events`]) {
      const answer = await ask(address(1), path);
      expect(answer.statusCode, path.slice(0, 30)).to.equal(404);
      expect(JSON.parse(await textOf(answer)).code).to.equal('not_found');
    }
    expect((await ask(address(1), '/demo/books/2/events', 'HEAD')).statusCode).to.equal(404);
    const head = await ask(address(1), PATH, 'HEAD');
    expect(head.statusCode).to.equal(200);
    expect(head.headers['content-type']).to.equal('text/event-stream');
    expect(await textOf(head)).to.equal('');
    expect(lane.readers.size).to.equal(0);
    expect(door.http.streams()).to.deep.equal({ open: 0, refused: 0 });
  });

  it('are four of one customer, who gets the fifth place when one is left', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => open('2001:db8:1:2::5')));
    const { status, code, retryAfter, error } = await refusalOf('2001:db8:1:2::6');
    expect({ status, code, retryAfter }).to.deep.equal({ status: 429, code: 'rate_limited', retryAfter: 5 });
    expect(error).to.include('4 are the most');
    await open('2001:db8:1:3::5');
    held[0]!.destroy();
    await until('its place is free', () => door.http.streams().open === 4);
    await open('2001:db8:1:2::6');
    expect(door.http.streams()).to.deep.equal({ open: 5, refused: 1 });
  });

  it('are four of one customer also when all are opened at once', async () => {
    const requested = await Promise.all(Array.from({ length: 12 }, () => ask(address(1))));
    expect(requested.filter(({ statusCode }) => statusCode === 200)).to.have.length(4);
    expect(requested.filter(({ statusCode }) => statusCode === 429)).to.have.length(8);
  });

  it('are 200 in all, and take no place at work from anybody', async () => {
    for (let n = 0; n < 50; n++) await Promise.all(Array.from({ length: 4 }, () => open(address(n))));
    // Nobody's time is up on these timers: a request that had to wait for a place would wait for
    // ever.
    expect((await fetch(`${door.url}/pricing.md`)).status).to.equal(200);
    for (const answer of answers) answer.destroy();
    await until0(() => door.http.streams().open);
    expect(lane.readers.size).to.equal(0);
  });

  const openOf = (from: string, count: number) => Promise.all(Array.from({ length: count }, () => open(from)));
  const isEnded = (answer: IncomingMessage) => answer.closed || answer.readableEnded;

  it('go, when all are open, from the widest holder to a newcomer with fewer, the oldest first', async () => {
    const first = await openOf(address(0), 4);
    for (let n = 1; n < 50; n++) await openOf(address(n), 4);
    await open(address(99));
    await until('the oldest one has ended', () => isEnded(first[0]!));
    expect(first.slice(1).map(isEnded)).to.deep.equal([false, false, false]);
    expect(door.http.streams()).to.deep.equal({ open: 200, refused: 0 });
    // The others get as much, as long as somebody has more than they would have.
    await openOf(address(98), 3);
    const refusal = await refusalOf(address(98));
    expect(refusal).to.include({ status: 429, retryAfter: 5 });
    expect(refusal.error).to.include('200 streams are open');
    expect(door.http.streams()).to.deep.equal({ open: 200, refused: 1 });
  });

  it('count by the /48 of an IPv6 address, whose customers are as many as its holder likes', async () => {
    const wide: IncomingMessage[] = [];
    for (let n = 0; n < 30; n++) wide.push(...(await openOf(`2001:db8:1:${n.toString(16)}::1`, 4)));
    for (let n = 0; n < 20; n++) await openOf(address(n), 4);
    await openOf(address(99), 4);
    await until('four have ended', () => wide.filter(isEnded).length === 4);
    expect(wide.slice(0, 4).every(isEnded)).to.equal(true);
    expect(await refusalOf('2001:db8:1:ff::1'), 'one more of that network').to.include({ status: 429 });
    await open('2001:db8:2::1');
  });

  it('are cut where their reader is late again and again', async () => {
    const [socket] = await endless(1);
    const [reader] = lane.readers;
    const bytes = Buffer.from(`data: ${'x'.repeat(EVENT_BYTES)}\n\n`);
    const lateMs = limits.STREAM_UNREAD_WAIT_MS - 1;
    for (let passedMs = 0; passedMs + lateMs < limits.STREAM_LATE_MAX_MS; passedMs += lateMs) {
      timers.advance(lateMs);
      socket!.resume();
      await until('it is ready', () => reader!.isReady());
      socket!.pause();
      for (let n = 0; reader!.isReady() && n < SENT_MAX; n++) reader!.send(bytes);
      expect(reader!.isReady(), 'it is late again').to.equal(false);
    }
    expect(door.http.streams().open).to.equal(1);
    timers.advance(10);
    await until0(() => door.http.streams().open);
    socket!.destroy();
  });

  it('are 60 new ones of one customer in a minute', async () => {
    for (let n = 0; n < 60; n++) {
      (await open(address(1))).destroy();
      await until0(() => door.http.streams().open);
    }
    const { status, retryAfter, error } = await refusalOf(address(1));
    expect(status).to.equal(429);
    expect(retryAfter).to.be.within(1, 60);
    expect(error).to.include('60 streams within 60 s');
    await open(address(2));
    expect(door.http.streams().open).to.equal(1);
  });

  it('end at once when the service stops, which waits for none of them', async () => {
    const read = await Promise.all([1, 2, 3].map((n) => open(address(n))));
    const ends = read.map((answer) => once(answer, 'close'));
    await door.http.stop();
    await Promise.all(ends);
    expect(lane.readers.size).to.equal(0);
  });

  it('are cut half a second after a stop if their readers take nothing', async () => {
    const deaf = await endless(DEAF_READERS);
    const stopped = door.http.stop();
    timers.advance(limits.STREAM_END_WAIT_MS);
    await stopped;
    for (const socket of deaf) socket.destroy();
  });

  it('keep nothing for readers that never read, and cut them', async () => {
    const stored: Socket[] = [];
    door.http.server.on('connection', (socket) => stored.push(socket));
    const deaf = await endless(DEAF_READERS);
    for (const socket of stored) {
      expect(socket.writableLength)
        .to.be.above(0)
        .and.at.most(socket.writableHighWaterMark + EVENT_BYTES + 1_000);
    }
    const buffered = stored.map((socket) => socket.writableLength);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stored.map((socket) => socket.writableLength)).to.deep.equal(buffered);
    timers.advance(limits.STREAM_UNREAD_WAIT_MS - 1);
    expect(door.http.streams().open).to.equal(DEAF_READERS);
    timers.advance(1);
    await until0(() => door.http.streams().open);
    for (const socket of deaf) socket.destroy();
  });

  it('go on for a reader that was slow and reads again', async () => {
    const [socket] = await endless(1);
    timers.advance(limits.STREAM_UNREAD_WAIT_MS - 1);
    let received = 0;
    socket!.on('data', (chunk) => {
      received += chunk.length;
    });
    await until('it is ready', () => [...lane.readers].every((reader) => reader.isReady()));
    timers.advance(2 * limits.STREAM_UNREAD_WAIT_MS);
    expect(door.http.streams().open).to.equal(1);
    expect(timers.waiting, 'nothing is due any more').to.equal(0);
    const before = received;
    for (const reader of lane.readers) reader.send(Buffer.from(': ping\n\n'));
    await until('it hears more', () => received > before);
    socket!.destroy();
  });

  it('are counted for operators', async () => {
    const registry = new Registry();
    observeStreams(registry, () => door.http.streams());
    await Promise.all(Array.from({ length: 5 }, () => ask(address(1))));
    const text = await registry.metrics();
    expect(text).to.match(/^preflight_demo_streams 4$/m);
    expect(text).to.match(/^preflight_demo_streams_refused_total 1$/m);
    expect(await registry.metrics()).to.match(/^preflight_demo_streams_refused_total 1$/m);
  });

  const EVENT_BYTES = 64_000;
  /** More than any connection takes by itself. */
  const SENT_MAX = 300;

  /** Opens streams that nobody reads, and sends to each for as long as it is ready. */
  async function endless(count: number): Promise<readonly Socket[]> {
    const sockets = Array.from({ length: count }, (_, n) => {
      const socket = connect(door.port, '127.0.0.1').on('error', () => undefined);
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address(n)}\r\n\r\n`);
      return socket;
    });
    await until('all are open', () => lane.readers.size === count);
    const bytes = Buffer.from(`data: ${'x'.repeat(EVENT_BYTES)}\n\n`);
    // What the connections take by themselves differs: when none is ready for a while, all are
    // full.
    const sent = new Map<StreamReader, number>();
    for (let quiet = 0; quiet < 10; quiet++) {
      for (const reader of lane.readers) {
        for (let n = sent.get(reader) ?? 0; reader.isReady() && n < SENT_MAX; quiet = 0) {
          reader.send(bytes);
          sent.set(reader, ++n);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return sockets;
  }
});

describe('a book of the local venue over HTTP', () => {
  const SLUG = 'will-arcadia-call-a-snap-election-by-december-31';

  it('comes, grows stale when the venue stands still, and ends when its market closes', async () => {
    const live = await startLiveVerdicts();
    const log = { warn() {}, error() {} };
    const set = new DemoSet({ slugs: [SLUG], markets: live.markets, stopwatch: live.clock, log });
    const demo = new Demo({ set, books: live.books, clock: live.clock, log });
    const door = await openDoor({ deps: { demo, clock: systemClock } });
    const listed = await fetch(`${door.url}/demo/markets`);
    const { markets } = DemoMarketsSchema.parse(await listed.json());
    const first = await fetch(`${door.url}/demo/markets`);
    const again = await fetch(first.url, { headers: { 'if-none-match': first.headers.get('etag')! } });
    expect(again.status).to.equal(304);
    const answer = await fetch(door.url + markets[0]!.outcomes[0]!.events);
    let text = '';
    const reading = (async () => {
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) text += part;
    })();
    await until('a book comes', () => text.includes('event: book\n'));
    live.venue.faults.freezeSocket = true;
    live.venue.faults.restDown('clob');
    live.clock.skip(61_000);
    await until('it is stale', () => text.includes('event: stale\n'));
    live.venue.faults.clear();
    live.venue.faults.resolveMarket(SLUG);
    await until('it is closed', () => {
      live.clock.skip(1_000);
      return text.includes('event: closed\n');
    });
    await reading;
    expect(text.startsWith('retry: 2000\n\n')).to.equal(true);
    expect(text.endsWith('retry: 60000\n\n')).to.equal(true);
    await door.stop();
    await live.stop();
  });
});
