import { request } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { MCP_FACTS } from '#api/mcp-facts';
import { PROPERTY_RUNS } from '#test/support/size';
import { type McpDoor, openMcpDoor } from './mcp-door.js';

interface Seen {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string;
}

const JSON_RPC = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The members of `_meta` that make a request one of the 2026-07-28 revision. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'preflight-tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Headers = Readonly<Record<string, string>>;

/** A message in the form of each era, with the headers that go with it. */
const ERAS = {
  '2025-11-25': (method: string, params: object) => ({
    message: { jsonrpc: '2.0', id: 1, method, params },
    headers: { 'mcp-protocol-version': '2025-11-25' } as Headers,
  }),
  '2026-07-28': (method: string, params: { readonly name?: string }) => ({
    message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: ENVELOPE } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    } as Headers,
  }),
};

const MCP_REQUESTS = Math.ceil(PROPERTY_RUNS / 50);

/** Messages that are nearly right, around a call that lacks what it needs; and any bytes. */
const word = fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover', 'nope', '__proto__');
const arbitraryMessage = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2, null),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.constant({})),
    method: fc.oneof(word, fc.string(), fc.integer()),
    params: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          name: fc.oneof(fc.constantFrom('preflight_trade', 'preflight_copy', 'constructor'), fc.string()),
          arguments: fc.oneof(fc.jsonValue(), fc.record({ usd: fc.jsonValue(), sandbox: fc.jsonValue() })),
          _meta: fc.oneof(fc.jsonValue(), fc.record({ 'x402/payment': fc.jsonValue() }), fc.constant(ENVELOPE)),
        },
        { requiredKeys: [] },
      ),
    ),
    result: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const arbitraryBody = fc.oneof(
  arbitraryMessage.map((message) => JSON.stringify(message)),
  arbitraryMessage.map((message) => JSON.stringify(message).slice(0, -3)),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
/** Bytes that HTTP lets through. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
});
const arbitraryHeaders = fc.record(
  {
    'mcp-protocol-version': fc.oneof(fc.constantFrom('2025-11-25', '2026-07-28', '2025-03-26'), headerText),
    'mcp-method': fc.oneof(word, headerText),
    'mcp-name': headerText,
    'mcp-session-id': headerText,
    'last-event-id': headerText,
    accept: headerText,
    origin: headerText,
    authorization: headerText,
    'idempotency-key': headerText,
  },
  { requiredKeys: [] },
);

describe('POST /mcp', () => {
  let door: McpDoor;
  let bearer: Headers;
  before(async () => {
    door = await openMcpDoor();
    bearer = { authorization: `Bearer ${door.token}` };
  });
  after(() => door.stop());

  /** Not fetch, which keeps the Host header to itself. */
  function send(body: string, headers: Headers = {}, method = 'POST'): Promise<Seen> {
    return new Promise((resolve, reject) => {
      const sent = request(`${door.url}/mcp`, { method, headers: { ...JSON_RPC, ...bearer, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: answer.statusCode!, type: answer.headers['content-type'], text });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const call = (era: keyof typeof ERAS, name: string, args: object, headers: Headers = {}) => {
    const { message, headers: own } = ERAS[era]('tools/call', { name, arguments: args } as { name: string });
    return send(JSON.stringify(message), { ...own, ...headers });
  };

  const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const ORDER = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'preflight_trade', arguments: { slug: 'a' } },
  };
  const MEGABYTE = JSON.stringify({ ...ORDER, params: { ...ORDER.params, filler: 'a'.repeat(1_000_000) } });

  const REFUSED: readonly { name: string; body: string; headers?: Headers; status: number; code: number }[] = [
    { name: 'a batch', body: JSON.stringify([ORDER, ORDER]), status: 400, code: -32_600 },
    { name: 'a batch of one', body: JSON.stringify([ORDER]), status: 400, code: -32_600 },
    { name: 'an empty batch', body: '[]', status: 400, code: -32_600 },
    { name: 'half a message', body: JSON.stringify(ORDER).slice(0, 40), status: 400, code: -32_700 },
    { name: 'a text', body: '"tools/call"', status: 400, code: -32_700 },
    { name: 'no body', body: '', status: 400, code: -32_600 },
    { name: 'an object that is no message', body: '{"tool":"preflight_trade"}', status: 400, code: -32_600 },
    { name: 'a body of a megabyte', body: MEGABYTE, status: 413, code: -32_600 },
    {
      name: 'another type',
      body: JSON.stringify(ORDER),
      headers: { 'content-type': 'text/plain' },
      status: 415,
      code: -32_600,
    },
    {
      name: 'a compressed body',
      body: JSON.stringify(ORDER),
      headers: { 'content-encoding': 'gzip' },
      status: 415,
      code: -32_600,
    },
    {
      name: 'a client that wants HTML',
      body: JSON.stringify(ORDER),
      headers: { accept: 'text/html' },
      status: 406,
      code: -32_000,
    },
    {
      name: 'a revision that nobody knows',
      body: JSON.stringify(ORDER),
      headers: { 'mcp-protocol-version': '1999-01-01' },
      status: 400,
      code: -32_000,
    },
    {
      name: 'a strange host',
      body: JSON.stringify(ORDER),
      headers: { host: 'evil.example' },
      status: 403,
      code: -32_000,
    },
    {
      name: 'a host that begins like ours',
      body: JSON.stringify(ORDER),
      headers: { host: 'preflight.example.evil.example' },
      status: 403,
      code: -32_000,
    },
    {
      name: 'a page of a strange origin',
      body: JSON.stringify(ORDER),
      headers: { origin: 'https://evil.example' },
      status: 403,
      code: -32_000,
    },
    {
      name: 'a page without an origin',
      body: JSON.stringify(ORDER),
      headers: { origin: 'null' },
      status: 403,
      code: -32_000,
    },
  ];

  for (const { name, body, headers, status, code } of REFUSED) {
    it(`refuses ${name} with ${status}, in JSON, and nothing runs`, async () => {
      const before = await door.balance();
      const seen = await send(body, headers);
      expect([seen.status, seen.type]).to.deep.equal([status, 'application/json; charset=utf-8']);
      const { jsonrpc, id, error } = JSON.parse(seen.text);
      expect([jsonrpc, id, error.code]).to.deep.equal(['2.0', null, code]);
      expect(error.message).to.match(/\w/);
      expect([door.ran.length, await door.balance()]).to.deep.equal([0, before]);
    });
  }

  it('is called by its public name and by loopback, and from pages of both', async () => {
    for (const host of ['preflight.example', 'preflight.example:443', 'localhost:4021', '127.0.0.1', '[::1]:80']) {
      expect((await send(PING, { host })).status, host).to.equal(200);
    }
    for (const origin of ['https://preflight.example', 'http://localhost:3000', 'http://127.0.0.1']) {
      expect((await send(PING, { origin })).status, origin).to.equal(200);
    }
  });

  it('takes no other method, and says so in JSON', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const seen = await send('', {}, method);
      expect(seen.status, method).to.equal(405);
      expect(JSON.parse(seen.text).code).to.equal('method_not_allowed');
    }
  });

  it('refuses headers of the 2026-07-28 revision that disagree with the body, before anybody is charged', async () => {
    const { message, headers } = ERAS['2026-07-28']('tools/call', { name: 'preflight_trade' });
    const disagreeing = [
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'credits' },
      { 'mcp-protocol-version': '2025-11-25' },
    ];
    for (const wrong of disagreeing) {
      const seen = await send(JSON.stringify(message), { ...headers, ...wrong });
      expect(seen.status).to.equal(400);
      expect(JSON.parse(seen.text).error.code).to.equal(-32_020);
    }
    expect([door.ran.length, await door.balance()]).to.deep.equal([0, 500]);
  });

  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    describe(`in ${era}`, () => {
      it('answers an unknown tool and arguments that are no object with -32602', async () => {
        for (const [name, args] of [
          ['nope', {}],
          ['__proto__', {}],
          ['constructor', {}],
          ['preflight_trade', ['slug']],
        ] as const) {
          const seen = await call(era, name, args);
          expect(JSON.parse(seen.text).error?.code, `${name}: ${seen.text}`).to.equal(-32_602);
        }
      });

      const BAD: readonly { args: Record<string, unknown>; says: RegExp }[] = [
        { args: {}, says: /give slug/ },
        { args: { slug: 'a', usd: 0 }, says: /usd must be greater than 0/ },
        { args: { slug: 'a', usd: 1e12 }, says: /usd must be at most/ },
        { args: { slug: 'a', side: 'buy' }, says: /side must be BUY or SELL/ },
        { args: { slug: ['a'] }, says: /slug must be one string/ },
        { args: { slug: 'a', token_id: '1' }, says: /either slug or token_id/ },
        { args: { slug: 'a', outcom: 'Yes' }, says: /unknown parameter "outcom"/ },
        { args: { slug: 'a', sandbox: 'yes' }, says: /sandbox must be/ },
        { args: { slug: 'a', constructor: 1 }, says: /unknown parameter "constructor"/ },
      ];

      for (const { args, says } of BAD) {
        it(`tells what is wrong with ${JSON.stringify(args)}, and charges nothing`, async () => {
          const before = await door.balance();
          const { result } = JSON.parse((await call(era, 'preflight_trade', args)).text);
          expect([result.isError, result.structuredContent.code]).to.deep.equal([true, 'invalid_parameter']);
          expect(result.structuredContent.error).to.match(says);
          expect([door.ran.length, await door.balance()]).to.deep.equal([0, before]);
        });
      }

      it('refuses a payment that cannot be understood where the token is missing too', async () => {
        for (const payment of [null, 'text', 7, [], {}, { x402Version: 2 }, { x402Version: 1, scheme: 'exact' }]) {
          const params = { name: 'preflight_trade', arguments: { slug: 'a' }, _meta: { 'x402/payment': payment } };
          const { message, headers } = ERAS[era]('tools/call', params);
          const whole = { ...message, params: { ...message.params, _meta: { ...ENVELOPE, ...params._meta } } };
          const body = JSON.stringify(era === '2026-07-28' ? whole : { ...message, params });
          const { result } = JSON.parse((await send(body, { ...headers, authorization: 'Bearer none' })).text);
          expect(result.structuredContent.code).to.equal('invalid_parameter');
          expect(result.structuredContent.error).to.match(/_meta\["x402\/payment"\].*nothing was charged/);
        }
      });
    });
  }

  it('has no subscriptions, and says that the method is not there', async () => {
    const { message, headers } = ERAS['2026-07-28']('subscriptions/listen', {});
    const seen = await send(JSON.stringify(message), headers);
    expect([seen.status, JSON.parse(seen.text).error.code, JSON.parse(seen.text).id]).to.deep.equal([404, -32_601, 1]);
  });

  it('answers whatever it is sent in JSON, and is never at fault', async () => {
    const before = await door.balance();
    await fc.assert(
      fc.asyncProperty(arbitraryBody, arbitraryHeaders, async (body, headers) => {
        const { status, type, text } = await send(body, headers);
        expect(status).to.be.oneOf([200, 202, 400, 403, 404, 406, 413, 415]);
        expect(type).to.equal('application/json; charset=utf-8');
        if (text !== '') JSON.parse(text);
        else expect(status).to.equal(202);
      }),
      { numRuns: MCP_REQUESTS },
    );
    expect([door.ran.length, await door.balance()]).to.deep.equal([0, before]);
  });

  it('names its revisions as the library knows them', async () => {
    const refused = await send(JSON.stringify(ORDER), { 'mcp-protocol-version': '1999-01-01' });
    const early = /supported versions: ([^)]+)/.exec(JSON.parse(refused.text).error.message)![1]!.split(', ');
    const { message, headers } = ERAS['2026-07-28']('server/discover', {});
    const { result } = JSON.parse((await send(JSON.stringify(message), headers)).text);
    expect([...result.supportedVersions, ...early]).to.deep.equal([...MCP_FACTS.protocolVersions]);
  });

  it('leaves no token and no payment in the log', () => {
    expect(door.logLines.join('')).to.not.include(door.token);
    expect(door.logLines.length).to.be.above(0);
  });
});

