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
