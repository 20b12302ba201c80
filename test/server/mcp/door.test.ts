import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { MCP_FACTS } from '#api/mcp-facts';
import { OPENAPI } from '#test/support/discovery';
import { faultsOf } from '#test/support/openapi-schemas';
import { signTransfer, toPaymentV1 } from '#test/support/payment-headers';
import { newAccount } from '#test/support/signed-payments';
import { type McpDoor, openMcpDoor, TERMS } from './support/mcp-door.js';
import { callTool, ENVELOPE, ERAS, type Headers, sendAccepting, sendBytes } from './support/messages.js';

describe('POST /mcp', () => {
  let door: McpDoor;
  let bearer: Headers;
  before(async () => {
    door = await openMcpDoor();
    bearer = { authorization: `Bearer ${door.token}` };
  });
  after(() => door.stop());

  const send = (body: string, headers: Headers = {}, method = 'POST') =>
    sendBytes(door.url, body, { ...bearer, ...headers }, method);

  const call = (era: keyof typeof ERAS, name: string, args: object, headers: Headers = {}) => {
    const { message, headers: own } = ERAS[era]('tools/call', { name, arguments: args } as { name: string });
    return send(JSON.stringify(message), { ...own, ...headers });
  };

  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    it(`marks a repeat in _meta and tells there when a verdict was made (${era})`, async () => {
      const times = { evaluated_at: '2026-07-14T04:00:00.000Z', valid_until: '2026-07-14T04:01:00.000Z' };
      const dated = await openMcpDoor({ run: async () => ({ ok: true, meta: times }) });
      const { message, headers } = ERAS[era]('tools/call', { name: 'preflight_trade', arguments: { slug: 'a' } } as {
        name: string;
      });
      const ask = async () => {
        const keyed = { ...headers, authorization: `Bearer ${dated.token}`, 'idempotency-key': 'k' };
        return JSON.parse((await sendBytes(dated.url, JSON.stringify(message), keyed)).text).result;
      };
      const first = await ask();
      const again = await ask();
      expect(first._meta).to.include(times).and.not.have.any.keys('idempotent_replayed', 'age_seconds');
      expect(again._meta).to.include({ ...times, idempotent_replayed: true });
      expect(again._meta.age_seconds).to.be.a('number').within(0, 60);
      expect(again.content[0].text).to.equal(first.content[0].text);
      await dated.stop();
    });
  }

  const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const ORDER = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'preflight_trade', arguments: { slug: 'a' } },
  };
  const MEGABYTE = JSON.stringify({ ...ORDER, params: { ...ORDER.params, filler: 'a'.repeat(1_000_000) } });

  const ordering = (name: string, headers: Headers, status: number, code: number) => ({
    name,
    body: JSON.stringify(ORDER),
    headers,
    status,
    code,
  });
  const REFUSED: readonly { name: string; body: string; headers?: Headers; status: number; code: number }[] = [
    { name: 'a batch', body: JSON.stringify([ORDER, ORDER]), status: 400, code: -32_600 },
    { name: 'a batch of one', body: JSON.stringify([ORDER]), status: 400, code: -32_600 },
    { name: 'an empty batch', body: '[]', status: 400, code: -32_600 },
    { name: 'half a message', body: JSON.stringify(ORDER).slice(0, 40), status: 400, code: -32_700 },
    { name: 'a text', body: '"tools/call"', status: 400, code: -32_700 },
    { name: 'no body', body: '', status: 400, code: -32_600 },
    { name: 'an object that is no message', body: '{"tool":"preflight_trade"}', status: 400, code: -32_600 },
    { name: 'a body of a megabyte', body: MEGABYTE, status: 413, code: -32_600 },
    ordering('another type', { 'content-type': 'text/plain' }, 415, -32_600),
    ordering('a compressed body', { 'content-encoding': 'gzip' }, 415, -32_600),
    ordering('a client that wants HTML', { accept: 'text/html' }, 406, -32_000),
    ordering('a revision that nobody knows', { 'mcp-protocol-version': '1999-01-01' }, 400, -32_000),
    ordering('a strange host', { host: 'evil.example' }, 403, -32_000),
    ordering('a host that begins like ours', { host: 'preflight.example.evil.example' }, 403, -32_000),
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

  const ACCEPTED = [
    'application/json',
    '*/*',
    'application/*',
    'text/event-stream',
    'text/*',
    'APPLICATION/JSON;q=0.5',
    '',
  ];
  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    it(`refuses who takes neither JSON nor event streams, and says that one of them is enough (${era})`, async () => {
      const { message, headers } = ERAS[era]('tools/list', {});
      const answer = await sendAccepting(door.url, JSON.stringify(message), headers, 'text/html');
      expect(answer.status).to.equal(406);
      const { id, error } = JSON.parse(answer.text);
      expect([id, error.code]).to.deep.equal([null, -32_000]);
      expect(error.message).to.include('application/json, text/event-stream or both');
    });

    it(`answers in JSON whoever takes JSON, event streams, anything, or does not say (${era})`, async () => {
      for (const accept of [...ACCEPTED, null]) {
        const { message, headers } = ERAS[era]('tools/list', {});
        const answer = await sendAccepting(door.url, JSON.stringify(message), headers, accept);
        expect([answer.status, answer.type], String(accept)).to.deep.equal([200, 'application/json; charset=utf-8']);
        expect(JSON.parse(answer.text).result.tools).to.have.length(6);
      }
    });
  }

  it('answers a message whose id is a fraction in the form that OpenAPI states', async () => {
    const { status, text } = await send('{"jsonrpc":"2.0","id":1.5,"method":"ping"}');
    const { schema } = OPENAPI.paths['/mcp']!.post!.responses[String(status)]!.content!['application/json']!;
    expect(faultsOf(schema, JSON.parse(text))).to.equal(null);
  });

  it('answers a notification with an empty 202 that is of no type', async () => {
    const seen = await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    expect(seen).to.deep.equal({ status: 202, type: undefined, text: '' });
  });

  it('is called from pages of every origin, as its preflight says, where its address is public', async () => {
    for (const origin of [
      'https://claude.ai',
      'https://evil.example',
      'null',
      'chrome-extension://abcdef',
      'file://',
    ]) {
      expect((await send(PING, { origin })).status, origin).to.equal(200);
    }
  });

  it('is called from pages of this machine alone where its address is of this machine', async () => {
    for (const baseUrl of ['http://localhost:4021', 'http://127.0.0.1:4021', 'http://[::1]:4021']) {
      const local = await openMcpDoor({ terms: { ...TERMS, baseUrl } });
      for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
        const seen = await sendBytes(local.url, PING, { origin });
        expect([seen.status, JSON.parse(seen.text).error.code], origin).to.deep.equal([403, -32_000]);
      }
      expect((await sendBytes(local.url, PING, { host: 'evil.example' })).status).to.equal(403);
      for (const origin of ['http://localhost:3000', 'http://127.0.0.1']) {
        expect((await sendBytes(local.url, PING, { origin })).status, origin).to.equal(200);
      }
      await local.stop();
    }
  });

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

      it('takes params that are null for absent ones', async () => {
        for (const [method, params] of [
          ['tools/call', { name: 'leaderboard', arguments: null }],
          ['tools/call', { name: 'leaderboard', arguments: { sandbox: null } }],
          ['tools/list', { cursor: null }],
        ] as const) {
          const { message, headers } = ERAS[era](method, params as object);
          const seen = await sendBytes(door.url, JSON.stringify(message), headers);
          const { result } = JSON.parse(seen.text);
          if (method === 'tools/list') expect(result.tools).to.have.length(6);
          else expect(result.structuredContent).to.include({ code: 'payment_required' });
        }
      });

      const MISSHAPEN: readonly (readonly [method: string, params: object, says: RegExp])[] = [
        ['tools/call', { name: 'credits', arguments: [] }, /^params\.arguments must be an object, .* or left out$/],
        ['tools/call', { name: 'credits', arguments: 'usd=1' }, /^params\.arguments must be an object/],
        ['tools/call', { name: 5 }, /params\.name must be one of preflight_trade, /],
        ['tools/call', {}, /params\.name must be one of preflight_trade, /],
        ['tools/list', { cursor: 5 }, /^params\.cursor must be a text, or left out$/],
      ];
      for (const [method, params, says] of MISSHAPEN) {
        it(`says in a sentence what ${method} takes instead of ${JSON.stringify(params)}`, async () => {
          const { message, headers } = ERAS[era](method, params);
          const { id, error } = JSON.parse((await send(JSON.stringify(message), headers)).text);
          expect([id, error.code]).to.deep.equal([1, -32_602]);
          expect(error.message).to.match(says);
        });
      }

      const BAD: readonly { args: Record<string, unknown>; says: RegExp }[] = [
        { args: {}, says: /give slug/ },
        { args: { slug: 'a', usd: 0 }, says: /usd must be greater than 0/ },
        { args: { slug: 'a', usd: 1e12 }, says: /usd must be at most/ },
        { args: { slug: 'a', side: 'hold' }, says: /side must be BUY or SELL/ },
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

  const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
  const SPOKEN: readonly (readonly [method: string, params: object | null])[] = [
    ['ping', null],
    ['tools/list', null],
    ['initialize', { ...HELLO, capabilities: { roots: null, sampling: null } }],
    ['initialize', { ...HELLO, clientInfo: { ...HELLO.clientInfo, title: null, icons: null } }],
    ['initialize', { ...HELLO, _meta: { progressToken: null } }],
  ];
  for (const [method, params] of SPOKEN) {
    it(`takes null for absent in ${method} with ${JSON.stringify(params)}`, async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      expect(JSON.parse((await sendBytes(door.url, body, {})).text)).to.have.property('result');
    });
  }

  const MISSPOKEN: readonly (readonly [params: object | undefined, place: string])[] = [
    [undefined, 'params'],
    [{}, 'params.protocolVersion'],
    [{ ...HELLO, protocolVersion: 5 }, 'params.protocolVersion'],
    [{ ...HELLO, capabilities: null }, 'params.capabilities'],
    [{ ...HELLO, clientInfo: { name: 'a' } }, 'params.clientInfo'],
  ];
  for (const [params, place] of MISSPOKEN) {
    it(`says to initialize with ${JSON.stringify(params)} what it takes`, async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const { id, error } = JSON.parse((await sendBytes(door.url, body, {})).text);
      expect([id, error.code]).to.deep.equal([1, -32_602]);
      expect(error.message).to.match(/^params\S* is missing or malformed: initialize takes protocolVersion.* version$/);
      expect(error.message.split(' ')[0]).to.equal(place);
    });
  }

  it('announces the extension binding of x402, and answers by it whoever speaks it', async () => {
    const discover = ERAS['2026-07-28']('server/discover', {});
    const { result } = JSON.parse((await send(JSON.stringify(discover.message), discover.headers)).text);
    expect(result.capabilities.extensions).to.deep.equal({ 'org.x402/payment': {} });

    const { message, headers } = ERAS['2026-07-28']('tools/call', { name: 'red_list', arguments: {} } as never);
    const ask = async (extensions: object | undefined, payment?: object) => {
      const capabilities = { 'io.modelcontextprotocol/clientCapabilities': extensions ? { extensions } : {} };
      const paid = payment === undefined ? {} : { 'x402/payment': payment };
      const params = { ...message.params, _meta: { ...ENVELOPE, ...capabilities, ...paid } };
      return JSON.parse((await sendBytes(door.url, JSON.stringify({ ...message, params }), headers)).text).result;
    };
    const plain = await ask(undefined);
    expect(plain).to.include({ resultType: 'complete', isError: true }).and.not.have.property('paymentRequired');
    expect((await ask({ 'other/payment': {} })).resultType).to.equal('complete');

    const kinded = await ask({ 'org.x402/payment': {} });
    expect(kinded.resultType).to.equal('payment_required');
    expect(PaymentRequiredV2Schema.safeParse(kinded.paymentRequired).error).to.equal(undefined);
    expect(kinded.paymentRequired.accepts).to.deep.equal(plain.structuredContent.accepts);
    expect(kinded.paymentRequired.error).to.equal(plain.structuredContent.error);

    const signed = await signTransfer(newAccount(), {
      to: TERMS.payeeAddress,
      value: '20000',
      validAfter: '0',
      validBefore: '4000000000',
      nonce: `0x${'12'.repeat(32)}`,
    });
    const refused = await ask({ 'org.x402/payment': {} }, toPaymentV1(signed));
    expect(refused.resultType).to.equal('payment_required');
    expect(refused.paymentRequired).to.include({ code: 'payment_refused' });
    expect(refused._meta['x402/payment-response']).to.include({ success: false });
  });

  it('says beside the terms what would be refused even with a payment', async () => {
    const result = await callTool(door.url, { name: 'preflight_trade', arguments: { slug: 'a', usd: '1,000' } });
    expect(result.structuredContent).to.include({ x402Version: 2, code: 'payment_required' });
    expect(result.structuredContent.fault).to.deep.equal({
      code: 'invalid_parameter',
      error: 'usd must be a number such as 250 or 0.5, without signs of money and separators',
    });
  });

  it('has no subscriptions, and says that the method is not there', async () => {
    const { message, headers } = ERAS['2026-07-28']('subscriptions/listen', {});
    const seen = await send(JSON.stringify(message), headers);
    expect([seen.status, JSON.parse(seen.text).error.code, JSON.parse(seen.text).id]).to.deep.equal([404, -32_601, 1]);
  });

  it('names its revisions as the library knows them', async () => {
    const refused = await send(JSON.stringify(ORDER), { 'mcp-protocol-version': '1999-01-01' });
    const early = /supported versions: ([^)]+)/.exec(JSON.parse(refused.text).error.message)![1]!.split(', ');
    const { message, headers } = ERAS['2026-07-28']('server/discover', {});
    const { result } = JSON.parse((await send(JSON.stringify(message), headers)).text);
    expect([...result.supportedVersions, ...early]).to.deep.equal([...MCP_FACTS.protocolVersions]);
  });

  it('answers a fault of its own in the form of the protocol too, under the id of the message', async () => {
    let isBroken = false;
    const terms = {
      ...TERMS,
      get payeeAddress() {
        if (isBroken) throw new Error('no address');
        return TERMS.payeeAddress;
      },
    };
    const broken = await openMcpDoor({ terms });
    isBroken = true;
    const seen = await sendBytes(broken.url, PING, {});
    const logged = broken.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    await broken.stop();
    const { jsonrpc, id, error } = JSON.parse(seen.text);
    expect([seen.status, jsonrpc, id]).to.deep.equal([500, '2.0', 1]);
    expect([error.code, error.data.code]).to.deep.equal([-32_603, 'internal_error']);
    expect(error.message).to.include(logged[0].requestId).and.not.include('no address');
    expect(logged).to.have.length(1);
  });

  it('leaves no token and no payment in the log', () => {
    expect(door.logLines.join('')).to.not.include(door.token);
    expect(door.logLines.length).to.be.above(0);
  });
});
