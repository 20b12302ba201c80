import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { needAnvil } from '#test/local/support/chain-harness';
import { type FailingUpstreams, startFailingUpstreams } from '#test/payments/support/failing-upstreams';
import { TRADE } from '#test/payments/support/till';
import { type FailingLine, LINE_FAULTS, type LineFault } from '#test/support/failing-line';
import { PAID_CALLS, type PaidCall } from '#test/support/paid-calls';
import { ROOT } from '#test/support/source-tree';

const PAGE = join(ROOT, 'docs/reliability.md');
/** The table goes on from here to the next empty line. */
const HEAD = `| What fails | ${LINE_FAULTS.join(' | ')} |`;
/** A paid call ends by then, whatever one upstream does. */
const CALL_MS_MAX = 3_000;
/** From the second call of an outage on, where another one can be asked. */
const LATER_CALL_MS_MAX = 1_000;
/** After which an answer of the catalogue does not count any more. */
const LAPSED_MS = 31_000;
/** After which what is mended is used again. */
const AGAIN_MS = 2_500;
const CALLS = 2;

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
}

/** What the catalogue says now and is not understood is never answered with what it said before. */
const mayFail = (row: Row, fault: LineFault) => row.isAlone || (row.call === knownToken && fault === 'wrong JSON');

/** Ordinary markets: each is looked up once. */
const marketsOf = ({ service }: FailingUpstreams) =>
  service.venue.markets.filter(
    ({ hasBook, outcomes, groupItemTitle }) => hasBook && outcomes[0]!.label === 'Yes' && groupItemTitle !== 'Other',
  );
let looked = 0;
const coldSlug = (world: FailingUpstreams) => tradeOf(`slug=${marketsOf(world).at(-++looked)!.slug}`);
/** While the catalogue fails there is no telling whether it is one. */
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
  },
  { name: 'both facilitators', lines: (w) => w.facilitators, isAlone: true, call: () => LEADERBOARD },
  { name: 'Base RPC, first of two', lines: (w) => w.rpcs.slice(0, 1), isAlone: false, call: () => LEADERBOARD },
  { name: 'both Base RPCs', lines: (w) => w.rpcs, isAlone: true, call: () => LEADERBOARD },
  { name: 'Gamma, for a token that was looked up', lines: (w) => [w.gamma], isAlone: false, call: knownToken },
  { name: 'Gamma, for a slug that was not', lines: (w) => [w.gamma], isAlone: true, call: noSlug },
  { name: 'CLOB by REST, for a slug that was not', lines: (w) => [w.clob], isAlone: true, call: coldSlug },
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
  async function buy(call: PaidCall): Promise<{ readonly status: number; readonly text: string; readonly ms: number }> {
    const { till } = world;
    const { v2, payload } = await till.pay(call);
    const startedMs = performance.now();
    const { status, text } = await till.send(call, v2);
    const ms = performance.now() - startedMs;
    const sent = await till.service.chain.balanceOf(payload.authorization.from as `0x${string}`);
    expect(sent, `${status} ${text}`).to.equal(status === 200 ? 0n : call.priceMicros);
    return { status, text, ms };
  }

  for (const row of ROWS) {
    for (const fault of LINE_FAULTS) {
      it(`${row.name}: ${fault}`, async () => {
        world.fail(fault, row.lines(world));
        const said: string[] = [];
        for (let n = 0; n < CALLS; n++) {
          const { status, text, ms } = await buy(row.call(world, fault, n));
          said.push(`${status} in ${(ms / 1e3).toFixed(2)} s`);
          expect(mayFail(row, fault) ? [200, 500] : [200], text).to.include(status);
          expect(ms).to.be.at.most(n > 0 && !row.isAlone ? LATER_CALL_MS_MAX : CALL_MS_MAX);
        }
        cells.get(row)!.push(said.join(', '));
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
    expect(from, 'the table of docs/reliability.md').to.be.at.least(0);
    writeFileSync(PAGE, page.slice(0, from) + table + page.slice(to));
  }
});