describe('POST /mcp, many at once', () => {
  it('gives 200 clients with one request id their own answers', async () => {
    const door = await openMcpDoor({
      credits: 1_000,
      run: async (_tool, args) => ({ ok: true, asked: (args as { slug: string }).slug }),
    });
    const ask = async (n: number) => {
      const params = { name: 'preflight_trade', arguments: { slug: `market-${n}` } };
      const { message, headers } = ERAS[n % 2 === 0 ? '2025-11-25' : '2026-07-28']('tools/call', params);
      const answer = await fetch(`${door.url}/mcp`, {
        method: 'POST',
        headers: { ...JSON_RPC, authorization: `Bearer ${door.token}`, ...headers },
        body: JSON.stringify(message),
      });
      const { id, result } = (await answer.json()) as { id: number; result: { structuredContent: { asked: string } } };
      return [id, result.structuredContent.asked];
    };
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    expect(await Promise.all(numbers.map(ask))).to.deep.equal(numbers.map((n) => [1, `market-${n}`]));
    expect(await door.balance()).to.equal(800);
    await door.stop();
  });

  it('charges a call with an Idempotency-Key once, at both doors together', async () => {
    const door = await openMcpDoor();
    const headers = { ...JSON_RPC, authorization: `Bearer ${door.token}`, 'idempotency-key': 'order 7' };
    const params = { name: 'preflight_trade', arguments: { slug: 'a', usd: 25 } };
    const ask = async () => {
      const { message } = ERAS['2025-11-25']('tools/call', params);
      const answer = await fetch(`${door.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
      return result.content[0].text;
    };
    const answers = await Promise.all([ask(), ask(), ask()]);
    answers.push(await (await fetch(`${door.url}/api/preflight_trade?slug=a&usd=25`, { headers })).text());
    expect(new Set(answers).size).to.equal(1);
    expect([door.ran.length, await door.balance()]).to.deep.equal([1, 499]);
    await door.stop();
  });

  it('tells operators of a fault of ours, and the caller only where to find it', async () => {
    const door = await openMcpDoor({ run: () => Promise.reject(new Error('disk on fire')) });
    const { message } = ERAS['2025-11-25']('tools/call', { name: 'leaderboard' });
    const headers = { ...JSON_RPC, authorization: `Bearer ${door.token}` };
    const answer = await fetch(`${door.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
    const { result } = (await answer.json()) as { result: { structuredContent: { code: string; error: string } } };
    expect(result.structuredContent.code).to.equal('internal_error');
    expect(result.structuredContent.error).to.include(answer.headers.get('x-request-id'));
    expect(result.structuredContent.error).to.not.include('fire');
    expect(door.logLines.join('')).to.include('disk on fire');
    expect(await door.balance()).to.equal(500);
    await door.stop();
  });
});
