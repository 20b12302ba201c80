import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ENDPOINTS } from '#api/endpoints';
import { ErrorBodySchema } from '#api/errors';
import { type Door, OWNER, openDoor } from './support/door.js';
import { exchange, exchangeBytes, exchangeEndless, parseAnswers } from './support/raw-exchange.js';

const PATH = '/api/preflight_trade';
const CLOSE = 'Host: x\r\nConnection: close\r\n';

/** A POST with these headers and this body, on a connection that the server is asked to close. */
function post(headers: readonly string[], body: string | Buffer, path = PATH): Buffer {
  const length = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
    ? []
    : [`Content-Length: ${body.length}`];
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, ...length];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

const JSON_TYPE = 'Content-Type: application/json';
const deep = '['.repeat(8_000) + ']'.repeat(8_000);

/** What is wrong, what is sent, and the status and code that come back. */
const cases: readonly [title: string, bytes: string | Buffer, status: number, code: string][] = [
  ['an unknown path', `GET /nowhere HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['a path in another case', `GET /API/preflight_trade HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['a path with a slash at its end', `GET ${PATH}/ HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['a path with two slashes', `GET //api/preflight_trade HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['an encoded path', `GET /api%2fpreflight_trade HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['a malformed escape in the path', `GET /api/%zz%E0%A4%A HTTP/1.1\r\n${CLOSE}\r\n`, 404, 'not_found'],
  ['a method that the path does not take', `DELETE ${PATH} HTTP/1.1\r\n${CLOSE}\r\n`, 405, 'method_not_allowed'],
  ['TRACE', `TRACE ${PATH} HTTP/1.1\r\n${CLOSE}\r\n`, 405, 'method_not_allowed'],
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405, 'method_not_allowed'],
  ['a method that does not exist', `BREW ${PATH} HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['bytes that are not HTTP', 'hello there\r\n\r\n', 400, 'malformed_request'],
  ['bytes of TLS', Buffer.from('16030100a5010000a10303', 'hex'), 400, 'malformed_request'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
  ['an HTTP version that does not exist', `GET ${PATH} HTTP/9.9\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['HTTP/2.0 in the request line', `GET /healthz HTTP/2.0\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['a URL without a host', `GET http:// HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['a URL whose host is cut off', `GET http://[::/x HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['a URL of another scheme', `GET ftp://x/healthz HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'malformed_request'],
  ['two Host headers', `GET /healthz HTTP/1.1\r\n${CLOSE}hOST: y\r\n\r\n`, 400, 'malformed_request'],
  ['no Host header', `GET ${PATH} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400, 'malformed_request'],
  ['a header name with a space', `GET ${PATH} HTTP/1.1\r\n${CLOSE}bad name: 1\r\n\r\n`, 400, 'malformed_request'],
  ['a header value with a zero byte', `GET ${PATH} HTTP/1.1\r\n${CLOSE}a: b\0c\r\n\r\n`, 400, 'malformed_request'],
  [
    'headers above the limit',
    `GET ${PATH} HTTP/1.1\r\n${CLOSE}X-PAYMENT: ${'a'.repeat(40_000)}\r\n\r\n`,
    400,
    'headers_too_large',
  ],
  [
    'headers of 30 kB in short lines',
    `GET /healthz HTTP/1.1\r\n${CLOSE}${'a:b\r\n'.repeat(6_000)}\r\n`,
    400,
    'headers_too_large',
  ],
  ['a slug of 64 kB', `GET ${PATH}?slug=${'a'.repeat(65_536)} HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'headers_too_large'],
  ['a URL of 20 MB', `GET /${'a'.repeat(20_000_000)} HTTP/1.1\r\n${CLOSE}\r\n`, 400, 'headers_too_large'],
  [
    'Content-Length and Transfer-Encoding at once',
    post([JSON_TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    400,
    'malformed_request',
  ],
  ['two lengths', post([JSON_TYPE, 'Content-Length: 2', 'Content-Length: 3'], '{}'), 400, 'malformed_request'],
  ['a length that is no number', post([JSON_TYPE, 'Content-Length: two'], '{}'), 400, 'malformed_request'],
  ['a bad chunk', post([JSON_TYPE, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'), 400, 'malformed_request'],
  [
    'an expectation nobody can meet',
    `GET ${PATH} HTTP/1.1\r\n${CLOSE}Expect: the-impossible\r\n\r\n`,
    400,
    'malformed_request',
  ],
  ['a body that is not JSON', post([JSON_TYPE], '{"usd":'), 400, 'malformed_request'],
  ['a body that is a number', post([JSON_TYPE], '7'), 400, 'malformed_request'],
  ['a body that is null', post([JSON_TYPE], 'null'), 400, 'malformed_request'],
  ['a body that is an array', post([JSON_TYPE], '[{"usd":1}]'), 400, 'malformed_request'],
  ['a body that is deeply nested', post([JSON_TYPE], deep), 400, 'malformed_request'],
  ['a body above the limit', post([JSON_TYPE], `{"slug":"${'a'.repeat(20_000)}"}`), 413, 'body_too_large'],
  ['a body of 5 MB', post([JSON_TYPE], `{"slug":"${'a'.repeat(5_000_000)}"}`), 413, 'body_too_large'],
  [
    'a chunked body above the limit',
    post([JSON_TYPE, 'Transfer-Encoding: chunked'], `8000\r\n${'1'.repeat(0x8000)}\r\n0\r\n\r\n`),
    413,
    'body_too_large',
  ],
  ['a body without a type', post([], '{}'), 415, 'unsupported_media_type'],
  ['a form', post(['Content-Type: application/x-www-form-urlencoded'], 'usd=1'), 415, 'unsupported_media_type'],
  ['a charset that does not exist', post([`${JSON_TYPE}; charset=klingon`], '{}'), 415, 'unsupported_media_type'],
  ['a body in UTF-16', post([`${JSON_TYPE}; charset=utf-16`], '{}'), 415, 'unsupported_media_type'],
  ['a body in UTF-7', post([`${JSON_TYPE}; charset="UTF-7"`], '{}'), 415, 'unsupported_media_type'],
  [
    'a body in UTF-16, encoded so',
    post([`${JSON_TYPE}; charset=utf-16le`], Buffer.from('{"slug":"a"}', 'utf16le')),
    415,
    'unsupported_media_type',
  ],
  ['a compressed body', post([JSON_TYPE, 'Content-Encoding: gzip'], gzipSync('{}')), 415, 'unsupported_media_type'],
  [
    'a bomb',
    post([JSON_TYPE, 'Content-Encoding: gzip'], gzipSync(Buffer.alloc(10_000_000))),
    415,
    'unsupported_media_type',
  ],
  ['an unknown encoding', post([JSON_TYPE, 'Content-Encoding: snail'], '{}'), 415, 'unsupported_media_type'],
  [
    'a body that is compressed on its way',
    Buffer.concat([
      post([JSON_TYPE, 'Transfer-Encoding: gzip, chunked'], `${gzipSync('{}').length.toString(16)}\r\n`),
      gzipSync('{}'),
      Buffer.from('\r\n0\r\n\r\n'),
    ]),
    415,
    'unsupported_media_type',
  ],
];

describe('protocol errors', () => {
  let door: Door;
  before(async () => {
    door = await openDoor();
  });
  after(() => door.stop());

  for (const [title, bytes, status, code] of cases) {
    it(`answers ${title} with ${status} in JSON`, async () => {
      const answer = await exchange(door.port, bytes);
      expect(answer.status).to.equal(status);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(ErrorBodySchema.parse(JSON.parse(answer.body)).code).to.equal(code);
      expect(answer.headers['x-api-version']).to.equal('2026-07-14');
      expect(answer.headers['x-request-id']).to.match(/^[0-9a-f]{24}$/);
    });
  }

  it('answers what is no text in a part of a path with 400, wherever a path has such a part, and tells no operator', async () => {
    const before = door.logLines.length;
    const parts = ENDPOINTS.filter(({ path }) => path.includes('{'));
    expect(parts.map(({ path }) => path)).to.deep.equal(['/demo/books/{token_id}/events']);
    for (const { path, method } of parts) {
      for (const part of ['%ff', '%', '%zz', '%E0%A4%A', '1%c0%80']) {
        const target = path.replaceAll(/\{\w+\}/g, part);
        const answer = await exchange(door.port, `${method} ${target} HTTP/1.1\r\n${CLOSE}\r\n`);
        expect([answer.status, JSON.parse(answer.body).code], target).to.deep.equal([400, 'malformed_request']);
      }
      for (const part of ['%00', '%2f', '..%2f..', '%F0%9F%92%A9', 'a'.repeat(6_000), '1'.repeat(79)]) {
        const target = path.replaceAll(/\{\w+\}/g, part);
        const answer = await exchange(door.port, `${method} ${target} HTTP/1.1\r\n${CLOSE}\r\n`);
        expect([answer.status, JSON.parse(answer.body).code], target).to.deep.equal([404, 'not_found']);
      }
    }
    const levels = door.logLines.slice(before).map((line) => JSON.parse(line).level);
    expect(levels.filter((level) => level > 20)).to.deep.equal([]);
  });

  it('answers a request whose headers do not come to an end with 400 in JSON', async () => {
    door.http.server.headersTimeout = 100;
    const answer = await exchange(door.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n');
    expect(answer.status).to.equal(400);
    expect(JSON.parse(answer.body).error).to.include('did not arrive in time');
  });

  it('counts the whole of each line of a head, whatever its length', async () => {
    const head = (lines: string) => `GET /healthz HTTP/1.1\r\n${CLOSE}${lines}`;
    const short = 'a: b\r\n'.repeat(2_700);
    const answers: unknown[] = [];
    for (const bytes of [16_384, 16_385]) {
      const filler = `c: ${'d'.repeat(bytes - head(short).length - 'c: \r\n'.length)}\r\n`;
      const { status, headers } = await exchange(door.port, `${head(short + filler)}\r\n`);
      answers.push([status, headers.connection]);
    }
    expect(answers).to.deep.equal([
      [200, 'close'],
      [400, 'close'],
    ]);
  });

  /** What comes back for a head alone, until the server closes the connection. */
  const sendHead = (line: string, ...headers: string[]) =>
    exchangeBytes(door.port, `${[`${line} HTTP/1.1`, 'Host: x', JSON_TYPE, ...headers].join('\r\n')}\r\n\r\n`);

  it('answers a length above the limit with 413 at once, though the body never comes', async () => {
    const asking = 'Expect: 100-continue';
    const sent = [['16385'], ['20000000'], ['65537', asking], ['20000000', asking]].map(([length, ...headers]) =>
      sendHead(`POST ${PATH}`, `Content-Length: ${length}`, ...headers),
    );
    for (const received of await Promise.all(sent)) {
      const [answer, ...others] = parseAnswers(received);
      expect(others).to.deep.equal([]);
      expect(answer!.headers).to.include({ connection: 'close' });
      expect([answer!.status, JSON.parse(answer!.body).code]).to.deep.equal([413, 'body_too_large']);
    }
  });

  it('answers a body in chunks as soon as it is too long, and reads no body without an end', async () => {
    const chunk = `1000\r\n${'1'.repeat(0x1000)}\r\n`;
    const endless = async (line: string, ...headers: string[]) => {
      const head = [`${line} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', ...headers].join('\r\n');
      const [answer, ...others] = parseAnswers(await exchangeEndless(door.port, `${head}\r\n\r\n`, chunk));
      expect([others, answer!.headers.connection], line).to.deep.equal([[], 'close']);
      return `${line} ${answer!.status}`;
    };
    const bodies = [PATH, '/api/redeem', '/api/credits', '/api/evaluate', '/mcp'].map((path) => `POST ${path}`);
    const others = ['POST /nowhere', 'PUT /healthz', 'GET /healthz'];
    expect(await Promise.all(bodies.map((line) => endless(line, JSON_TYPE)))).to.deep.equal(
      bodies.map((line) => `${line} 413`),
    );
    expect(await Promise.all(bodies.map((line) => endless(line, 'Content-Type: text/plain')))).to.deep.equal(
      bodies.map((line) => `${line} 415`),
    );
    expect(await Promise.all(others.map((line) => endless(line)))).to.deep.equal([
      'POST /nowhere 404',
      'PUT /healthz 405',
      'GET /healthz 200',
    ]);
  });

  it('asks for no body that is too long where nobody reads one, and answers as ever', async () => {
    const lines = ['POST /nowhere', 'GET /healthz', `PUT ${PATH}`, `POST ${PATH}?sandbox=1`];
    const sent = lines.map((line) => sendHead(line, 'Expect: 100-continue', 'Content-Length: 20000000'));
    const answers = (await Promise.all(sent)).map(parseAnswers);
    expect(answers.map((some) => some.map(({ status }) => status))).to.deep.equal([[404], [200], [405], [200]]);
  });

  it('lets a client that asks first send a body within the limit', async () => {
    const bytes = post([JSON_TYPE, 'Expect: 100-continue'], '{"sandbox":1}');
    const [first, ...answers] = (await exchangeBytes(door.port, bytes)).split('\r\n\r\n');
    expect(first).to.equal('HTTP/1.1 100 Continue');
    expect(parseAnswers(answers.join('\r\n\r\n')).map(({ status }) => status)).to.deep.equal([200]);
  });

  it('takes a body that names its charset, in any spelling of it', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"']) {
      const answer = await exchange(door.port, post([`${JSON_TYPE}; charset=${charset}`], '{"sandbox":1}'));
      expect(answer.status, charset).to.equal(200);
    }
  });

  it('names the charset to write to who writes UTF-8 by another of its names', async () => {
    const answer = await exchange(door.port, post([`${JSON_TYPE}; charset=utf8`], '{"sandbox":1}'));
    expect([answer.status, JSON.parse(answer.body).error]).to.deep.equal([
      415,
      'send the body as uncompressed UTF-8 JSON, without Content-Encoding, and with charset=utf-8 if with any',
    ]);
  });

  it('takes a body in chunks that has none for no body, whatever type it is said to be of', async () => {
    const chunks = (path: string, ...headers: string[]) =>
      exchange(door.port, post([...headers, 'Transfer-Encoding: chunked'], '0\r\n\r\n', path));
    for (const headers of [[], ['Content-Type: application/octet-stream'], [JSON_TYPE]]) {
      expect((await chunks('/api/credits', ...headers)).status).to.equal(402);
      const order = await chunks(PATH, ...headers, `Authorization: Bearer ${door.token}`);
      expect([order.status, JSON.parse(order.body).error]).to.deep.equal([
        400,
        'a POST needs a JSON body with the order',
      ]);
    }
  });

  it('takes no notice of an Upgrade header', async () => {
    const upgrade = `GET /healthz HTTP/1.1\r\n${CLOSE}Upgrade: websocket\r\n\r\n`;
    expect((await exchange(door.port, upgrade)).status).to.equal(200);
  });

  it('answers a request in absolute form and one of HTTP/1.0 without a Host', async () => {
    for (const target of ['http://x/healthz', 'HTTPS://x:1/healthz?a=b', 'http://[::1]/healthz']) {
      const answer = await exchange(door.port, `GET ${target} HTTP/1.1\r\n${CLOSE}\r\n`);
      expect(answer.status, target).to.equal(200);
    }
    expect((await exchange(door.port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).to.equal(200);
  });

  it('says what to do about a URL with bytes that belong escaped, as curl sends it', async () => {
    for (const name of ['S\u00e3o', 'Sao Paulo']) {
      const answer = await exchange(door.port, `GET ${PATH}?slug=a&outcome=${name} HTTP/1.1\r\n${CLOSE}\r\n`);
      expect([answer.status, JSON.parse(answer.body).code]).to.deep.equal([400, 'malformed_request']);
      expect(JSON.parse(answer.body).error).to.include('percent-encode').and.to.include('S%C3%A3o%20Paulo');
    }
  });

  it('takes every Host that a URL can name, and refuses what none can', async () => {
    const ask = (host: string) =>
      exchange(door.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const hosts = [
      '',
      'x',
      'x:',
      'a-b.example:4021',
      'a_b.',
      '127.0.0.1:1',
      '[::1]:4021',
      '[::ffff:1.2.3.4]',
      '[fe80::1%eth0]',
      'a%C3%A9',
    ];
    for (const host of [...hosts, "a!$&'()*+,;=~"]) expect((await ask(host)).status, host).to.equal(200);
    for (const host of [
      'a b',
      'a/b',
      'http://a',
      'a?b',
      'u@a',
      'a:b',
      'a:1:2',
      '[::1',
      '::1',
      '<a>',
      'a\u00e9',
      'a%zz',
    ]) {
      const { status, body } = await ask(host);
      expect([status, JSON.parse(body).code], host).to.deep.equal([400, 'malformed_request']);
    }
  });

  it('names the methods of a path in Allow', async () => {
    const answer = await exchange(door.port, `PUT ${PATH} HTTP/1.1\r\n${CLOSE}\r\n`);
    expect(answer.headers.allow).to.equal('GET, HEAD, POST, OPTIONS');
  });

  it('lets the answer to a good request out before it refuses what follows on the connection', async () => {
    const good = `GET ${PATH}?sandbox=1 HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answers = parseAnswers(await exchangeBytes(door.port, `${good}${good}garbage\r\n\r\n`));
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 400]);
  });

  const chunked = (line: string, headers = '') =>
    `${line} HTTP/1.1\r\nHost: x\r\n${JSON_TYPE}\r\n${headers}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`;

  it('gives a request whose body turns bad after the answer no second one', async () => {
    const socket = connect(door.port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    socket.write(chunked('POST /nowhere'));
    await once(socket, 'data');
    socket.write('zz\r\n');
    await once(socket, 'close');
    expect(parseAnswers(received).map(({ status }) => status)).to.deep.equal([404]);
  });

  it('refuses a request whose body is bad when it comes, once, and neither runs nor charges it', async () => {
    const before = await door.credits.balanceOf(OWNER);
    const order = `GET ${PATH}?slug=a-market&usd=100`;
    const bytes = `${chunked(order, `Authorization: Bearer ${door.token}\r\n`)}zz\r\n`;
    const answers = parseAnswers(await exchangeBytes(door.port, bytes));
    expect(answers.map(({ status }) => status)).to.deep.equal([400]);
    expect(door.orders).to.deep.equal([]);
    expect(await door.credits.balanceOf(OWNER)).to.deep.equal(before);
  });

  it('is as well as before after all of this', async () => {
    expect((await fetch(`${door.url}/healthz`)).status).to.equal(200);
  });
});
