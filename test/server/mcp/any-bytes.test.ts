import { expect } from 'chai';
import fc from 'fast-check';
import { PROPERTY_RUNS } from '#test/support/size';
import { openMcpDoor } from './support/mcp-door.js';
import { ENVELOPE, sendBytes } from './support/messages.js';

/** Requests over a real socket take about a millisecond each. */
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

describe('POST /mcp, sent any bytes', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const envelope = (capabilities: string) =>
    JSON.stringify(ENVELOPE).replace('"io.modelcontextprotocol/clientCapabilities":{}', () => {
      return `"io.modelcontextprotocol/clientCapabilities":${capabilities}`;
    });
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const rpc = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
  const DEEP: readonly (readonly [string, string, Record<string, string>])[] = [
    ['an extension', rpc('tools/list', `{"_meta":${envelope(`{"extensions":{"x":${nested(9_000)}}}`)}}`), modern],
    ['a capability', rpc('tools/list', `{"_meta":${envelope(`{"experimental":{"x":${nested(9_000)}}}`)}}`), modern],
    [
      'a payment',
      rpc(
        'tools/call',
        `{"name":"preflight_trade","arguments":{"slug":"a"},"_meta":{"x402/payment":${nested(9_000)}}}`,
      ),
      {},
    ],
    [
      'a payment beside sandbox',
      rpc(
        'tools/call',
        `{"name":"leaderboard","arguments":{"sandbox":true},"_meta":{"x402/payment":${nested(9_000)}}}`,
      ),
      {},
    ],
  ];
  for (const [what, body, headers] of DEEP) {
    it(`is not at fault for ${what} that is deeply nested, and tells no operator`, async () => {
      const door = await openMcpDoor();
      const { status, text } = await sendBytes(door.url, body, headers);
      const levels = door.logLines.map((line) => JSON.parse(line).level as number);
      await door.stop();
      expect(status).to.be.oneOf([200, 400]);
      expect(text).to.not.include('internal_error');
      expect(JSON.parse(text)).to.include({ jsonrpc: '2.0' });
      expect(levels.filter((level) => level >= 50)).to.deep.equal([]);
    });
  }

  it('takes a message of 64 levels, and says of a deeper one how many there may be', async () => {
    const door = await openMcpDoor();
    // The message is a level too.
    const [taken, refused] = await Promise.all(
      [63, 64].map((levels) => sendBytes(door.url, rpc('ping', nested(levels)), {})),
    );
    await door.stop();
    expect([taken!.status, JSON.parse(taken!.text).result]).to.deep.equal([200, {}]);
    const { id, error } = JSON.parse(refused!.text);
    expect([refused!.status, id, error.code, error.data.code]).to.deep.equal([400, null, -32_700, 'malformed_request']);
    expect(error.message).to.include('64 levels');
  });

  it('answers whatever it is sent in JSON, and is never at fault', async () => {
    const door = await openMcpDoor();
    const bearer = { authorization: `Bearer ${door.token}` };
    await fc.assert(
      fc.asyncProperty(arbitraryBody, arbitraryHeaders, async (body, headers) => {
        const { status, type, text } = await sendBytes(door.url, body, { ...bearer, ...headers });
        expect(status).to.be.oneOf([200, 202, 400, 403, 404, 406, 413, 415]);
        expect(type).to.equal(text === '' ? undefined : 'application/json; charset=utf-8');
        if (text !== '') JSON.parse(text);
        else expect(status).to.equal(202);
      }),
      { numRuns: MCP_REQUESTS },
    );
    expect([door.ran.length, await door.balance()]).to.deep.equal([0, 500]);
    await door.stop();
  });
});
