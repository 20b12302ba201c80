import { gzipSync } from 'node:zlib';
import { get, request } from '../exchange.js';
import type { Recording } from '../recording.js';

const PATH = '/api/preflight_trade';
const CLOSE = 'Host: x\r\nConnection: close\r\n';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const RAW: Readonly<Record<string, string | Buffer>> = {
  'not HTTP': 'hello there\r\n\r\n',
  TLS: Buffer.from('16030100a5010000a10303', 'hex'),
  'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'unknown method': `BREW ${PATH} HTTP/1.1\r\n${CLOSE}\r\n`,
  CONNECT: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'HTTP/9.9': `GET ${PATH} HTTP/9.9\r\n${CLOSE}\r\n`,
  'HTTP/1.0 without a host': 'GET /healthz HTTP/1.0\r\n\r\n',
  'no host': `GET ${PATH} HTTP/1.1\r\nConnection: close\r\n\r\n`,
  'bad header name': `GET ${PATH} HTTP/1.1\r\n${CLOSE}bad name: 1\r\n\r\n`,
  'zero byte in a header': `GET ${PATH} HTTP/1.1\r\n${CLOSE}a: b\0c\r\n\r\n`,
  'headers too large': `GET ${PATH} HTTP/1.1\r\n${CLOSE}X-PAYMENT: ${'a'.repeat(40_000)}\r\n\r\n`,
  'absolute form': `GET http://x/healthz HTTP/1.1\r\n${CLOSE}\r\n`,
  'upgrade ignored': `GET /healthz HTTP/1.1\r\n${CLOSE}Upgrade: websocket\r\n\r\n`,
  expectation: `GET ${PATH} HTTP/1.1\r\n${CLOSE}Expect: the-impossible\r\n\r\n`,
  'two lengths': `POST ${PATH} HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'length and chunks': `POST ${PATH} HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'bad chunk': `POST ${PATH} HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
};

const PATHS = [
  '/API/preflight_trade',
  `${PATH}/`,
  '//api/preflight_trade',
  '/api%2fpreflight_trade',
  '/api/%zz%E0%A4%A',
  '/api',
  '/mcp/',
];

/** What is no good request, whatever it asks for. */
export async function askProtocol(recording: Recording): Promise<void> {
  for (const [name, bytes] of Object.entries(RAW)) await recording.ask(`raw, ${name}`, bytes);
  for (const path of PATHS) await recording.ask(`path ${path}`, get(path));
  const bodies: Readonly<Record<string, readonly [Readonly<Record<string, string>>, string]>> = {
    'half JSON': [JSON_TYPE, '{"usd":'],
    number: [JSON_TYPE, '7'],
    null: [JSON_TYPE, 'null'],
    array: [JSON_TYPE, '[{"usd":1}]'],
    'deeply nested': [JSON_TYPE, '['.repeat(8_000) + ']'.repeat(8_000)],
    'too large': [JSON_TYPE, `{"slug":"${'a'.repeat(20_000)}"}`],
    'no type': [{}, '{}'],
    form: [{ 'Content-Type': 'application/x-www-form-urlencoded' }, 'usd=1'],
    charset: [{ 'Content-Type': 'application/json; charset=klingon' }, '{}'],
    'latin-1': [{ 'Content-Type': 'application/json; charset=iso-8859-1' }, '{}'],
    encoded: [{ ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync('{}').toString('latin1')],
  };
  for (const path of [PATH, '/api/redeem']) {
    for (const [name, [headers, body]] of Object.entries(bodies)) {
      await recording.ask(`body of ${path}, ${name}`, request('POST', path, headers, body));
    }
  }
}
