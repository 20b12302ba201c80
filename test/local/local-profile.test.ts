import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { OrderVerdictSchema } from '#api/order-verdict';
import { PaymentRequiredBodySchema, PaymentTermsSchema } from '#api/payment-required';
import { StatusReportSchema } from '#api/status';
import { LeaderboardSchema, RedListSchema } from '#api/wallets/wallet-lists';
import { capture } from '#test/support/captures';
import { until } from '#test/support/live-verdicts';
import { type LocalProcess, redeemLocal, startLocalProcess } from '#test/support/local-process';
import { rejectionOf } from '#test/support/promises';
import { skipLoudly } from '#test/support/skipped';
import { PROCESS_START_MS, PROCESS_TEST_MS } from '#test/support/time-limits';

const run = promisify(execFile);
const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

describe('npm start', function () {
  this.timeout(PROCESS_TEST_MS);
  let local: LocalProcess;
  let token: string;

  before(async () => {
    local = await startLocalProcess({ env: { WALLET_JOBS: 'on' } });
    token = await redeemLocal(local.facts, wallet(1));
  });
  after(() => local.end('SIGKILL'));

  const get = async (path: string, bearer = token) => {
    const answer = await fetch(local.facts.url + path, { headers: { authorization: `Bearer ${bearer}` } });
    return { status: answer.status, body: (await answer.json()) as Record<string, never> };
  };
  const boardInForce = async () => (await get('/api/leaderboard')).status === 200;
  const verdict = async (query: string) => {
    const { status, body } = await get(`/api/preflight_trade?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return OrderVerdictSchema.parse(body);
  };

  it('prints three commands that end in a live verdict when they are pasted into a shell', async function () {
    const commands = local.output().match(/^ {2}(TOKEN=|curl ).*$/gm) ?? [];
    expect(commands).to.have.length(6);
    await run('curl', ['--version']).catch(() => skipLoudly(this, 'curl is not installed'));
    const { stdout } = await run('bash', ['-c', commands.slice(0, 3).join('\n')]);
    expect(stdout)
      .to.match(/"balance":500/)
      .and.match(/verdict: '(OK|CAUTION|VETO)'/)
      .and.match(/credits_remaining: 499/);
  });

  it('says what it is doing while it starts, and how it stands in its list of markets', () => {
    const output = local.output();
    const received = ['starting the simulated venue', 'starting the local chain', 'starting the service'];
    const positions = received.map((what) => output.indexOf(`preflight: ${what}`));
    expect(positions)
      .to.deep.equal(positions.toSorted((a, b) => a - b))
      .and.not.include(-1);
    const [, list = ''] = /Markets to ask about .*:\n\n([\s\S]*?)\n\n/.exec(output) ?? [];
    const columns = list.split('\n').map((line) => /^ {2}\S+ +(?=\S)/.exec(line)?.[0].length);
    expect(columns).to.have.length.above(10);
    expect(new Set(columns).size, 'one column of slugs').to.equal(1);
  });

  it('starts no second time in one folder, and says where the first is', async () => {
    const { message: second } = await rejectionOf(startLocalProcess({ dataDir: local.dataDir }));
    expect(second).to.include('ended with 1');
    expect(second).to.include(`it is up already, at ${local.facts.url}, with the data in ${local.dataDir}`);
    expect(second).to.not.include('    at ');
  });

  it('says before anything else that nothing of it is real, and so do its payment terms', async () => {
    const said = /LOCAL SIMULATION: everything is simulated; no real money, no real markets\./;
    expect(local.output()).to.match(said);
    for (const path of ['/api/preflight_trade', '/api/leaderboard', '/api/credits']) {
      const method = path === '/api/credits' ? 'POST' : 'GET';
      const answer = await fetch(`${local.facts.url + path}?x402_probe=1`, { method });
      const v1 = PaymentRequiredBodySchema.parse(await answer.json());
      expect(v1.accepts[0]!.description).to.match(said);
      expect(v1.accepts[0]!).to.include({ network: 'base', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' });
      const header = Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString();
      expect(PaymentTermsSchema.parse(JSON.parse(header)).resource.description).to.equal(v1.accepts[0]!.description);
    }
  });

  it('names an event with several markets beside the markets, and how one of them is asked about', async () => {
    const [, slug, outcome] = local.output().match(/^ {2}(\S+) +an event with several markets: .*&outcome=(\S+)$/m)!;
    const query = `slug=${slug}&outcome=${outcome}`;
    expect((await verdict(query)).market.outcome).to.equal('Yes');
    expect((await get(`/api/preflight_trade?slug=${slug}`)).body.candidates).to.include(decodeURIComponent(outcome!));
  });

  it('judges a market slug, an event slug with outcome, a full URL and a token id, BUY and SELL', async () => {
    const event = 'arcadia-presidential-election-winner';
    const url = `https://polymarket.com/event/${event}/will-clara-voss-win-the-arcadia-presidential-election?tid=1`;
    const queries = [
      `slug=${local.facts.exampleSlug}`,
      `slug=${event}&outcome=clara`,
      `slug=${encodeURIComponent(url)}`,
      `token_id=${local.facts.exampleTokenId}`,
    ];
    for (const query of queries) {
      for (const side of ['BUY', 'SELL']) {
        const answer = await verdict(`${query}&side=${side}&usd=20`);
        expect(answer.order).to.deep.equal({ side, usd: 20 });
        expect(answer.numbers.book_age_seconds).to.be.below(6);
      }
    }
  });

  it('moves: the same question gets different books', async () => {
    const depths = new Set<number>();
    for (let n = 0; n < 40 && depths.size < 2; n++) {
      depths.add((await verdict(`slug=${local.facts.exampleSlug}`)).numbers.visible_depth_usd);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(depths.size).to.be.above(1);
  });

  it('shows every kind of market with its verdict', async () => {
    const rows: [string, string, RegExp][] = [
      ['did-arcadia-hold-a-referendum-in-2025', 'VETO', /closed/],
      ['will-the-harbor-tunnel-open-by-june-30', 'VETO', /under resolution/],
      ['will-orbital-dynamics-announce-a-moon-lander-in-2026', 'VETO', /no asks/],
      ['will-the-long-tide-win-best-picture', 'VETO', /hold .* USD, less than/],
      ['will-the-arcadia-central-bank-hold-rates-in-july', 'CAUTION', /extreme/],
      ['did-the-lantern-fair-draw-a-million-visitors', 'VETO', /under resolution/],
    ];
    for (const [slug, expected, reason] of rows) {
      const answer = await verdict(`slug=${slug}&usd=2000&max_slippage_c=50&veto_slippage_c=50`);
      expect([slug, answer.verdict]).to.deep.equal([slug, expected]);
      expect(answer.reasons.join('; ')).to.match(reason);
    }
    expect((await verdict('slug=will-the-northgate-ceasefire-hold-through-2026')).numbers.taker_fee_usd).to.equal(0);
    const second = await verdict('slug=will-the-glasshouse-open-before-2027&usd=20');
    expect(second.reasons.join('; ')).to.not.match(/resolution|closed/);
    const game = 'slug=mlb-hbr-rvt-2026-07-18&outcome=Herons';
    expect((await verdict(game)).meta?.thresholds.note).to.match(/3 s before it matches/);
  });

  it('answers several markets with the candidates, and charges nothing for it', async () => {
    const before = (await get('/api/credits')).body.balance;
    const { status, body } = await get('/api/preflight_trade?slug=arcadia-presidential-election-winner');
    expect(status).to.equal(400);
    expect(body.candidates).to.include.members(['Ada Marlowe', 'Clara Voss']);
    const foreign = await get(`/api/preflight_trade?slug=${encodeURIComponent('https://example.com/event/a')}`);
    expect(foreign.status).to.equal(400);
    expect((await get('/api/preflight_trade?slug=no-such-market')).status).to.equal(400);
    expect((await get('/api/credits')).body.balance).to.equal(before);
  });

  it('shows a rated wallet, one whose profile is made when it is asked for, one that never traded, and both lists', async () => {
    await until('a board is in force', boardInForce, PROCESS_START_MS);
    const { skilled, loser, unseen, neverTraded } = local.facts.exampleWallets;
    const copy = (address: string) => get(`/api/preflight_copy?wallet=${address}`);
    const balance = async () => Number((await get('/api/credits')).body.balance);
    const before = await balance();
    expect((await copy(skilled)).body).to.include({ verdict: 'COPY', wallet: skilled });
    expect((await copy(loser)).body).to.include({ verdict: 'VETO', wallet: loser });
    expect((await copy(neverTraded)).body).to.include({ verdict: 'NO_COVERAGE' });
    expect(await balance()).to.equal(before - 10);
    expect(await copy(unseen)).to.deep.include({ status: 202 });
    expect(await balance()).to.equal(before - 10);
    await until('its profile is made', async () => (await copy(unseen)).status === 200);
    expect(await balance()).to.equal(before - 15);
    const [top, bottom] = [await get('/api/leaderboard'), await get('/api/red_list')];
    expect(LeaderboardSchema.parse(top.body).wallets.map((rated) => rated.wallet)).to.include(skilled);
    expect(RedListSchema.parse(bottom.body).wallets.map((rated) => rated.wallet)).to.include(loser);
  });

  it('tells how it is doing', async () => {
    await until('a board is in force', boardInForce, PROCESS_START_MS);
    const { status, body } = await get('/status.json');
    expect(status).to.equal(200);
    const report = StatusReportSchema.parse(body);
    expect(report.degraded_by).to.deep.equal([]);
    expect(report.books.held).to.be.above(0);
    expect((await get('/healthz')).status).to.equal(200);
  });

  it('keeps the keys and local.json to their owner', () => {
    for (const name of ['local.json', 'local-keys.json']) {
      expect((statSync(join(local.dataDir, name)).mode & 0o777).toString(8), name).to.equal('600');
    }
  });

  it('says in one sentence that its port is taken', async () => {
    const failed = await startLocalProcess({ port: local.port }).catch((error: Error) => error.message);
    expect(failed)
      .to.match(/EADDRINUSE.*stop it or set PORT/s)
      .and.not.match(/ at .*\.ts/);
    expect(failed, 'before it starts anything').to.not.include('starting the local chain');
  });

  it('serves a recording beside its own markets', async function () {
    this.timeout(PROCESS_TEST_MS);
    const file = capture(this, 'ws-market', 'session_1785130179.2026-07-27.jsonl');
    const recorded = await startLocalProcess({ args: ['--recording', file] });
    try {
      const bearer = await redeemLocal(recorded.facts, wallet(2));
      const { url, exampleSlug, exampleOutcome } = recorded.facts;
      const query = `slug=${exampleSlug}&outcome=${encodeURIComponent(exampleOutcome)}`;
      const answer = await fetch(`${url}/api/preflight_trade?${query}`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      const body = OrderVerdictSchema.parse(await answer.json());
      expect(body.market.slug).to.match(/^session-/);
    } finally {
      await recorded.end('SIGKILL');
    }
  });

  it('refuses a recording that is not there, in one sentence', async () => {
    const failed = await rejectionOf(startLocalProcess({ args: ['--recording', '/nowhere.csv'] }));
    expect(failed.message).to.match(/ENOENT.*nowhere\.csv/s);
  });
});

describe('a kill -9 of the whole service', function () {
  this.timeout(PROCESS_TEST_MS);
  const CALLS = 200;
  const UNKNOWN_YET = 'will-the-northgate-ceasefire-hold-through-2026';
  let local: LocalProcess | null = null;

  before(async () => {
    local = await startLocalProcess();
  });
  after(() => local?.end('SIGKILL'));

  it('loses no credit and spends none twice in the middle of 200 concurrent debits', async () => {
    const { facts, dataDir, port } = local!;
    const token = await redeemLocal(facts, wallet(3));
    const authorization = `Bearer ${token}`;
    const ask = async (n: number) => {
      const answer = await fetch(`${facts.url}/api/preflight_trade?slug=${facts.exampleSlug}&usd=${n + 1}`, {
        headers: { authorization, 'idempotency-key': `order-${n}` },
      });
      return { status: answer.status, text: await answer.text() };
    };
    const balance = async () => {
      const answer = await fetch(`${facts.url}/api/credits`, { headers: { authorization } });
      return ((await answer.json()) as { balance: number }).balance;
    };
    await ask(0);
    const answered = new Map<number, string>();
    const calls = Promise.allSettled(
      Array.from({ length: CALLS }, async (_, n) => {
        const { status, text } = await ask(n);
        expect(status).to.equal(200);
        answered.set(n, text);
      }),
    );
    while (answered.size < CALLS / 4) await new Promise((resolve) => setImmediate(resolve));
    await local!.end('SIGKILL');
    await calls;
    const acknowledged = new Map(answered);
    expect(acknowledged.size).to.be.within(CALLS / 4, CALLS);

    local = await startLocalProcess({ dataDir, port });
    const debited = 500 - (await balance());
    expect(debited, 'every acknowledged debit is there, and no more than were asked for').to.be.within(
      acknowledged.size,
      CALLS,
    );
    for (let n = 0; n < CALLS; n++) {
      const { status, text } = await ask(n);
      expect(status).to.equal(200);
      if (acknowledged.has(n)) expect(text, 'the same bytes again').to.equal(acknowledged.get(n));
    }
    expect(await balance(), 'each call was paid once').to.equal(500 - CALLS);
  });

  it('is preceded by a graceful way: SIGTERM finishes what is asked, then ends with 0', async () => {
    const { facts, end } = local!;
    const token = await redeemLocal(facts, wallet(4));
    // The catalog answers late about a market that is not known yet, so that every call is in the
    // middle of its work when the signal comes.
    await fetch(`${facts.venue.controlUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ restSlowMs: { gamma: 1_200 } }),
    });
    const calls = Array.from({ length: 50 }, () =>
      callBegun(`${facts.url}/api/preflight_trade?slug=${UNKNOWN_YET}`, `Bearer ${token}`),
    );
    await Promise.all(calls.map(({ begun }) => begun));
    local = null;
    const code = await end('SIGTERM');
    expect(code).to.equal(0);
    expect(new Set(await Promise.all(calls.map(({ status }) => status)))).to.deep.equal(new Set([200]));
  });
});

/** A call that the service has begun with before it is answered: it says so by 100 Continue. */
function callBegun(url: string, authorization: string) {
  const call = request(url, { headers: { authorization, expect: '100-continue' }, agent: false }).end();
  const begun = once(call, 'continue');
  const status = once(call, 'response').then(([answer]: IncomingMessage[]) => {
    answer!.resume();
    return answer!.statusCode;
  });
  return { begun, status };
}
