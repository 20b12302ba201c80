import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect } from 'chai';
import { ENDPOINTS, soldAt } from '#api/endpoints';
import { ORDER_VERDICT_EXAMPLE } from '#api/sandbox/sandbox';
import type { WalletAnswer } from '#services/wallets/contract';
import { type Door, openDoor } from '#test/server/http/support/door';
import { breachesOf } from '#test/support/answer-rules';
import { AS_OF_S, sampleBoard, storedRating } from '#test/support/sample-ratings';

const wallet = (digit: string) => `0x${digit.repeat(40)}`;
const nextRefreshS = AS_OF_S + 86_400;
/** What is answered about wallets, by address. */
const ANSWERS: Readonly<Record<string, WalletAnswer>> = {
  [wallet('1')]: { kind: 'rated', stored: storedRating({ wallet: wallet('1') }), nextRefreshS },
  [wallet('2')]: { kind: 'queued', retryAfterS: 30, position: 2 },
  [wallet('3')]: { kind: 'no_coverage', stored: null, nextRefreshS },
  [wallet('4')]: {
    kind: 'no_coverage',
    stored: storedRating({ wallet: wallet('4'), verdict: 'NO_COVERAGE', reason: 'below_floor' }),
    nextRefreshS,
  },
};
const listed = { kind: 'listed', board: sampleBoard(), nextRefreshS } as const;
const { sandbox: _sandbox, note: _note, ...ORDER_VERDICT } = ORDER_VERDICT_EXAMPLE;

interface Ask {
  readonly method?: string;
  /** Path and query. */
  readonly at: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with the bearer token. */
  readonly paid?: true;
  readonly status: number;
}

const TOOLS = ENDPOINTS.filter(({ payment, method }) => payment.kind === 'per_call' && method === 'GET');
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (at: string, body: string, status: number, more: Partial<Ask> = {}): Ask => ({
  method: 'POST',
  at,
  body,
  headers: JSON_TYPE,
  status,
  ...more,
});

const rpc = (message: unknown, status: number, headers: Readonly<Record<string, string>> = {}) =>
  post('/mcp', JSON.stringify(message), status, {
    headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...headers },
  });

const ASKS: readonly Ask[] = [
  ...TOOLS.flatMap(({ path }): Ask[] => [
    { at: path, status: 402 },
    { at: `${path}?x402_probe=1`, status: 402 },
    { at: `${path}?sandbox=1`, status: 200 },
    { at: `${path}?sandbox=2`, status: 400 },
    { at: path, headers: { authorization: 'Bearer tk_none' }, status: 402 },
    { at: `${path}?unknown=1`, paid: true, status: 400 },
  ]),
  { at: '/api/preflight_trade?slug=a', paid: true, status: 200 },
  post('/api/preflight_trade', '{"slug":"a"}', 200, { paid: true }),
  post('/api/preflight_trade', '{', 400, { paid: true }),
  post('/api/preflight_trade', '{"sandbox":1}', 200),
  post('/api/preflight_trade', `{"slug":"${'a'.repeat(20_000)}"}`, 413, { paid: true }),
  post('/api/preflight_trade', 'slug=a', 415, { paid: true, headers: { 'content-type': 'text/plain' } }),
  { at: '/api/leaderboard', paid: true, status: 200 },
  { at: '/api/red_list', paid: true, status: 500 },
  { at: `/api/preflight_copy?wallet=${wallet('1')}`, paid: true, status: 200 },
  { at: `/api/preflight_copy?wallet=${wallet('2')}`, paid: true, status: 202 },
  { at: `/api/preflight_copy?wallet=${wallet('3')}`, paid: true, status: 200 },
  { at: `/api/preflight_copy?wallet=${wallet('4')}`, paid: true, status: 200 },
  { at: '/api/preflight_copy?wallet=somebody', paid: true, status: 400 },
  { at: '/api/credits', status: 200 },
  { at: '/api/credits', paid: true, status: 200 },
  { at: '/api/credits', headers: { authorization: 'Bearer tk_none' }, status: 401 },
  { at: '/api/credits?a=1', status: 400 },
  { method: 'POST', at: '/api/credits', status: 402 },
  post('/api/redeem', '{}', 400),
  post('/api/redeem', JSON.stringify({ code: 'NONE', wallet: wallet('5') }), 404),
  rpc({ jsonrpc: '2.0', id: 1, method: 'ping' }, 200),
  rpc({ jsonrpc: '2.0', method: 'notifications/initialized' }, 202),
  rpc([], 400),
  rpc('tools/call', 400),
  rpc('a'.repeat(1_000_000), 413),
  rpc({ jsonrpc: '2.0', id: 1, method: 'ping' }, 415, { 'content-type': 'text/plain' }),
  rpc({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }, 404),
  rpc({ jsonrpc: '2.0', id: 1, method: 'ping' }, 406, { accept: 'text/html' }),
  { at: '/mcp', status: 405 },
  { at: '/llms.txt', status: 200 },
  { method: 'OPTIONS', at: '/api/credits', status: 200 },
  { method: 'HEAD', at: '/healthz', status: 200 },
  { at: '/nowhere', status: 404 },
  { at: '/healthz', status: 200 },
  { at: '/status.json', status: 200 },
];

