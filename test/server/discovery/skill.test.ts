import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { IDEMPOTENCY_META, MCP_PATH } from '#api/mcp-facts';
import { TOOL_TEXTS } from '#api/tool-texts';
import { inputSchemaOf } from '#api/tools/input-schema';
import { ENV } from '#client/cli/world/world';
import { queuedSteps, verdictTable } from '#discovery/agent-texts';
import { errorTable, priceTable } from '#discovery/tables';
import { markdownPages, ROOT } from '#test/support/source-tree';

const SKILL = 'skills/preflight/SKILL.md';
/** What hosts ask of a skill (agentskills.io): a name of the folder, a description of a bounded length. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const DESCRIPTION_CHARS_MAX = 1_024;

const page = (path: string) => markdownPages().find((one) => one.path === path)!.text;
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const codeIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

describe('the skill for agents', () => {
  const text = page(SKILL);
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text)!;

  it('begins with what hosts ask for: the name of its folder, and when to use it', () => {
    const name = /^name: (.+)$/m.exec(head!)![1]!;
    expect(name)
      .to.match(NAME)
      .and.to.equal(basename(dirname(join(ROOT, SKILL))));
    const description = onOneLine(/^description: >-\n((?: {2}.+\n?)+)/m.exec(head!)![1]!);
    expect(description.length).to.be.within(100, DESCRIPTION_CHARS_MAX);
    for (const tool of Object.keys(TOOL_TEXTS).filter((one) => one !== 'credits')) {
      expect(description, tool).to.include(tool);
    }
  });

  it('says what to do on every verdict, on QUEUED, and on every 402 and 500, in the words of /llms.txt', () => {
    expect(body).to.include(verdictTable());
    expect(onOneLine(body!)).to.include(onOneLine(queuedSteps()));
    const rows = errorTable()
      .split('\n')
      .filter((row) => /^\| [^|]*(402|500)/.test(row));
    expect(rows).to.have.length.above(5);
    for (const row of rows) expect(body!.split('\n'), row).to.include(row);
    expect(body).to.include(priceTable());
  });

  it('names only tools, parameters and keys that there are', () => {
    const named = codeIn(body!).filter((code) => /^[a-z]+(_[a-z]+)+$/.test(code));
    const schemas = (Object.keys(TOOL_TEXTS) as (keyof typeof TOOL_TEXTS)[])
      .filter((tool) => tool !== 'credits')
      .flatMap((tool) => Object.keys(inputSchemaOf(tool as never).properties as object));
    const codes = [...errorTable().matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!);
    const answers = ['next_refresh_at', 'retry_after_seconds'];
    const known = new Set([...Object.keys(TOOL_TEXTS), ...schemas, ...codes, ...answers]);
    expect(named.length).to.be.above(5);
    expect(named.filter((one) => !known.has(one))).to.deep.equal([]);
    expect(body).to.include(`_meta["${IDEMPOTENCY_META}"]`);
  });

  it('says of each guard where it comes from and what it asks', () => {
    const [, guarded] = body!.split('## The guard');
    const paths = codeIn(guarded!).filter((code) => code.endsWith('.py'));
    expect(paths).to.have.length(1);
    const file = readFileSync(join(ROOT, paths[0]!), 'utf8');
    const variables = codeIn(guarded!).filter((code) => code.startsWith('PREFLIGHT_'));
    expect(variables).to.have.members([ENV.url, ENV.token]);
    for (const variable of variables) expect(file).to.include(variable);
    expect(guarded)
      .to.match(/npm install\s+https:\S+\.tgz/)
      .and.to.include('preflight = new Preflight({ baseUrl, token })');
  });
});

describe('entries of MCP hosts', () => {
  const text = page('docs/agents.md');
  const section = text.slice(text.indexOf('## Hosts'), text.indexOf('## Tool definitions'));
  const blocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!);

  it('are JSON that leads to the address of the server with a token in its header', () => {
    const entries = blocks('json').map((block) => JSON.parse(block));
    expect(entries).to.have.length(3);
    for (const { mcpServers, servers } of entries) {
      const { url, headers } = (mcpServers ?? servers).preflight;
      expect(new URL(url).pathname).to.equal(MCP_PATH);
      expect(Object.keys(headers)).to.deep.equal(['Authorization']);
      expect(headers.Authorization).to.match(/^Bearer \$\{[\w:-]+\}$/);
    }
  });

  it('name the same address everywhere, and only variables of the client', () => {
    const urls = [...section.matchAll(/https?:\/\/[^\s"`\\]+/g)].map(([url]) => url);
    expect(new Set(urls)).to.deep.equal(new Set(['https://preflight.example', `https://preflight.example${MCP_PATH}`]));
    const variables = [...section.matchAll(/PREFLIGHT_[A-Z_]+/g)].map(([name]) => name);
    expect(variables).to.not.be.empty;
    expect(variables.filter((name) => !(Object.values(ENV) as string[]).includes(name))).to.deep.equal([]);
  });
});

describe('the page of the guard in Python', () => {
  it('names only variables of the client and what the file offers', () => {
    const text = page('clients/python/README.md');
    const file = readFileSync(join(ROOT, 'clients/python/preflight_guard.py'), 'utf8');
    const variables = [...text.matchAll(/PREFLIGHT_[A-Z_]+/g)].map(([name]) => name);
    expect(variables.filter((name) => !(Object.values(ENV) as string[]).includes(name))).to.deep.equal([]);
    expect(variables.filter((name) => !file.includes(name))).to.deep.equal([]);
    for (const name of ['OrderRefused', 'OrderOutcomeUnknown', 'guard', 'freeze', 'unfreeze']) {
      expect(text).to.include(name);
      expect(file, name).to.match(new RegExp(`^(?:def|class) ${name}\\b`, 'm'));
    }
    expect(text.trim().split('\n')).to.have.length.at.most(24);
  });
});
