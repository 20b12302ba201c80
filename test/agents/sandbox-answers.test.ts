import { expect } from 'chai';
import { OPERATIONS, type ServedTool } from '#api/operations';
import { OPENAPI } from '#test/support/discovery';
import { type LocalProcess, startLocalProcess } from '#test/support/local-process';
import { faultsOf } from '#test/support/openapi-schemas';
import { PROCESS_TEST_MS } from '#test/support/time-limits';

const TOOLS = Object.keys(OPERATIONS) as ServedTool[];
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (body: object): RequestInit => ({ method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
const rpc = (name: string) =>
  post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { sandbox: true } } });

/** Every way to an example: path, request, and the tool whose example it is. */
const CALLS: readonly (readonly [name: string, path: string, init: RequestInit, tool: ServedTool | 'credits'])[] = [
  ...TOOLS.map((tool) => [`${tool} by GET`, `/api/${tool}?sandbox=1`, {}, tool] as const),
  ['preflight_trade by POST', '/api/preflight_trade', post({ sandbox: 1 }), 'preflight_trade'],
  ...[...TOOLS, 'credits' as const].map((tool) => [`${tool} by MCP`, '/mcp', rpc(tool), tool] as const),
];

describe('examples of two services that know nothing of each other', function () {
  this.timeout(PROCESS_TEST_MS);
  let services: readonly LocalProcess[] = [];
  before(async () => {
    services = await Promise.all([startLocalProcess(), startLocalProcess()]);
  });
  after(() => Promise.all(services.map((service) => service.end('SIGKILL'))));

  for (const [name, path, init, tool] of CALLS) {
    it(`are the same bytes, and have the form of a live answer: ${name}`, async () => {
      const texts = await Promise.all(
        services.flatMap(({ facts }) =>
          [1, 2].map(async () => {
            const answer = await fetch(facts.url + path, init);
            const text = await answer.text();
            expect(answer.status, text).to.equal(200);
            return text;
          }),
        ),
      );
      expect(new Set(texts).size, texts.join('\n')).to.equal(1);
      if (tool === 'credits') return;
      const body = path === '/mcp' ? JSON.parse(texts[0]!).result.structuredContent : JSON.parse(texts[0]!);
      expect(JSON.stringify(body)).to.equal(OPERATIONS[tool].exampleBody);
      const { schema } = OPENAPI.paths[OPERATIONS[tool].path]!.get!.responses['200']!.content!['application/json']!;
      expect(faultsOf(schema, body)).to.equal(null);
    });
  }
});