describe('what /openapi.json says of the door', () => {
  let door: Door;
  before(async () => {
    door = await openDoor({
      handler: async () => ORDER_VERDICT,
      tools: {
        wallets: { ask: async (requested) => ANSWERS[requested]! },
        lists: {
          leaderboard: async () => ({ ...listed, wallets: [storedRating()] }),
          redList: async () => ({ kind: 'no_board', nextRefreshS }),
        },
      },
    });
  });
  after(() => door.stop());

  function ask({ method = 'GET', at, body, headers, paid }: Ask): Promise<Response> {
    const authorization = paid === undefined ? {} : { authorization: `Bearer ${door.token}` };
    return fetch(door.url + at, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...headers, ...authorization },
    });
  }

  for (const one of ASKS) {
    const { method = 'GET', at, status, paid } = one;
    it(`is true of ${status} for ${method} ${at.slice(0, 70)}${paid ? ', paid' : ''}`, async () => {
      const response = await ask(one);
      const text = await response.text();
      expect(response.status, text).to.equal(status);
      const path = at.split('?')[0]!;
      expect(breachesOf({ method, path, status, headers: response.headers, text })).to.deep.equal([]);
    });
  }

  it('is true of 403 for POST /mcp that is meant for another host', async () => {
    // fetch keeps the Host header to itself.
    const sent = request(`${door.url}/mcp`, { method: 'POST', headers: { ...JSON_TYPE, host: 'elsewhere.example' } });
    sent.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await answer.toArray()).toString();
    const headers = new Headers(answer.headers as Record<string, string>);
    expect(answer.statusCode).to.equal(403);
    expect(breachesOf({ method: 'POST', path: '/mcp', status: 403, headers, text })).to.deep.equal([]);
  });

  it('lists every method that the door takes at its paths, and no other', async () => {
    const routed = ENDPOINTS.filter(({ tag }) => tag !== 'agents');
    for (const path of new Set(routed.map((endpoint) => endpoint.path))) {
      const response = await fetch(door.url + path, { method: 'OPTIONS' });
      const allowed = response.headers
        .get('allow')!
        .split(', ')
        // HEAD is answered as GET without a body, and is not described by itself.
        .filter((method) => method !== 'OPTIONS' && method !== 'HEAD');
      const described = routed.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
      expect(allowed, path).to.have.members(described);
    }
  });

  it('asks for a payment at every endpoint that it says is paid', async () => {
    for (const { path, method } of ENDPOINTS.filter((endpoint) => soldAt(endpoint) !== null)) {
      const sent = method === 'POST' && path !== '/api/credits' ? { body: '{"slug":"a"}', headers: JSON_TYPE } : {};
      const response = await fetch(door.url + path, { method, ...sent });
      expect(response.status, `${method} ${path}`).to.equal(402);
    }
  });
});
