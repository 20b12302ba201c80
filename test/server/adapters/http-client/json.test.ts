import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createHttpJson, type HttpJson, type HttpJsonLimits } from '#adapters/http-client/json';
import { whileCollecting } from '#test/support/collected-garbage';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { ManualClock } from '#test/support/manual-clock';
import { outsideErrorOf } from '#test/support/promises';

const QUICK: Partial<HttpJsonLimits> = { backoffFirstMs: 1, backoffMaxMs: 2, breakerPauseMs: 60 };

/** The OutsideError that a call ends with; any other end fails the test. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('JSON over HTTP', () => {
  let server: LoopbackServer;
  let clock: ManualClock;

  beforeEach(async () => {
    server = await startLoopbackServer();
    clock = new ManualClock();
  });
  afterEach(() => server.close());

  function http(
    limits: Partial<HttpJsonLimits> = {},
    attemptTimeoutMs = 1_000,
    attemptsMax = 2,
    probePaths = ['/'],
  ): HttpJson {
    const budget = { attemptTimeoutMs, attemptsMax };
    return createHttpJson({
      probePaths,
      upstream: 'clob',
      baseUrl: `${server.baseUrl}/`,
      budget,
      clock,
      limits: { ...QUICK, ...limits },
    });
  }

  it('gets JSON and says who asks', async () => {
    server.answer((_, response) => sendJson(response, { a: 1 }));
    expect(await http().get('/book?token_id=7')).to.deep.equal({ kind: 'ok', body: { a: 1 } });
    expect(server.seen[0]).to.include({ method: 'GET', url: '/book?token_id=7' });
    expect(server.seen[0]?.headers['user-agent']).to.match(/^preflight\//);
  });

  it('posts JSON', async () => {
    server.answer((request, response) => sendJson(response, JSON.parse(request.body)));
    expect(await http().post('/books', [{ token_id: '7' }])).to.deep.equal({ kind: 'ok', body: [{ token_id: '7' }] });
    expect(server.seen[0]?.headers['content-type']).to.equal('application/json');
  });

  it('tries again after a 5xx, and gives up after as many attempts as it may make', async () => {
    server.answer((_, response, index) => (index === 0 ? sendJson(response, {}, 503) : sendJson(response, { a: 1 })));
    expect(await http().get('/x')).to.deep.equal({ kind: 'ok', body: { a: 1 } });
    expect(server.seen).to.have.length(2);

    server.answer((_, response) => sendJson(response, {}, 502));
    const failure = await outsideErrorOf(http({}, 1_000, 3).get('/x?secret=1'));
    expect(server.seen).to.have.length(5);
    expect(failure).to.include({ failure: 'retryable', status: 502, message: 'clob: GET /x answered 502' });
  });

  it('gives up an answer that does not begin, or does not end, in time', async () => {
    server.answer(() => undefined);
    const silent = await outsideErrorOf(http({}, 50).get('/x'));
    expect(silent.message).to.equal('clob: GET /x gave no answer within 50 ms');
    expect(silent.failure).to.equal('retryable');
    expect(server.seen).to.have.length(2);

    server.answer((_, response) => response.writeHead(200).write('{"a":'));
    expect((await outsideErrorOf(http({}, 50).get('/x'))).message).to.contain('gave no answer within 50 ms');
  });

  it('tries again where the connection breaks', async () => {
    server.answer((_, response, index) => (index === 0 ? response.destroy() : sendJson(response, 1)));
    expect(await http().get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
  });

  it('takes a 4xx as an answer: no second try, and the breaker stays closed', async () => {
    server.answer((_, response) => sendJson(response, { error: 'No orderbook exists' }, 404));
    const calls = http({ breakerFailures: 2 });
    for (let i = 0; i < 5; i++) {
      expect(await calls.get('/book')).to.deep.equal({
        kind: 'refused',
        status: 404,
        text: '{"error":"No orderbook exists"}',
      });
    }
    expect(server.seen).to.have.length(5);
    expect(calls.health()).to.include({ ok: true, lastError: null });
  });

  it('is not well by an answer that no API makes, nor by a refusal of what is there on every one', async () => {
    for (const [status, body, error] of [
      [404, '<html>parked domain</html>', 'clob: answered 404 to GET /: its URL may be wrong'],
      [403, 'Forbidden', 'clob: answered 403 to GET /: its URL may be wrong'],
      [404, '{"error":"not found"}', 'clob: answered 404 to GET /: its URL may be wrong'],
    ] as const) {
      const calls = http();
      server.answer((_, response) => response.writeHead(status).end(body));
      await calls.probe();
      expect(calls.health()).to.include({ ok: false, lastError: error });
      server.answer((_, response) => sendJson(response, []));
      await calls.probe();
      expect(calls.health()).to.include({ ok: true, lastError: null });
    }
    const two = http({}, 1_000, 2, ['/v2/x', '/x']);
    server.answer(({ url }, response) => sendJson(response, {}, url === '/x' ? 200 : 404));
    await two.probe();
    expect(two.health(), 'of two versions one is there').to.include({ ok: true, lastError: null });
    const calls = http();
    server.answer((_, response) => response.writeHead(404).end('<html>parked domain</html>'));
    await calls.get('/book');
    expect(calls.health().lastError).to.equal('clob: answered 404 with something else than JSON');
  });

  it('gives up a body that does not end, whatever is collected meanwhile', async () => {
    server.answer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'));
    const failure = await whileCollecting(() => outsideErrorOf(http({}, 300, 1).get('/x')));
    expect(failure).to.include({ failure: 'retryable', message: 'clob: GET /x gave no answer within 300 ms' });
  });

  it('never follows a redirect, and says so', async () => {
    const target = await startLoopbackServer();
    server.answer((_, response) => response.writeHead(302, { location: `${target.baseUrl}/elsewhere` }).end('moved'));
    try {
      const failure = await outsideErrorOf(http().get('/x'));
      expect(failure.message).to.equal('clob: GET /x answered 302; redirects are not followed');
      expect(target.seen).to.deep.equal([]);
    } finally {
      await target.close();
    }
  });

  it('refuses a body beyond the limit, even a small one that inflates, and does not ask again', async () => {
    const calls = http({ responseBytesMax: 1_000 });
    server.answer((_, response) => sendJson(response, 'x'.repeat(2_000)));
    const failure = await outsideErrorOf(calls.get('/x'));
    expect(failure).to.include({ failure: 'final', message: 'clob: GET /x answered with more than 1000 bytes' });

    const bomb = gzipSync(Buffer.alloc(1_000_000, 'x') as unknown as Uint8Array);
    server.answer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect((await outsideErrorOf(calls.get('/x'))).failure).to.equal('final');
    expect(server.seen).to.have.length(2);
  });

  it('stops reading a body without end at the limit', async () => {
    server.answer((_, response) => {
      const write = (): unknown => response.destroyed || response.write('x'.repeat(10_000), () => setImmediate(write));
      write();
    });
    const failure = await outsideErrorOf(http({ responseBytesMax: 100_000 }).get('/x'));
    expect(failure).to.include({ failure: 'final', message: 'clob: GET /x answered with more than 100000 bytes' });
  });

  it('tries again where the body is no JSON', async () => {
    server.answer((_, response, index) => (index === 0 ? response.end('<html>') : sendJson(response, [])));
    expect(await http().get('/x')).to.deep.equal({ kind: 'ok', body: [] });

    server.answer((_, response) => response.end('<html>'));
    expect((await outsideErrorOf(http().get('/x'))).message).to.contain('a body that is not JSON');
  });

  it('reads JSON behind a byte order mark, as browsers do', async () => {
    const text = '\ufeff{"size":"1000"}';
    server.answer((_, response) => response.end(text));
    expect(await http().get('/x')).to.deep.equal({ kind: 'ok', body: { size: '1000' } });
    server.answer((_, response) => response.writeHead(404).end('\ufeff{"error":"none"}'));
    expect(await http().get('/x')).to.deep.equal({ kind: 'refused', status: 404, text: '{"error":"none"}' });
  });

  it('leaves an upstream alone that fails again and again, and comes back when it answers', async () => {
    const calls = http({ breakerFailures: 4 });
    server.answer((_, response) => sendJson(response, {}, 500));
    for (let i = 0; i < 3; i++) await outsideErrorOf(calls.get('/x'));
    const requested = server.seen.length;
    const open = await outsideErrorOf(calls.get('/x'));
    expect(server.seen).to.have.length(requested);
    expect(open.message).to.contain('failed too often in a row');
    expect(open.failure).to.equal('retryable');
    expect(calls.health().ok).to.equal(false);
    expect(calls.health().lastError, 'why it is left alone').to.equal('clob: GET /x answered 500');

    server.answer((_, response) => sendJson(response, 1));
    clock.advance(80);
    expect(await calls.get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
    expect(await calls.get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
    expect(calls.health()).to.deep.equal({ name: 'clob', ok: true, lastOkAtMs: clock.nowMs(), lastError: null });
  });

  it('asks a failed upstream again in time though the wall clock was set back by an hour', async () => {
    const calls = http({ breakerFailures: 2 });
    server.answer((_, response) => sendJson(response, {}, 500));
    await outsideErrorOf(calls.get('/x'));
    clock.step(-3_600_000);
    clock.advance(80);
    server.answer((_, response) => sendJson(response, 1));
    expect(await calls.get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
  });

  it('ends the pause of a 429 in time though the wall clock was set back by an hour', async () => {
    const calls = http();
    server.answer((_, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    await outsideErrorOf(calls.get('/x'));
    clock.step(-3_600_000);
    clock.advance(7_000);
    server.answer((_, response) => sendJson(response, 1));
    expect(await calls.get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
  });

  it('waits a short Retry-After out and then asks again', async () => {
    server.answer((_, response, index) =>
      index === 0 ? response.writeHead(429, { 'retry-after': '1' }).end() : sendJson(response, 1),
    );
    expect(await http({ throttleMaxMs: 30, throttleWaitMaxMs: 50 }).get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
    expect(server.seen).to.have.length(2);
  });

  it('asks nothing at all while a long Retry-After lasts', async () => {
    const calls = http();
    server.answer((_, response) => response.writeHead(429, { 'retry-after': '7' }).end());
    const failure = await outsideErrorOf(calls.get('/x'));
    expect(failure).to.include({ failure: 'retryable', status: 429 });
    expect(failure.message).to.equal('clob: wants fewer calls (429); called again in 7000 ms');

    server.answer((_, response) => sendJson(response, 1));
    await outsideErrorOf(calls.get('/x'));
    expect(server.seen).to.have.length(1);
    clock.advance(7_000);
    expect(await calls.get('/x')).to.deep.equal({ kind: 'ok', body: 1 });
  });

  it('reads a Retry-After that is a date, and does not believe one beyond its limit', async () => {
    const date = new Date(clock.nowMs() + 5_000).toUTCString();
    server.answer((_, response) => response.writeHead(429, { 'retry-after': date }).end());
    expect((await outsideErrorOf(http().get('/x'))).message).to.contain('called again in 5000 ms');
    server.answer((_, response) => response.writeHead(429, { 'retry-after': '999999' }).end());
    expect((await outsideErrorOf(http().get('/x'))).message).to.contain('called again in 30000 ms');
  });

  it('does not open the breaker for a 429: the upstream is well', async () => {
    const calls = http({ breakerFailures: 2 });
    server.answer((_, response) => response.writeHead(429).end());
    for (let i = 0; i < 4; i++) await outsideErrorOf(calls.get('/x'));
    expect(server.seen).to.have.length(8);
  });

  it('bounds the calls under way and the calls that wait', async () => {
    const calls = http({ callsInFlightMax: 2, callsWaitingMax: 1 });
    const held: (() => void)[] = [];
    server.answer((_, response) => held.push(() => sendJson(response, 1)));
    const under = [calls.get('/1'), calls.get('/2'), calls.get('/3')];
    const over = await outsideErrorOf(calls.get('/4'));
    expect(over).to.include({ failure: 'retryable', message: 'clob: 2 calls are under way and 1 wait' });
    while (held.length < 2) await pause(1);
    server.answer((_, response) => sendJson(response, 1));
    for (const release of held) release();
    expect(await Promise.all(under)).to.have.length(3);
  });

  describe('for callers who wait and for nobody who does', () => {
    /** What the upstream got, in its order, while it holds the answer to each back. */
    function hold() {
      const got: string[] = [];
      const held: (() => void)[] = [];
      server.answer(({ url }, response) => {
        got.push(url);
        held.push(() => sendJson(response, 1));
      });
      const arrived = async (count: number) => {
        while (got.length < count) await pause(1);
      };
      const releaseAll = () => {
        server.answer(({ url }, response) => {
          got.push(url);
          sendJson(response, 1);
        });
        for (const release of held.splice(0)) release();
      };
      return { got, release: () => held.shift()?.(), releaseAll, arrived };
    }

    it('serves all callers who wait before the first of the others, whoever came first', async () => {
      const calls = http({ callsInFlightMax: 2, backgroundInFlightMax: 2 });
      const { got, release, arrived } = hold();
      const all = [calls.get('/b1', 'background'), calls.get('/b2', 'background'), calls.get('/b3', 'background')];
      await arrived(2);
      all.push(calls.get('/c1', 'caller'), calls.get('/c2'), calls.post('/b4', 1, 'background'));
      for (let done = 1; done <= 4; done++) {
        release();
        await arrived(2 + done);
      }
      release();
      release();
      await Promise.all(all);
      expect(got.toSorted().slice(0, 2)).to.deep.equal(['/b1', '/b2']);
      expect(got.slice(2)).to.deep.equal(['/c1', '/c2', '/b3', '/b4']);
    });

    it('leaves places free for callers, however much else there is', async () => {
      const calls = http({ callsInFlightMax: 3, backgroundInFlightMax: 1 });
      const { got, releaseAll, arrived } = hold();
      const all = ['/b1', '/b2', '/b3'].map((path) => calls.get(path, 'background'));
      await arrived(1);
      all.push(calls.get('/c1'), calls.get('/c2'));
      await arrived(3);
      expect(got[0]).to.equal('/b1');
      expect(got.slice(1)).to.have.members(['/c1', '/c2']);
      releaseAll();
      await Promise.all(all);
      expect(got.slice(3)).to.deep.equal(['/b2', '/b3']);
    });

    it('bounds those who wait of each class by itself', async () => {
      const calls = http({ callsInFlightMax: 1, backgroundInFlightMax: 1, callsWaitingMax: 1 });
      const { releaseAll, arrived } = hold();
      const all = [calls.get('/b1', 'background')];
      await arrived(1);
      all.push(calls.get('/b2', 'background'), calls.get('/c1'));
      expect((await outsideErrorOf(calls.get('/b3', 'background'))).message).to.equal(
        'clob: 1 calls are under way and 1 wait',
      );
      expect((await outsideErrorOf(calls.get('/c2'))).message).to.equal('clob: 1 calls are under way and 1 wait');
      releaseAll();
      await Promise.all(all);
    });
  });

  it('says how the upstream stands', async () => {
    const calls = http();
    expect(calls.health()).to.deep.equal({ name: 'clob', ok: null, lastOkAtMs: null, lastError: null });
    server.answer((_, response) => sendJson(response, 1));
    await calls.get('/x');
    const okAtMs = clock.nowMs();
    clock.advance(1_000);
    server.answer((_, response) => sendJson(response, {}, 500));
    await outsideErrorOf(calls.get('/x'));
    expect(calls.health()).to.deep.equal({
      name: 'clob',
      ok: false,
      lastOkAtMs: okAtMs,
      lastError: 'clob: GET /x answered 500',
    });
  });

  it('fails as an outside error where nobody listens', async () => {
    const calls = http();
    await server.close();
    expect(await outsideErrorOf(calls.get('/x'))).to.include({ failure: 'retryable' });
    server = await startLoopbackServer();
  });
});
