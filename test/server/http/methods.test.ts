import { expect } from 'chai';
import { ENDPOINTS } from '#api/endpoints';
import { StatusReportSchema } from '#api/status';
import { type Door, openDoor } from './support/door.js';
import { exchange } from './support/raw-exchange.js';

describe('methods and headers', () => {
  let door: Door;
  let ready = true;
  let storeOk = true;
  before(async () => {
    door = await openDoor({ deps: { ready: () => ready, storeHealth: async () => ({ ok: storeOk, ageMs: 1_234 }) } });
  });
  after(() => door.stop());

  const head = (path: string) =>
    fetch(door.url + path, { method: 'HEAD', headers: { Authorization: `Bearer ${door.token}` } });

  it('answers a HEAD as a GET without the body, where nothing is for sale', async () => {
    for (const path of ['/api/credits', '/healthz', '/status.json', '/llms.txt']) {
      const response = await head(path);
      expect(response.status, path).to.equal(200);
      expect(Number(response.headers.get('content-length')), path).to.be.above(0);
      expect(await response.text()).to.equal('');
    }
  });

  it('answers a HEAD of a paid tool with the payment terms, whatever credentials it carries, and runs nothing', async () => {
    for (const path of ['/api/preflight_trade?slug=a', '/api/preflight_trade?x402_probe=1']) {
      const response = await head(path);
      expect(response.status, path).to.equal(402);
      expect(response.headers.get('payment-required')).to.be.a('string');
      expect(await response.text()).to.equal('');
    }
    expect((await head('/api/preflight_trade?sandbox=1')).status).to.equal(200);
    expect(door.orders).to.deep.equal([]);
  });

  it('refuses a HEAD of what can only be posted', async () => {
    const response = await head('/api/redeem');
    expect(response.status).to.equal(405);
    expect(response.headers.get('allow')).to.equal('POST, OPTIONS');
  });

  it('answers a preflight of any origin before anything is paid', async () => {
    const response = await fetch(`${door.url}/api/preflight_trade`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,payment-signature',
      },
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(response.headers.get('access-control-allow-methods')).to.equal('GET,HEAD,POST,OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).to.equal('authorization,payment-signature');
    expect(response.headers.get('vary')).to.equal('Access-Control-Request-Headers');
    expect(response.headers.get('allow')).to.equal('GET, HEAD, POST, OPTIONS');
    expect(await response.json()).to.deep.equal({ methods: ['GET', 'HEAD', 'POST', 'OPTIONS'] });
    expect((await fetch(`${door.url}/nowhere`, { method: 'OPTIONS' })).status).to.equal(404);
  });

  it('lets a page send whatever headers its client sends, at every door', async () => {
    // What @x402/fetch, @x402/axios and MCP clients ask for, and one that nobody knows.
    const asked = 'access-control-expose-headers,mcp-session-id,payment-signature,traceparent,x-payment,x-some-wallet';
    for (const path of ['/api/preflight_trade', '/api/credits', '/llms.txt', '/status.json']) {
      const response = await fetch(door.url + path, {
        method: 'OPTIONS',
        headers: {
          Origin: 'null',
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': asked,
        },
      });
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('access-control-allow-headers'), path).to.equal(asked);
      expect(response.headers.get('access-control-allow-origin'), path).to.equal('*');
    }
  });

  it('tells who is at a wrong path where every endpoint is listed, which documents and packages are not', async () => {
    const { error } = (await (await fetch(`${door.url}/nowhere`)).json()) as { error: string };
    expect(error).to.equal('there is nothing at this path: every endpoint is listed in /llms.txt');
    const listed = await (await fetch(`${door.url}/llms.txt`)).text();
    for (const { method, path } of ENDPOINTS) expect(listed).to.include(`- \`${method} ${path}\`: `);
  });

  it('puts the same headers on every answer', async () => {
    const requests: [path: string, init: RequestInit, status: number][] = [
      ['/api/preflight_trade?sandbox=1', {}, 200],
      ['/api/preflight_trade', {}, 402],
      ['/api/preflight_trade', { method: 'OPTIONS' }, 200],
      ['/api/preflight_trade', { method: 'DELETE' }, 405],
      ['/api/credits', { headers: { Authorization: 'Bearer x' } }, 401],
      ['/api/redeem', { method: 'POST', body: 'x' }, 415],
      ['/healthz', {}, 200],
      ['/nowhere', {}, 404],
    ];
    const ids = new Set<string>();
    for (const [path, init, status] of requests) {
      const { headers, status: got } = await fetch(door.url + path, init);
      expect(got, path).to.equal(status);
      expect(headers.get('x-api-version')).to.equal('2026-07-14');
      expect(headers.get('cache-control')).to.equal('private, no-store');
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(headers.get('content-security-policy')).to.match(/^default-src 'none'/);
      expect(headers.get('strict-transport-security')).to.match(/^max-age=\d+/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      const exposed = headers.get('access-control-expose-headers');
      for (const name of [
        'PAYMENT-REQUIRED',
        'PAYMENT-RESPONSE',
        'X-PAYMENT-RESPONSE',
        'Retry-After',
        'X-Request-Id',
      ]) {
        expect(exposed).to.include(name);
      }
      for (const name of ['x-powered-by', 'www-authenticate', 'etag', 'server', 'set-cookie']) {
        expect(headers.get(name), name).to.equal(null);
      }
      ids.add(headers.get('x-request-id')!);
    }
    expect(ids.size).to.equal(requests.length);
  });

  it('does not take a request id over from the client', async () => {
    const response = await fetch(`${door.url}/healthz`, { headers: { 'X-Request-Id': 'mine' } });
    expect(response.headers.get('x-request-id')).not.to.equal('mine');
  });

  it('never sets a header twice', async () => {
    const { headers } = await exchange(door.port, 'OPTIONS /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(headers['content-length']).to.match(/^\d+$/);
  });

  it('tells whether the service is ready', async () => {
    const well = await fetch(`${door.url}/healthz`);
    expect(await well.json()).to.deep.equal({ ok: true });
    expect(well.headers.get('x-health-age-ms'), 'how old what it knows of its store is').to.equal('1234');
    ready = false;
    const response = await fetch(`${door.url}/healthz`);
    ready = true;
    expect(response.status).to.equal(500);
    expect(await response.json()).to.include({ ok: false });
  });

  it('is not ready without its store, and goes on with examples, terms and documents', async () => {
    storeOk = false;
    try {
      const response = await fetch(`${door.url}/healthz`);
      expect(response.status).to.equal(500);
      expect(await response.json()).to.deep.include({ ok: false });
      for (const [path, status] of [
        ['/api/preflight_trade?sandbox=1', 200],
        ['/api/preflight_trade?x402_probe=1', 402],
        ['/api/preflight_trade', 402],
        ['/llms.txt', 200],
      ] as const) {
        expect((await fetch(door.url + path)).status, path).to.equal(status);
      }
    } finally {
      storeOk = true;
    }
  });

  it('serves the status report', async () => {
    const response = await fetch(`${door.url}/status.json`);
    expect(StatusReportSchema.safeParse(await response.json()).error).to.equal(undefined);
  });
});
