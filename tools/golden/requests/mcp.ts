import { type Headers, request } from '../exchange.js';
import { PAYERS } from '../money.js';
import { sign, TRADE, toV1, toV2 } from '../payments.js';
import type { Recording } from '../recording.js';
import { WALLETS } from '../wallets.js';

const JSON_RPC = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'golden', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const ERAS = {
  '2025': (method: string, params: Record<string, unknown>) => ({
    message: { jsonrpc: '2.0', id: 1, method, params },
    headers: { 'MCP-Protocol-Version': '2025-11-25' } as Headers,
  }),
  '2026': (method: string, params: Record<string, unknown>) => ({
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...ENVELOPE, ...(params._meta ?? {}) } } },
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'MCP-Method': method,
      ...(typeof params.name === 'string' ? { 'MCP-Name': params.name } : {}),
    } as Headers,
  }),
};

const post = (body: string, headers: Headers = {}) => request('POST', '/mcp', { ...JSON_RPC, ...headers }, body);

const SIMPLE = { slug: 'golden-simple', outcome: 'Yes', usd: 50 };
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['preflight_trade', { sandbox: true }],
  ['preflight_trade', SIMPLE],
  ['preflight_trade', {}],
  ['preflight_trade', { slug: 'a', usd: 0 }],
  ['preflight_trade', { slug: 'a', outcom: 'Yes' }],
  ['preflight_trade', { slug: 'a', sandbox: 'yes' }],
  ['preflight_trade', { slug: 'golden-nowhere' }],
  ['preflight_trade', { slug: 'golden-election' }],
  ['preflight_trade', { token_id: '201' }],
  ['leaderboard', { sandbox: true }],
  ['leaderboard', {}],
  ['leaderboard', { foo: 1 }],
  ['red_list', { sandbox: true }],
  ['red_list', {}],
  ['preflight_copy', { sandbox: true }],
  ['preflight_copy', { wallet: WALLETS.skilled }],
  ['preflight_copy', { wallet: WALLETS.few }],
  ['preflight_copy', { wallet: '0x12' }],
  ['preflight_copy', {}],
  ['nope', {}],
  ['constructor', {}],
];

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'server/discover',
  'resources/list',
  'prompts/list',
  'subscriptions/listen',
  'nope',
];
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'golden', version: '1' } };

/** The MCP door in both eras of the protocol. */
export async function askMcp(recording: Recording, token: string): Promise<void> {
  const bearer = { Authorization: `Bearer ${token}` };
  for (const era of ['2025', '2026'] as const) {
    for (const method of METHODS) {
      const { message, headers } = ERAS[era](method, method === 'initialize' ? INITIALIZE : {});
      await recording.ask(`mcp ${era} ${method}`, post(JSON.stringify(message), headers));
    }
    for (const [name, args] of CALLS) {
      const { message, headers } = ERAS[era]('tools/call', { name, arguments: args });
      const title = `mcp ${era} ${name} ${JSON.stringify(args)}`;
      await recording.ask(`${title}, unpaid`, post(JSON.stringify(message), headers));
      await recording.ask(`${title}, with a token`, post(JSON.stringify(message), { ...headers, ...bearer }));
    }
    await askPaid(recording, era);
  }
  await askMalformed(recording, bearer);
}

async function askPaid(recording: Recording, era: keyof typeof ERAS): Promise<void> {
  const payments: Readonly<Record<string, unknown>> = {
    v1: toV1(await sign(PAYERS.good, TRADE)),
    v2: toV2(await sign(PAYERS.good, TRADE), TRADE),
    poor: toV2(await sign(PAYERS.poor, TRADE), TRADE),
    rejected: toV2(await sign(PAYERS.rejected, TRADE), TRADE),
    'too little': toV1(await sign(PAYERS.good, TRADE, { value: '1' })),
    null: null,
    text: 'text',
    empty: {},
  };
  for (const [name, payment] of Object.entries(payments)) {
    const params = { name: 'preflight_trade', arguments: SIMPLE, _meta: { 'x402/payment': payment } };
    const { message, headers } = ERAS[era]('tools/call', params);
    const bytes = post(JSON.stringify(message), headers);
    await recording.ask(`mcp ${era} paid ${name}`, bytes);
    if (name.startsWith('v')) await recording.ask(`mcp ${era} paid ${name}, again`, bytes);
  }
}

async function askMalformed(recording: Recording, bearer: Headers): Promise<void> {
  const order = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'preflight_trade', arguments: SIMPLE } };
  const text = JSON.stringify(order);
  const cases: Readonly<Record<string, readonly [string, Headers]>> = {
    'a batch': [`[${text},${text}]`, {}],
    'an empty batch': ['[]', {}],
    'half a message': [text.slice(0, 40), {}],
    'a text': ['"tools/call"', {}],
    'no body': ['', {}],
    'no message': ['{"tool":"preflight_trade"}', {}],
    'a notification': ['{"jsonrpc":"2.0","method":"notifications/initialized"}', {}],
    'a result': ['{"jsonrpc":"2.0","id":1,"result":{}}', {}],
    'a large body': [JSON.stringify({ ...order, filler: 'a'.repeat(20_000) }), {}],
    'another type': [text, { 'Content-Type': 'text/plain' }],
    'a compressed body': [text, { 'Content-Encoding': 'gzip' }],
    'only HTML': [text, { Accept: 'text/html' }],
    'only JSON': [text, { Accept: 'application/json' }],
    'an unknown revision': [text, { 'MCP-Protocol-Version': '1999-01-01' }],
    'a strange host': [text, { Host: 'evil.example' }],
    'a strange origin': [text, { Origin: 'https://evil.example' }],
    'our origin': [text, { Origin: 'https://preflight.example' }],
    'a session': [text, { 'MCP-Session-Id': 'x' }],
    'a key': [text, { 'Idempotency-Key': 'golden-mcp' }],
    'the key again': [text, { 'Idempotency-Key': 'golden-mcp' }],
    'arguments in a list': [JSON.stringify({ ...order, params: { name: 'preflight_trade', arguments: ['slug'] } }), {}],
  };
  for (const [name, [body, headers]] of Object.entries(cases)) {
    await recording.ask(`mcp ${name}`, post(body, { ...bearer, ...headers }));
  }
  await recording.ask('mcp by GET', request('GET', '/mcp', { Accept: 'text/event-stream' }));
}
