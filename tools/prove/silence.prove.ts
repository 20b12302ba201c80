import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { STATUS_OF } from '#api/errors';
import { SILENCE_MS_MAX } from '#services/payments/payment-run';
import { needAnvil } from '#test/local/support/chain-harness';
import { type FailingUpstreams, startFailingUpstreams } from '#test/payments/support/failing-upstreams';
import { TRADE } from '#test/payments/support/till';
import { callTool } from '#test/server/mcp/support/messages';
import { type FailingLine, LINE_FAULTS, type LineFault } from '#test/support/failing-line';
import { PAID_CALLS, type PaidCall } from '#test/support/paid-calls';
import { decodeHeader } from '#test/support/payment-headers';
import { ROOT } from '#test/support/source-tree';

const PAGE = join(ROOT, 'tools/prove/measured.md');
/** The table goes on from here to the next empty line. */
const HEAD = `| What fails | ${LINE_FAULTS.join(' | ')} |`;
/** A paid call ends by then, whatever one upstream does. */
const CALL_MS_MAX = 3_000;
/** A payment that was sent may have moved money: its outcome is waited for longer. */
const SENT_CALL_MS_MAX = SILENCE_MS_MAX + 1_500;
/** From the second call of an outage on, where another one can be asked. */
const LATER_CALL_MS_MAX = 1_000;
/** After which an answer of the catalog does not count any more. */
const LAPSED_MS = 31_000;
/** After which what is mended is used again. */
const AGAIN_MS = 2_500;
/** Of each fault, one after the other. */
const DOORS = ['REST', 'REST', 'MCP'] as const;
type Door = (typeof DOORS)[number];

const LEADERBOARD = PAID_CALLS.find(({ name }) => name === 'leaderboard')!;
const tradeOf = (query: string): PaidCall => ({
  ...TRADE,
  call: ({ url }) => ({ url: `${url}${TRADE.path}?${query}&usd=20` }),
});

/** One upstream, or all of its kind, and what is bought meanwhile. */
interface Row {
  readonly name: string;
  readonly lines: (world: FailingUpstreams) => readonly FailingLine[];
  /** Nobody is left to be asked: what is not known is an uncharged 500. */
  readonly isAlone: boolean;
  /** The n-th call of a fault. */
  readonly call: (world: FailingUpstreams, fault: LineFault, n: number) => PaidCall;
  /** What it is by MCP, with the query as its arguments. */
  readonly tool: 'leaderboard' | 'preflight_trade';
}

/** What the catalog says now and is not understood is never answered with what it said before. */
const mayFail = (row: Row, fault: LineFault) => row.isAlone || (row.call === knownToken && fault === 'wrong JSON');

/** Of what flaps an answer may come through: here that there is no such market. */
const statusesOf = (row: Row, fault: LineFault) => [
  200,
  ...(mayFail(row, fault) ? [500] : []),
  ...(row.call === noSlug && fault === 'flapping' ? [400] : []),
];

/** Ordinary markets: each is looked up once. */
const marketsOf = ({ service }: FailingUpstreams) =>
  service.venue.markets.filter(
    ({ hasBook, outcomes, groupItemTitle }) => hasBook && outcomes[0]!.label === 'Yes' && groupItemTitle !== 'Other',
  );
/** Two for each fault: there are no more of them. */
const coldSlug = (world: FailingUpstreams, fault: LineFault, n: number) =>
  tradeOf(`slug=${marketsOf(world).at(-1 - 2 * LINE_FAULTS.indexOf(fault) - Math.min(n, 1))!.slug}`);
/** While the catalog fails there is no telling whether it is one. */
const noSlug = (_: FailingUpstreams, fault: LineFault, n: number) =>
  tradeOf(`slug=asked-by-nobody-${fault.replaceAll(' ', '-')}-${n}`);
/** For each fault one that was looked up before all of them. */
const knownToken = (world: FailingUpstreams, fault: LineFault) =>
  tradeOf(`token_id=${marketsOf(world)[LINE_FAULTS.indexOf(fault)]!.outcomes[0]!.tokenId}`);

const ROWS: readonly Row[] = [
  {
    name: 'facilitator, first of two',
    lines: (w) => w.facilitators.slice(0, 1),
    isAlone: false,
    call: () => LEADERBOARD,
    tool: 'leaderboard',
  },
  {
    name: 'both facilitators',
    lines: (w) => w.facilitators,
    isAlone: true,
    call: () => LEADERBOARD,
    tool: 'leaderboard',
  },
  {
    name: 'Base RPC, first of two',
    lines: (w) => w.rpcs.slice(0, 1),
    isAlone: false,
    call: () => LEADERBOARD,
    tool: 'leaderboard',
  },
  { name: 'both Base RPCs', lines: (w) => w.rpcs, isAlone: true, call: () => LEADERBOARD, tool: 'leaderboard' },
  {
    name: 'Gamma, for a token that was looked up',
    lines: (w) => [w.gamma],
    isAlone: false,
    call: knownToken,
    tool: 'preflight_trade',
  },
  {
    name: 'Gamma, for a slug that was not',
    lines: (w) => [w.gamma],
    isAlone: true,
    call: noSlug,
    tool: 'preflight_trade',
  },
  {
    name: 'CLOB by REST, for a slug that was not',
    lines: (w) => [w.clob],
    isAlone: true,
    call: coldSlug,
    tool: 'preflight_trade',
  },
];

