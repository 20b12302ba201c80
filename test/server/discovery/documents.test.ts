import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MCP_FACTS } from '#api/mcp-facts';
import { TOOLS } from '#api/prices';
import { TOOL_TEXTS } from '#api/tool-texts';
import { discovery, discoveryFiles } from '#discovery/discovery-files';
import { CONFIG, FILES, OPERATION_ROWS, textOf } from '#test/support/discovery';
import { ROOT } from '#test/support/source-tree';

const PATHS = [
  '/llms.txt',
  '/agent.json',
  '/openapi.json',
  '/auth.md',
  '/pricing.md',
  '/.well-known/mcp/server-card.json',
  '/mcp/server-card',
  '/.well-known/ai-catalog.json',
  '/.well-known/x402',
  '/.well-known/jwks.json',
  '/refusals.json',
  '/favicon.svg',
  '/robots.txt',
];

const URLS = /https?:\/\/[^\s"`)<>\\,]+/g;
/** Addresses that are not ours, and are meant. */
const FOREIGN = /^(https:\/\/static\.modelcontextprotocol\.io|https:\/\/basescan\.org|http:\/\/www\.w3\.org)\//;
/** Where texts of the venue were published. */
const SOURCE = /^https:\/\/(github\.com|docs\.polymarket\.com)\//;

describe('documents', () => {
  it('are at the places where they are looked for, each once', () => {
    expect(discovery(CONFIG).map(({ path }) => path)).to.deep.equal(FILES.map(({ path }) => path));
    expect(FILES.map(({ path }) => path)).to.have.members(PATHS);
  });

  it('tell for each error what to do, from the first word on', () => {
    const lines = textOf('/llms.txt').split('\n');
    const advice = lines.filter((line) => /^- \d{3}(?: or \d{3})? `\w+`: /.test(line));
    expect(advice.length).to.be.above(20);
    for (const line of advice) expect(line).to.match(/`: (?:[a-z]|Send the body)/);
    const ofToken = advice.find((line) => line.includes('`invalid_token`'));
    expect(ofToken).to.include(': correct it, buy credits');
  });

  for (const file of FILES) {
    describe(file.path, () => {
      it('is what its type says', () => {
        if (file.contentType.includes('json')) expect(JSON.parse(file.body)).to.be.an('object');
        if (file.contentType.includes('markdown')) expect(file.body).to.match(/^# \w/);
        expect(file.cacheSeconds).to.be.within(60, 86_400);
      });

      it('names this service by its public address alone', () => {
        const ours = (url: string) => url === CONFIG.baseUrl || url.startsWith(`${CONFIG.baseUrl}/`);
        const others = (file.body.match(URLS) ?? []).filter((url) => !ours(url) && !FOREIGN.test(url));
        if (file.path === '/refusals.json') expect(others.every((url) => SOURCE.test(url))).to.equal(true);
        else expect(others).to.deep.equal([]);
      });

      it('leaves no hole where a fact should be', () => {
        expect(file.body).not.to.match(/undefined|\[object|NaN|TODO|<[A-Z_]{4,}>/);
      });

      it('is the same every time', () => {
        const again = discoveryFiles(CONFIG).find(({ path }) => path === file.path);
        expect(again).to.deep.equal(file);
      });
    });
  }

  it('say that a repeat is the old verdict, on which no order is sent', () => {
    for (const path of ['/llms.txt', '/pricing.md'] as const) {
      expect(textOf(path), path)
        .to.match(/`Idempotent-Replayed: true` and `Age`/)
        .and.match(/Send no order on an old verdict/);
    }
    expect(TOOL_TEXTS.preflight_trade.description).to.match(/old verdict: send no order on it/);
    expect(JSON.parse(textOf('/openapi.json')).info['x-guidance']).to.match(/OLD verdict: send no order on it/);
  });

  it('that promise no second charge under a key say for whom not: a smart contract', () => {
    const openapi = textOf('/openapi.json').match(/[^"]*new authorization of the same wallet[^"]*/)![0];
    const promises = [/[^.]*second one under it is not charged[^.]*/, /[^.]*new payment of the same wallet[^.]*/];
    const [steps, repeats] = promises.map((promise) => promise.exec(textOf('/llms.txt'))![0]);
    const pricing = /^- a repeat with .*$/m.exec(textOf('/pricing.md'))![0];
    for (const text of [openapi, steps, repeats, pricing]) expect(text).to.match(/smart contract/);
  });

  it('that call errors free say what may be charged after all, and that the same payment is repeated', () => {
    const exception =
      /\bperhaps `settlement_pending` and `store_unavailable`: repeat these with the same payment or key\b/i;
    const free = { '/llms.txt': /^.*None is charged.*$/m, '/pricing.md': /^- every error.*$/m } as const;
    for (const [path, said] of Object.entries(free)) expect(said.exec(textOf(path))![0], path).to.match(exception);
    for (const path of ['docs/interface.md', 'skills/preflight/SKILL.md']) {
      const page = readFileSync(join(ROOT, path), 'utf8').replaceAll('\n', ' ');
      expect(page, path).to.match(exception);
    }
    for (const { operation, method, path } of OPERATION_ROWS) {
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        const isPending = 'settlement_pending' in (content?.['application/json']?.examples ?? {});
        expect(exception.test(description), `${method} ${path} ${status}`).to.equal(isPending);
      }
    }
    for (const tool of TOOLS) expect(TOOL_TEXTS[tool].description).to.include('Errors without `retry`');
  });

  it('link only to documents and endpoints that exist', () => {
    const served = new Set([...PATHS, '/status.json', '/mcp']);
    const linked = [...textOf('/llms.txt').matchAll(/\]\((.*?)\)/g)].map(([, url]) =>
      url!.slice(CONFIG.baseUrl.length),
    );
    expect(linked.length).to.be.above(6);
    expect(linked.filter((path) => !served.has(path))).to.deep.equal([]);
  });
});

describe('/llms.txt', () => {
  it('has a title, a summary, details without headings, then lists of links', () => {
    const text = textOf('/llms.txt');
    const [title, , summary] = text.split('\n');
    expect(title).to.equal('# Preflight');
    expect(summary).to.match(/^> /);
    const [, ...sections] = text.split(/^## /m);
    expect(sections.map((section) => section.split('\n')[0])).to.deep.equal(['Machine descriptions', 'Optional']);
    for (const section of sections) {
      const lines = section
        .split('\n')
        .slice(1)
        .filter((line) => line !== '');
      expect(
        lines.every((line) => /^- \[[^\]]+\]\(https:[^)]+\)(?:: \w|$)/.test(line)),
        section,
      ).to.equal(true);
    }
  });
});

describe('the server card', () => {
  const card = JSON.parse(textOf('/mcp/server-card'));

  it('is the same at both of its places', () => {
    expect(textOf('/mcp/server-card')).to.equal(textOf('/.well-known/mcp/server-card.json'));
  });

  it('says how to connect, and lists no tools', () => {
    expect(card.name)
      .to.equal('example.preflight/preflight')
      .and.to.match(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(card.description.length).to.be.within(1, 100);
    expect(card.remotes).to.have.length(1);
    expect(card.remotes[0]).to.deep.include({
      type: 'streamable-http',
      url: `${CONFIG.baseUrl}/mcp`,
      supportedProtocolVersions: [...MCP_FACTS.protocolVersions],
    });
    expect(card).not.to.have.any.keys('tools', 'capabilities');
  });

  it('is found through the catalog of the host', () => {
    const { specVersion, entries } = JSON.parse(textOf('/.well-known/ai-catalog.json'));
    expect(specVersion).to.equal('1.0');
    const found = entries.find(({ type }: { type: string }) => type === 'application/mcp-server-card+json');
    expect(found.url).to.equal(`${CONFIG.baseUrl}/.well-known/mcp/server-card.json`);
    expect(new Set(entries.map(({ identifier }: { identifier: string }) => identifier)).size).to.equal(entries.length);
  });
});
