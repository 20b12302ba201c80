import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ERROR_TEXTS } from '#api/error-texts';
import { PRICES, TOOLS, toPriceText } from '#api/prices';
import { SERVER_INSTRUCTIONS, TOOL_TEXTS } from '#api/tool-texts';
import { Problem } from '#domain/errors';
import { type McpDoor, openMcpDoor } from '#test/server/mcp/support/mcp-door';
import { callTool } from '#test/server/mcp/support/messages';
import { FILES } from '#test/support/discovery';
import { ROOT } from '#test/support/source-tree';

type Tool = 'preflight_trade' | 'preflight_copy';

/** An answer that an agent may get, and what it has to find in it or in what came before it. */
interface Rehearsal {
  readonly answer: string;
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** In the answer itself. */
  readonly shows: readonly RegExp[];
  /** In the instructions of the server and in the text of the tool. */
  readonly knows: readonly RegExp[];
}

const wallet = (n: number) => `0x${String(n).padStart(40, '0')}`;
const order = (name: string) => ({ slug: `sandbox-${name}`, sandbox: true });
const rated = (n: number) => ({ wallet: wallet(n), sandbox: true });
const NEXT_STEP = /\b(?:correct|check|choose|use|shorten|send|buy|repeat|try|wait|see|ask|get)\b/i;

const REHEARSALS: readonly Rehearsal[] = [
  {
    answer: 'OK',
    tool: 'preflight_trade',
    args: order('ok'),
    shows: [/"verdict":"OK"/, /"safe_size_usd":\d/],
    knows: [/OK: send before `?(?:meta\.)?valid_until/],
  },
  {
    answer: 'CAUTION',
    tool: 'preflight_trade',
    args: order('caution'),
    shows: [/"verdict":"CAUTION"/, /"safe_size_usd":122\.5/, /cents per share is above/],
    knows: [/CAUTION: send (?:at most `numbers\.)?safe_size_usd/],
  },
  {
    answer: 'VETO',
    tool: 'preflight_trade',
    args: order('veto'),
    shows: [/"verdict":"VETO"/, /"reasons":\["/],
    knows: [/VETO: do not send/],
  },
  {
    answer: 'candidates',
    tool: 'preflight_trade',
    args: order('candidates'),
    shows: [/"candidates":\["Blue","Green"\]/, /send one of the candidates as outcome/],
    knows: [],
  },
  {
    answer: 'COPY',
    tool: 'preflight_copy',
    args: rated(1),
    shows: [/"verdict":"COPY"/, /"next_refresh_at"/],
    knows: [/COPY: may be copied/, /before next_refresh_at/],
  },
  {
    answer: 'WATCH',
    tool: 'preflight_copy',
    args: rated(2),
    shows: [/"verdict":"WATCH"/],
    knows: [/WATCH: unproven, do not copy/],
  },
  {
    answer: 'QUEUED',
    tool: 'preflight_copy',
    args: rated(4),
    shows: [/"verdict":"QUEUED"/, /"retry_after_seconds":\d/],
    knows: [/QUEUED: .*repeat after retry_after_seconds/],
  },
  {
    answer: 'NO_COVERAGE',
    tool: 'preflight_copy',
    args: rated(5),
    shows: [/"verdict":"NO_COVERAGE"/],
    knows: [/NO_COVERAGE: too few trades/],
  },
  {
    answer: 'a 402',
    tool: 'preflight_trade',
    args: { slug: 'a-market' },
    shows: [/This call costs 0\.02 USDC/, /_meta\[\\?"x402\/payment\\?"\]/, /sandbox: true/, /"payTo":"0x/],
    knows: [/at most 0\.10 USD per call/, /only to the payTo that \/llms\.txt/],
  },
];

/** Figures as texts write them, and what each may be. */
const FACTS: readonly (readonly [what: string, written: RegExp, allowed: readonly string[]])[] = [
  [
    'prices in USDC',
    /(\d+(?:\.\d+)?) USDC\b/g,
    [...TOOLS.map((tool) => toPriceText(PRICES[tool].amountMicros)), '5.00', '5'],
  ],
  ['credits', /\b(\d+) credits?\b/g, [...TOOLS.map((tool) => String(PRICES[tool].credits)), '500']],
  ['the refresh of ratings', /\b(\d\d:\d\d) UTC/g, ['04:30']],
  ['the floor of coverage', /(?:fewer than|preflight_copy:) (\d+) first entries/g, ['10']],
  ['the age of a stale book', /older than (\d+) s\b/g, ['60']],
  ['the limit per call', /([\d.]+) USD per call/g, ['0.10']],
  ['the expiry of credits', /valid (?:for )?(\d+) days/g, ['365']],
];

/** What a program or a model reads of a service, by its name. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ...FILES.map(({ path, body }) => [path, body] as const),
  ...Object.entries(TOOL_TEXTS).map(([tool, { description }]) => [`tool ${tool}`, description] as const),
  ['the instructions of the MCP server', SERVER_INSTRUCTIONS],
  ['the skill', readFileSync(join(ROOT, 'skills/preflight/SKILL.md'), 'utf8')],
]);

describe('an agent that has the list of tools and an answer', () => {
  let door: McpDoor;
  let run: (() => never) | undefined;
  before(async () => {
    door = await openMcpDoor({ credits: 100, run: () => run?.() });
  });
  after(() => door.stop());

  for (const { answer, tool, args, shows, knows } of REHEARSALS) {
    it(`finds what to do on ${answer}`, async () => {
      const { content } = await callTool(door.url, { name: tool, arguments: args });
      const text = content.map((part) => (part as { readonly text?: string }).text ?? '').join('\n');
      for (const pattern of shows) expect(text).to.match(pattern);
      const before = `${SERVER_INSTRUCTIONS} ${TOOL_TEXTS[tool].description}`;
      for (const pattern of knows) expect(before).to.match(pattern);
      expect(text).to.not.match(/sandbox=1/);
    });
  }

  for (const code of ['venue_unavailable', 'settlement_pending', 'store_unavailable', 'overloaded'] as const) {
    it(`finds what to do on the 500 ${code}, and when`, async () => {
      run = () => {
        throw new Problem(code, ERROR_TEXTS[code], { retryAfterS: 2 });
      };
      const headers = { authorization: `Bearer ${door.token}` };
      const received = await callTool(door.url, { name: 'preflight_trade', arguments: { slug: 'a-market' } }, headers);
      run = undefined;
      const text = JSON.stringify(received);
      expect(received.isError).to.equal(true);
      expect(text)
        .to.include(code)
        .and.match(/try again|repeat/);
      // Its debit may have been made: what has no `retry` is free by the text of the tool.
      if (code === 'store_unavailable') expect(text).to.include('"retry":"same_payment"');
      expect(text, text).to.match(/retry_after_seconds\W+2|Retry-After/);
    });
  }

  it('finds a next step in the text of every error', () => {
    const without = Object.entries(ERROR_TEXTS).filter(([, text]) => !NEXT_STEP.test(text));
    expect(without).to.deep.equal([]);
  });

  for (const [what, written, allowed] of FACTS) {
    it(`reads the same of ${what} in every text`, () => {
      const found = [...TEXTS].flatMap(([name, text]) =>
        [...text.matchAll(written)].map(([shown, figure]) => ({ name, shown, figure: figure! })),
      );
      expect(found).to.not.deep.equal([]);
      expect(found.filter(({ figure }) => !allowed.includes(figure))).to.deep.equal([]);
    });
  }
});