describe('paid calls while an upstream fails', () => {
  let world: FailingUpstreams;
  const cells = new Map<Row, string[]>(ROWS.map((row) => [row, []]));

  before(async function () {
    needAnvil(this);
    world = await startFailingUpstreams();
    for (const fault of LINE_FAULTS) expect((await buy(knownToken(world, fault))).text).to.contain('"verdict"');
    await sleep(LAPSED_MS);
  });
  after(async () => {
    await world?.stop();
    if ([...cells.values()].every((row) => row.length === LINE_FAULTS.length)) writeTable();
  });
  afterEach(async () => {
    if (world === undefined) return;
    world.mend();
    await sleep(AGAIN_MS);
    await buy(LEADERBOARD);
  });

  /** Pays and tells how it ended, how long that took, and that it was charged for a 200 alone. */
  async function buy(
    call: PaidCall,
    door: Door = 'REST',
    tool = 'preflight_trade',
  ): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> {
    const { till } = world;
    const { v2, payload } = await till.pay(call);
    const startedMs = performance.now();
    const { status, text } = await (door === 'MCP' ? byMcp(call, tool, v2) : till.send(call, v2));
    const ms = performance.now() - startedMs;
    const sent = await till.service.chain.balanceOf(payload.authorization.from as `0x${string}`);
    expect(sent, `${status} ${text}`).to.equal(status === 200 ? 0n : call.priceMicros);
    return { status, text, ms };
  }

  /** Returns the status that the same answer has by REST. */
  async function byMcp(
    call: PaidCall,
    name: string,
    v2: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const query = Object.fromEntries(new URL(call.call(world.service).url).searchParams);
    const { isError, content } = await callTool(world.service.url, {
      name,
      arguments: { ...query, ...(query.usd !== undefined && { usd: Number(query.usd) }) },
      _meta: { 'x402/payment': decodeHeader(v2) },
    });
    const { text } = content[0]!;
    return { status: isError === true ? statusOf(JSON.parse(text)) : 200, text };
  }

  const statusOf = ({ code }: { readonly code?: keyof typeof STATUS_OF }) => (code === undefined ? 0 : STATUS_OF[code]);

  for (const row of ROWS) {
    for (const fault of LINE_FAULTS) {
      it(`${row.name}: ${fault}`, async () => {
        world.fail(fault, row.lines(world));
        const calls: { readonly status: number; readonly ms: number }[] = [];
        for (const [n, door] of DOORS.entries()) {
          const { status, text, ms } = await buy(row.call(world, fault, n), door, row.tool);
          calls.push({ status, ms });
          expect(statusesOf(row, fault), text).to.include(status);
          const isLater = n > 0 && !row.isAlone && fault !== 'flapping';
          const isSent = text.includes('"settlement_pending"');
          expect(ms).to.be.at.most(isSent ? SENT_CALL_MS_MAX : isLater ? LATER_CALL_MS_MAX : CALL_MS_MAX);
        }
        cells.get(row)!.push(shown(calls));
      });
    }
  }

  function writeTable(): void {
    const rows = [...cells].map(([{ name }, said]) => `| ${name} | ${said.join(' | ')} |`);
    const table = [HEAD, `|${' --- |'.repeat(LINE_FAULTS.length + 1)}`, ...rows].join('\n');
    console.log(table);
    const page = readFileSync(PAGE, 'utf8');
    const from = page.indexOf(HEAD);
    const to = page.indexOf('\n\n', from);
    expect(from, 'the table of tools/prove/measured.md').to.be.at.least(0);
    writeFileSync(PAGE, page.slice(0, from) + table + page.slice(to));
  }
});

/** The seconds of each call, behind its status; a status that all share stands once. */
function shown(calls: readonly { readonly status: number; readonly ms: number }[]): string {
  const seconds = ({ ms }: { readonly ms: number }) => (ms / 1e3).toFixed(2);
  const [first] = calls;
  return calls.every(({ status }) => status === first?.status)
    ? `${first?.status}: ${calls.map(seconds).join(', ')}`
    : calls.map((call) => `${call.status}: ${seconds(call)}`).join(', ');
}
