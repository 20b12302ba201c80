import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MCP_FACTS, mcpServerName } from '#api/mcp-facts';
import { OPERATIONS } from '#api/operations';
import { CREDIT_PACK, PRICES, TOOLS } from '#api/prices';
import { SERVER_INSTRUCTIONS, TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import { outputSchemaOf } from '#api/tools/output-schema';
import { ROOT } from '#test/support/source-tree';

/** Longer descriptions cost every conversation of an agent; directories mark them down. */
const DESCRIPTION_LENGTH_MAX = 1_000;
/** Of both schemas of a tool, as JSON. */
const SCHEMA_LENGTH_MAX = 20_000;

describe('what the MCP server says of itself', () => {
  it('has the version of the package, and a description that directories do not cut', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(MCP_FACTS.version).to.equal(version);
    expect(MCP_FACTS.description.length).to.be.at.most(100);
  });

  it('is named after its public address: the host backwards, one slash, the product', () => {
    const names = {
      'https://preflight.example': 'example.preflight/preflight',
      'https://api.preflight.example:8443/base': 'example.preflight.api/preflight',
      'http://localhost:4021': 'localhost/preflight',
      'http://127.0.0.1:4021': 'localhost/preflight',
      'http://[::1]:4021': 'localhost/preflight',
    };
    for (const [url, name] of Object.entries(names)) expect(mcpServerName(url)).to.equal(name);
  });

  it('tells of every tool when to use it, when not and what to use then, and its price', () => {
    for (const tool of TOOLS) {
      const { description } = TOOL_TEXTS[tool];
      expect(description).to.match(/^\w+ [^.]*\. ?/);
      expect(description).to.match(/Use when .*\. .*Not .*→ use `\w+`/);
      expect(description).to.include(`${Number(PRICES[tool].amountMicros) / 1e6}`);
      expect(description).to.match(new RegExp(`or ${PRICES[tool].credits} credits? `));
      expect(description).to.match(/never charged/);
    }
    expect(TOOL_TEXTS.credits.description).to.include(`${CREDIT_PACK.credits} credits for ${CREDIT_PACK.usd} USDC`);
  });

  it('names in its texts only tools that exist', () => {
    const names = new Set<string>([...Object.keys(OPERATIONS), 'credits']);
    const texts = [SERVER_INSTRUCTIONS, ...Object.values(TOOL_TEXTS).map(({ description }) => description)];
    const mentioned = texts.flatMap((said) => Array.from(said.matchAll(/use `(\w+)`|^`(\w+)`/g), (m) => m[1] ?? m[2]!));
    expect(mentioned.length).to.be.above(3);
    expect(mentioned.filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it('shows schemas that every client can read, and no word too many', () => {
    for (const tool of [...TOOLS, 'credits'] as const) {
      const shown = JSON.stringify([inputSchemaOf(tool), outputSchemaOf(tool)]);
      expect(shown.length, tool).to.be.below(SCHEMA_LENGTH_MAX);
      for (const unread of [
        '"$schema"',
        '"type":[',
        ':{}',
        '"items":false',
        '"prefixItems"',
        String(Number.MAX_SAFE_INTEGER),
      ]) {
        expect(shown, tool).to.not.include(unread);
      }
      expect(shown, tool).to.not.match(/"format":"date[^{}]*"pattern"/);
    }
  });

  it('shows the bounds and defaults of an order', () => {
    const { properties } = inputSchemaOf('preflight_trade') as { properties: Record<string, object> };
    expect(properties.usd).to.include({ type: 'number', default: 100, exclusiveMinimum: 0, maximum: 10_000_000 });
    expect(properties.max_slippage_c).to.include({ type: 'number', default: 1, minimum: 0, maximum: 100 });
    expect(properties.veto_slippage_c).to.include({ type: 'number', default: 3 });
    expect(properties.max_book_age_s).to.include({ type: 'number', default: 60, maximum: 86_400 });
    expect(properties.side).to.deep.include({ type: 'string', enum: ['BUY', 'SELL'], default: 'BUY' });
  });

  it('is brief', () => {
    for (const { title, description } of Object.values(TOOL_TEXTS)) {
      expect(description.length, title).to.be.at.most(DESCRIPTION_LENGTH_MAX);
    }
  });
});
