import { expect } from 'chai';
import { SANDBOX_INPUTS } from '#api/sandbox/sandbox-inputs';
import { type McpDoor, openMcpDoor } from './support/mcp-door.js';
import { ERAS, type Headers, sendBytes } from './support/messages.js';

/** Of our list, by the tokenizer o200k: measured, and rounded down. */
const BYTES_PER_TOKEN = 3.9;

describe('the tools at POST /mcp', () => {
  let door: McpDoor;
  before(async () => {
    door = await openMcpDoor();
  });
  after(() => door.stop());

  const send = (body: string, headers: Headers) =>
    sendBytes(door.url, body, { authorization: `Bearer ${door.token}`, ...headers });

  for (const era of Object.keys(ERAS) as (keyof typeof ERAS)[]) {
    it(`lists its tools in less than 5,000 tokens (${era})`, async () => {
      const { message, headers } = ERAS[era]('tools/list', {});
      const { text } = await sendBytes(door.url, JSON.stringify(message), headers);
      expect(JSON.parse(text).result.tools).to.have.length(6);
      expect(Buffer.byteLength(text) / BYTES_PER_TOKEN).to.be.below(5_000);
      for (const { inputSchema } of JSON.parse(text).result.tools) {
        // The APIs of several models refuse a whole conversation for such a tool.
        expect(inputSchema).to.not.have.any.keys('anyOf', 'oneOf', 'allOf', 'not');
      }
    });

    it(`tells the price of each tool that is sold in its _meta, as terms that can be signed (${era})`, async () => {
      const { message, headers } = ERAS[era]('tools/list', {});
      const { tools } = JSON.parse((await sendBytes(door.url, JSON.stringify(message), headers)).text).result;
      for (const { name, _meta } of tools) {
        if (name === 'credits' || name === 'evaluate') {
          expect(_meta?.x402).to.equal(undefined);
          continue;
        }
        const call = ERAS[era]('tools/call', { name, arguments: { slug: 'a' } } as never);
        const asked = JSON.parse((await sendBytes(door.url, JSON.stringify(call.message), call.headers)).text).result;
        expect(_meta.x402).to.deep.equal({ paymentRequired: true, ...asked.structuredContent.accepts[0] });
      }
    });

    it(`says the price in words, and what to do next by MCP (${era})`, async () => {
      const { message, headers } = ERAS[era]('tools/call', { name: 'preflight_copy', arguments: {} } as never);
      const { structuredContent } = JSON.parse(
        (await sendBytes(door.url, JSON.stringify(message), headers)).text,
      ).result;
      const { error, resource } = structuredContent;
      expect(error).to.include('This call costs 0.10 USDC.').and.include('_meta["x402/payment"]');
      expect(error).to.include('sandbox: true').and.not.include('sandbox=1');
      expect(resource).to.include({ serviceName: 'Preflight', iconUrl: 'https://preflight.example/favicon.svg' });
      expect(resource.tags).to.be.an('array').that.is.not.empty;
    });

    it(`refuses a malformed sandbox on every tool, and says that it must be true (${era})`, async () => {
      for (const name of ['preflight_trade', 'evaluate', 'credits']) {
        const { message, headers } = ERAS[era]('tools/call', { name, arguments: { sandbox: 'yes' } } as never);
        const { structuredContent } = JSON.parse((await send(JSON.stringify(message), headers)).text).result;
        expect(structuredContent, name).to.include({ code: 'invalid_parameter' });
        expect(structuredContent.error, name).to.match(/^sandbox must be .*\btrue\b/);
      }
    });

    it(`gives the example for a sandbox that is the text of true, as models write it (${era})`, async () => {
      const { message, headers } = ERAS[era]('tools/call', {
        name: 'preflight_trade',
        arguments: { sandbox: 'true' },
      } as never);
      const { structuredContent } = JSON.parse((await send(JSON.stringify(message), headers)).text).result;
      expect(structuredContent).to.include({ ok: true, sandbox: true });
    });

    it(`names its tools to whoever calls another, be it one that every object has (${era})`, async () => {
      for (const name of ['nope', 'toString', 'constructor', '__proto__']) {
        const { message, headers } = ERAS[era]('tools/call', { name, arguments: {} } as never);
        const { status, text } = await send(JSON.stringify(message), headers);
        const { id, error } = JSON.parse(text);
        expect([status, id, error.code], name).to.deep.equal([200, 1, -32_602]);
        expect(error.message).to.match(/no such tool.* preflight_trade, .*, evaluate, credits$/);
      }
    });

    it(`takes a key for each call in _meta, before that of the connection (${era})`, async () => {
      const ask = async (key: unknown, header?: string, more = {}) => {
        const params = { name: 'preflight_trade', arguments: { slug: 'keyed', ...more } };
        const { message, headers } = ERAS[era]('tools/call', params);
        const _meta = { ...(message.params as { _meta?: object })._meta, 'preflight/idempotency-key': key };
        const body = JSON.stringify({ ...message, params: { ...message.params, _meta } });
        const keyed = header === undefined ? {} : { 'idempotency-key': header };
        return JSON.parse((await send(body, { ...headers, ...keyed })).text).result;
      };
      const [one, again, other] = [
        await ask(`${era} 1`),
        await ask(` ${era} 1\t`, 'of all calls'),
        await ask(`${era} 2`, 'of all calls'),
      ];
      expect(one._meta?.idempotent_replayed).to.equal(undefined);
      expect(again._meta).to.include({ idempotent_replayed: true });
      expect(other._meta?.idempotent_replayed).to.equal(undefined);
      expect(one.structuredContent.paid.credits_remaining - other.structuredContent.paid.credits_remaining).to.equal(1);
      const before = await door.balance();
      for (const wrong of ['', ' ', 7, 'é', 'x'.repeat(256)]) {
        expect((await ask(wrong)).structuredContent).to.include({ code: 'invalid_parameter' });
        expect((await ask(wrong, undefined, { sandbox: true })).structuredContent).to.include({ verdict: 'OK' });
      }
      expect((await ask(null, `${era} 1`))._meta, 'none in _meta').to.include({ idempotent_replayed: true });
      expect(await door.balance()).to.equal(before);
    });

    it(`gives each documented example, free (${era})`, async () => {
      const ask = async (name: string, args: object) => {
        const { message, headers } = ERAS[era]('tools/call', { name, arguments: { ...args, sandbox: true } } as never);
        return JSON.parse((await sendBytes(door.url, JSON.stringify(message), headers)).text).result;
      };
      const ran = door.ran.length;
      for (const { tool, parameter, value, meaning } of SANDBOX_INPUTS) {
        const { structuredContent } = await ask(tool, { [parameter]: value });
        expect(meaning, value).to.include(structuredContent.code ?? structuredContent.verdict);
      }
      expect(door.ran.length).to.equal(ran);
    });
  }
});
