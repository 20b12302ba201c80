import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ORDER_RULES, type OrderRule } from '#client/guard/index';
import { freeze, readFreeze, unfreeze } from '#client/guard/state/freeze';
import { guardLogFolder, ordersFolder } from '#client/guard/state/guard-state';
import { SLUGS } from '#test/client/guard/support/guard-world';
import { vetoShares } from '#test/client/guard/support/veto-shares';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { runProgram } from '#test/support/run-program';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import {
  type Driven,
  type Ended,
  GUARD_FILE,
  needPython,
  PythonWorld,
  type Spec,
  type Step,
} from './support/python-world.js';

const VETO_USD = 50_000;
/** Any slippage is at or above none. */
const ALL_ARE_VETO = { max_slippage_c: 0, veto_slippage_c: 0 };

describe('the guard before py-clob-client-v2', function () {
  this.timeout(PROCESS_TEST_MS);
  let world: PythonWorld;
  let usual: string;
  let deep: string;
  before(async function () {
    needPython(this);
    world = await PythonWorld.start();
    usual = world.token(SLUGS.usual);
    deep = world.token(SLUGS.deep);
  });
  after(() => world?.stop());
  beforeEach(() => world.reset());

  /** What came of each step, with what was posted meanwhile. */
  async function play(steps: readonly Step[], spec?: Spec) {
    const [posts, refusals] = [world.door.posted.length, world.door.refusals.length];
    const driven: Driven = await world.drive([...steps, ['claimed_usd', {}]], spec);
    const results = driven.results.slice(0, -1);
    return {
      ...driven,
      results,
      claimedUsd: driven.results.at(-1)!.answer as number,
      posted: world.door.posted.slice(posts),
      refusals: world.door.refusals.slice(refusals),
    };
  }

  async function expectRefused(rule: OrderRule, step: Step, spec?: Spec): Promise<Ended> {
    const { results, posted, claimedUsd } = await play([step], spec);
    expect(results[0], JSON.stringify(results)).to.include({ error: 'OrderRefused', rule });
    expect(posted).to.deep.equal([]);
    expect(claimedUsd).to.equal(0);
    return results[0]!;
  }

  async function expectSent(step: Step, spec?: Spec) {
    const played = await play([step], spec);
    expect(played.results[0]!.answer, JSON.stringify(played.results)).to.include({ success: true });
    expect(played.posted).to.have.length(1);
    expect(played.refusals).to.deep.equal([]);
    return { ...played, order: played.posted[0]! };
  }

  const buy = (usd: number, more: object = {}, token = usual): Step => ['buy', { token, usd, ...more }];
  const sell = (shares: number, more: object = {}, token = usual): Step => ['sell', { token, shares, ...more }];

  it('is a file that Python compiles, with the rules of the other guard', async () => {
    const compiled = spawnSync('python3', ['-m', 'py_compile', GUARD_FILE], {
      env: { ...world.env(), PYTHONPYCACHEPREFIX: world.home },
    });
    expect(compiled.status, String(compiled.stderr)).to.equal(0);
    const imports = [...readFileSync(GUARD_FILE, 'utf8').matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name!);
    const known = spawnSync('python3', ['-c', 'import sys, json; print(json.dumps(sorted(sys.stdlib_module_names)))']);
    const standard: readonly string[] = JSON.parse(String(known.stdout));
    expect([...new Set(imports)].filter((name) => !standard.includes(name))).to.deep.equal(['requests']);
    const { results } = await play([['rules', {}]]);
    expect(results[0]!.answer).to.deep.equal([...ORDER_RULES]);
  });

  describe('with a verdict', () => {
    it('sends an entry that is OK in the amounts of its plan', async () => {
      for (const usd of [50, 123.45, 500]) {
        const { plan } = await world.verdict({ token_id: usual, side: 'BUY', usd, plan: 1 });
        const { order } = await expectSent(buy(usd));
        const exact = [plan!.maker_amount, plan!.taker_amount];
        const { exact_alternative: other } = plan!;
        const wanted = other === undefined ? [exact] : [exact, [other.maker_amount, other.taker_amount]];
        expect(wanted).to.deep.include([String(order.makerAmount), String(order.takerAmount)]);
      }
      expect(world.log('decided').map(({ action }) => action)).to.deep.equal(['planned', 'planned', 'planned']);
      expect(world.log('ended').map(({ outcome }) => outcome)).to.deep.equal(['accepted', 'accepted', 'accepted']);
    });

    it('never sends more than was written, nor at a worse price, and leaves what it was given as it was', async () => {
      const { numbers } = await world.verdict({ token_id: usual, side: 'BUY', usd: 50 });
      const { order, changed } = await expectSent(buy(50, { price: numbers.best_price }));
      expect(Number(order.makerAmount)).to.be.at.most(50e6);
      expect(Number(order.makerAmount) / Number(order.takerAmount)).to.be.at.most(numbers.best_price + 1e-9);
      expect(changed).to.deep.equal([]);
      world.reset();
      await expectRefused('beyond_price', buy(500, { price: numbers.best_price - 0.02 }));
    });

    it('reads no key, keeps the form of the client, and hands on all else', async () => {
      const { secrets_read_by, is_client, results } = await play([buy(20), ['set_host', { host: 'elsewhere' }]]);
      expect(secrets_read_by).to.deep.equal(['stand_in_client.py']);
      expect(is_client).to.equal(true);
      expect(results[1]!.answer).to.equal('elsewhere');
    });

    it('sends an exit of as many shares as were written, in amounts that the venue takes', async () => {
      const { order, claimedUsd } = await expectSent(sell(77.77, {}, deep));
      expect(order.side).to.equal('SELL');
      expect(Number(order.makerAmount) / 1e6).to.be.within(77, 77.77);
      expect(claimedUsd).to.equal(0);
    });

    it('sends an exit that no plan is for in amounts that the venue accepts, at the price of its owner', async () => {
      const { numbers } = await world.verdict({ token_id: deep, side: 'SELL', usd: 50 });
      // What floats take from a price and add to it, and a size that the levels from there on do not hold.
      for (const off of [-1e-15, 1e-15]) {
        const price = numbers.best_price + off;
        const { posted, refusals } = await play([sell(20_000.005, { price }, deep)]);
        const { makerAmount, takerAmount } = posted[0]!;
        expect(Number(makerAmount) / 1e6).to.be.within(19_999, 20_000.005);
        expect(Number(takerAmount) / Number(makerAmount)).to.be.closeTo(numbers.best_price, 1e-9);
        expect(world.log('decided').at(-1)).to.include({ rule: 'beyond_price', action: 'as_written' });
        expect(refusals).to.have.length(1);
        expect(refusals[0]).to.match(/FOK orders are fully filled or killed/);
      }
    });

    it('refuses an entry that is VETO, with its reasons', async () => {
      const refused = await expectRefused('veto', buy(VETO_USD));
      expect(refused.verdict).to.equal('VETO');
      expect(refused.reason_codes).to.not.be.empty;
      expect(world.log('decided').map(({ action, rule }) => [action, rule])).to.deep.equal([['refused', 'veto']]);
    });

    it('sends an exit that is VETO, and says so', async () => {
      const { warnings } = await expectSent(sell(20), { guard: { limits: ALL_ARE_VETO } });
      expect(warnings.join('\n')).to.match(/exit is sent against veto/);
      expect(world.log('decided')[0]).to.include({ is_exit: true, rule: 'veto' });
    });

    it('judges a sale by what all its shares bring, whatever price its owner takes', async () => {
      const shares = await vetoShares(world, usual);
      const { warnings } = await expectSent(sell(shares, { price: 0.01 }));
      expect(warnings.join('\n')).to.match(/exit is sent against veto/);
    });

    it('takes for an exit what its owner says is one', async () => {
      const guard = { is_exit: 'buys', limits: ALL_ARE_VETO };
      await expectSent(buy(20), { guard });
      await expectRefused('veto', sell(20), { guard });
    });

    for (const is_exit of ['later', 'text', 'raises']) {
      it(`takes a BUY for an entry and a SELL for an exit where its owner does not say yes or no (${is_exit})`, async () => {
        freeze(ordersFolder(world.home), { atMs: Date.now(), reason: '' });
        await expectRefused('frozen', buy(20), { guard: { is_exit } });
        await expectSent(sell(20), { guard: { is_exit } });
      });
    }

    describe('that is CAUTION', () => {
      /** Above the size that is OK, and within what the book holds. */
      const limits = { max_slippage_c: 0.5, veto_slippage_c: 90 };
      let usd: number;
      let safe: number;
      beforeEach(async () => {
        const { numbers } = await world.verdict({ token_id: usual, side: 'BUY', usd: 10, ...limits });
        safe = numbers.safe_size_usd;
        usd = Math.ceil(safe * 1.2);
      });

      it('sends an entry at the size that is OK', async () => {
        const { order } = await expectSent(buy(usd), { guard: { limits, per_day_usd: 100_000 } });
        expect(Number(order.makerAmount) / 1e6).to.be.within(safe * 0.9, safe);
        expect(world.log('decided')[0]!.action).to.equal('resized');
      });

      it('refuses an entry, or asks its owner, where they chose so', async () => {
        const guard = { limits, per_day_usd: 100_000 };
        for (const caution of ['refuse', 'no', 'raises']) {
          await expectRefused('caution', buy(usd), { guard: { ...guard, caution } });
        }
        const { order } = await expectSent(buy(usd), { guard: { ...guard, caution: 'yes' } });
        expect(Number(order.makerAmount) / 1e6).to.be.within(usd * 0.97, usd);
      });
    });

    it('refuses what the balance that its owner named does not cover', async () => {
      await expectRefused('over_balance', buy(50, { balance: 40 }));
      await expectSent(buy(20, { balance: 40 }));
    });

    it('refuses an entry that its owner wrote for the exchange of other markets', async () => {
      await expectRefused('exchange_mismatch', buy(20, { neg_risk: true }));
    });

    it('signs at the price step of the book where the client has kept another, and changes nothing of it', async () => {
      const { results, posted } = await play([
        ['keep_tick', { token: usual, tick: '0.1' }],
        buy(20),
        ['kept_tick', { token: usual }],
      ]);
      expect(posted, JSON.stringify(results)).to.have.length(1);
      expect(results[2]!.answer).to.equal('0.1');
    });
  });

  describe('without a verdict', () => {
    let service: LoopbackServer;
    before(async () => {
      service = await startLoopbackServer();
    });
    after(() => service?.close());

    const asked = async (change: (body: Record<string, unknown>) => unknown) => {
      service.answer(async ({ body }, response) => {
        const verdict = await world.verdict(JSON.parse(body));
        sendJson(response, change({ ...verdict }));
      });
    };
    const CASES: Readonly<Record<string, { readonly rule: OrderRule; readonly set: () => Promise<void> }>> = {
      'that never comes': { rule: 'unavailable', set: async () => service.answer(() => {}) },
      'that drips': {
        rule: 'unavailable',
        set: async () =>
          service.answer((_, response) => {
            response.writeHead(200, { 'content-type': 'application/json' });
            const drip = setInterval(() => response.write(' '), 50);
            response.once('close', () => clearInterval(drip));
          }),
      },
      'that is an error': {
        rule: 'unavailable',
        set: async () => service.answer((_, response) => sendJson(response, { ok: false, error: 'no credits' }, 402)),
      },
      'that is a redirect': {
        rule: 'unavailable',
        set: async () => service.answer((_, response) => void response.writeHead(307, { location: '/' }).end()),
      },
      'of another form': {
        rule: 'unavailable',
        set: async () => service.answer((_, response) => sendJson(response, { verdict: 'OK' })),
      },
      'that is an example': { rule: 'example', set: () => asked((body) => ({ ...body, sandbox: true })) },
      'that is over': {
        rule: 'stale',
        set: () =>
          asked((body) => ({ ...body, meta: { ...(body.meta as object), valid_until: '2020-01-01T00:00:00Z' } })),
      },
      'about another order': {
        rule: 'plan_mismatch',
        set: () => asked((body) => ({ ...body, order: { side: 'BUY', usd: 7 } })),
      },
      'without a plan': {
        rule: 'no_plan',
        set: () => asked(({ evidence: _, ...body }) => ({ ...body, plan: null, plan_reason: 'unknown_tick' })),
      },
    };
    for (const [name, { rule, set }] of Object.entries(CASES)) {
      it(`refuses an entry and sends an exit with one ${name}`, async () => {
        await set();
        const spec = { env: { PREFLIGHT_URL: service.baseUrl } };
        await expectRefused(rule, buy(20), spec);
        const { order } = await expectSent(sell(20), spec);
        expect(order.makerAmount).to.equal(20_000_000n);
        expect(world.log('decided').at(-1)).to.include({ is_exit: true, action: 'as_written', rule });
      });
    }

    it('refuses an entry where the service is away, and sends exits and cancels', async () => {
      const spec = { env: { PREFLIGHT_URL: 'http://127.0.0.1:9' } };
      await expectRefused('unavailable', buy(20), spec);
      await expectSent(sell(20), spec);
      const { results } = await play([['cancel_all', {}]], spec);
      expect(results[0]!.answer).to.have.property('canceled');
      expect(world.door.writes.at(-1)).to.match(/^DELETE/);
    });

    it('asks no service that is neither https nor on this machine, and takes no token that is none', async () => {
      for (const env of [{ PREFLIGHT_URL: 'http://preflight.example' }, { PREFLIGHT_TOKEN: 'password' }]) {
        const { exitCode, stderr } = await world.run([buy(20)], { env });
        expect(exitCode).to.equal(1);
        expect(stderr)
          .to.match(/ValueError: /)
          .and.not.include('password');
      }
    });

    it('refuses what the client signs otherwise than planned, for another token or for more', async () => {
      for (const signs of [{ takerAmount: '46000100' }, { tokenId: '1' }, { side: 'SELL' }]) {
        await expectRefused('signed_otherwise', buy(20), { client: { tricks: { signs } } });
      }
      for (const signs of [{ tokenId: '1' }, { side: 'BUY' }, { makerAmount: '99000000' }]) {
        await expectRefused('signed_otherwise', sell(20), { client: { tricks: { signs } } });
      }
    });

    it('refuses an entry that is signed in the form of an earlier exchange', async () => {
      await expectRefused('exchange_mismatch', buy(20), { client: { tricks: { drops: 'timestamp' } } });
    });
  });

  describe('with a cap and a freeze', () => {
    it('claims before it posts, and two processes never more than the cap together', async () => {
      const posts = world.door.posted.length;
      const spec = { guard: { per_day_usd: 40 } };
      const runs = await Promise.all(
        [0, 1].map(() =>
          world.drive(
            Array.from({ length: 4 }, () => buy(10)),
            spec,
          ),
        ),
      );
      const rules = runs.flatMap(({ results }) => results.map(({ rule }) => rule ?? 'sent'));
      expect(rules.filter((rule) => rule === 'sent')).to.have.length(3);
      expect(rules.filter((rule) => rule === 'daily_cap')).to.have.length(5);
      expect(world.door.posted.length - posts).to.equal(3);
      const after = await play([buy(10), sell(10)], spec);
      expect(after.results[0]!.rule).to.equal('daily_cap');
      expect(after.results[1]!.answer).to.include({ success: true });
      expect(after.claimedUsd).to.be.within(29, 40);
    });

    it('gives out the whole cap and no more where four processes claim at once', async () => {
      const claims: Step = ['claim_many', { count: 25, micros: 1_000_000, cap: 60_000_000 }];
      const runs = await Promise.all([1, 2, 3, 4].map(() => world.drive([claims])));
      const taken = runs.map(({ results }) => results[0]!.answer as number);
      expect(
        taken.reduce((sum, one) => sum + one, 0),
        JSON.stringify(runs),
      ).to.equal(60);
      expect((await play([])).claimedUsd).to.equal(60);
    });

    it('lets no other process claim while a thread of this one does, whatever its other threads do', async () => {
      const { results } = await world.drive([['claim_beside', {}]]);
      expect(results[0], JSON.stringify(results)).to.deep.equal({ answer: false });
    });

    it('lets no entry pass while frozen from either language, and every exit and cancel', async () => {
      freeze(ordersFolder(world.home), { atMs: Date.now(), reason: 'a look at the books' });
      const refused = await expectRefused('frozen', buy(10));
      expect(refused.message).to.include('a look at the books');
      await expectRefused('frozen', ['limit', { token: usual, side: 'BUY', shares: 10, price: 0.3 }]);
      await expectSent(sell(10));
      unfreeze(ordersFolder(world.home));
      await expectSent(buy(10));
      const command = (...args: readonly string[]) =>
        runProgram('python3', [GUARD_FILE, ...args], { env: world.env() });
      expect((await command('freeze', '--reason', 'the book looks wrong')).stdout).to.match(
        /^entries are frozen since .+: the book looks wrong\n$/,
      );
      expect(readFreeze(ordersFolder(world.home))).to.include({ reason: 'the book looks wrong' });
      const frozen = await play([buy(10), ['cancel_all', {}]]);
      expect(frozen.results.map(({ rule }) => rule)).to.deep.equal(['frozen', undefined]);
      expect(world.log('cancel').map(({ method }) => method)).to.deep.equal(['cancel_all']);
      expect((await command('unfreeze')).stdout).to.equal('entries pass\n');
      await expectSent(buy(10));
    });

    it('lets no entry pass, and every exit, where the moment of a freeze is none', async () => {
      freeze(ordersFolder(world.home), { atMs: 1e18, reason: 'a look at the books' });
      expect((await expectRefused('frozen', buy(10))).message).to.include('a look at the books');
      await expectSent(sell(10));
    });

    it('lets none of several pass when a freeze comes while the next one is looked at', async () => {
      const guard = { freezes: true };
      await expectRefused('frozen', ['post_all_signed', { token: usual, sizes: [18, 18, 18], price: 0.9 }], { guard });
    });

    it('sends no entry that cannot be written down any more when it is signed, and every exit', async () => {
      const client = { tricks: { spoils: guardLogFolder({ home: world.home }) } };
      await expectRefused('ledger_unavailable', buy(10), { client });
      const { warnings } = await expectSent(sell(10), { client });
      expect(warnings.join('\n')).to.match(/cannot write down/);
    });

    it('gives back what the venue refused', async () => {
      world.door.next({ kind: 'answers', status: 400, body: { error: 'not enough balance / allowance' } });
      const { results, claimedUsd } = await play([buy(10)]);
      expect(results[0]).to.include({ error: 'ApiError', status_code: 400 });
      expect(claimedUsd).to.equal(0);
    });

    for (const [name, behavior] of Object.entries({
      'is lost': { kind: 'lost_before_match' },
      'is lost after a match': { kind: 'lost_after_match' },
      'is a 502': { kind: 'answers', status: 502, body: { error: 'bad gateway' } },
      'says that it came before': { kind: 'answers', status: 400, body: { error: 'order is invalid. Duplicated.' } },
      'is of another form': { kind: 'answers', status: 200, body: { hello: 'you' } },
    } as const)) {
      it(`calls the outcome unknown where the answer ${name}: posted once, its claim kept`, async () => {
        world.door.next(behavior);
        const { results, posted, claimedUsd, retry_on_error } = await play([buy(10)], {
          client: { retry_on_error: true },
        });
        expect(results[0]!.error, JSON.stringify(results)).to.equal('OrderOutcomeUnknown');
        expect(posted).to.have.length(1);
        expect(claimedUsd).to.be.at.least(9.8);
        expect(world.log('ended')[0]!.outcome).to.equal('unknown');
        // Off while the order was posted, and as its owner set it since.
        expect(retry_on_error).to.equal(true);
      });
    }

    for (const body of [
      { success: true, orderID: '0x1', errorMsg: '', error: '' },
      { success: true, orderID: '0x1', errorMsg: null, error: null },
      { success: true, orderId: '0x1', errorMsg: '' },
    ]) {
      it(`knows that an order was accepted by ${JSON.stringify(body)}`, async () => {
        world.door.next({ kind: 'answers', status: 200, body });
        const { results } = await play([buy(10)]);
        expect(results[0]!.answer, JSON.stringify(results)).to.deep.equal(body);
        expect(world.log('ended')[0]).to.include({ outcome: 'accepted', order_id: '0x1' });
      });
    }

    it('takes no error of what the client does after a match for a refusal', async () => {
      const { order, claimedUsd } = await expectSent(buy(10), { client: { tricks: { trades_fail: 429 } } });
      expect(claimedUsd).to.be.at.least(Number(order.makerAmount) / 1e6);
      expect(world.log('ended')[0]!.outcome).to.equal('accepted');
    });

    for (const dies_at of ['sign', 'post'] as const) {
      it(`keeps the claim of a process that dies by kill -9 before it ${dies_at}s`, async () => {
        const posts = world.door.posted.length;
        const killed = await world.run([buy(10)], { client: { tricks: { dies_at } } });
        expect(killed.exitCode).to.equal(-1);
        expect(killed.stdout).to.equal('');
        expect(world.door.posted.length).to.equal(posts);
        const { results, claimedUsd, posted } = await play([buy(10)], { guard: { per_day_usd: 15 } });
        expect(results[0]!.rule).to.equal('daily_cap');
        expect(claimedUsd).to.be.within(9.8, 11);
        expect(posted).to.deep.equal([]);
      });
    }

    it('sends no entry where nothing can be written, and every exit', async () => {
      const env = { PREFLIGHT_HOME: GUARD_FILE };
      const { results, posted } = await world
        .drive([buy(10), sell(10), ['cancel_all', {}]], { env })
        .then((driven) => ({ ...driven, posted: world.door.posted.slice(-1) }));
      expect(results.map(({ rule }) => rule)).to.deep.equal(['ledger_unavailable', undefined, undefined]);
      expect(results[1]!.answer).to.include({ success: true });
      expect(posted[0]!.side).to.equal('SELL');
    });

    it('loses no line of its log to one before it that was left torn', async () => {
      await play([buy(10)]);
      const folder = guardLogFolder({ home: world.home });
      appendFileSync(join(folder, readdirSync(folder)[0]!), '{"v":1,"at_ms":17841');
      await play([buy(10)]);
      expect(world.log('decided')).to.have.length(2);
    });

    it('writes down an order also where another process has cleared the oldest files of the log first', async () => {
      const program = `
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import preflight_guard as guarding
from pathlib import Path
listed = os.listdir
os.listdir = lambda folder: [*listed(folder), *(f"2020-01-01.{part}.jsonl" for part in range(64))]
guarding._GuardLog(Path(sys.argv[2])).append({"kind": "cancel", "method": "cancel_all"})
`;
      const folder = guardLogFolder({ home: world.home });
      const { stderr } = await runProgram('python3', ['-c', program, GUARD_FILE, folder], { env: world.env() });
      expect([stderr, world.log('cancel').length]).to.deep.equal(['', 1]);
    });

    it('keeps its state from other users of the machine', async () => {
      await expectSent(buy(10));
      const folder = join(world.home, 'orders', 'default');
      for (const path of [world.home, folder, join(folder, 'claims.sqlite'), join(folder, 'log')]) {
        expect(statSync(path).mode & 0o077, path).to.equal(0);
      }
    });
  });

  describe('of what may rest, and what is signed', () => {
    it('holds a limit order to the cap alone', async () => {
      const limit = (side: string, shares: number, price: number, post_only = false): Step => [
        'limit',
        { token: usual, side, shares, price, post_only },
      ];
      const { results, posted, claimedUsd } = await play(
        [limit('BUY', 10, 0.3), limit('BUY', 10, 0.3, true), limit('BUY', 20, 0.3), limit('SELL', 100, 0.9)],
        { guard: { per_day_usd: 10 }, env: { PREFLIGHT_URL: 'http://127.0.0.1:9' } },
      );
      expect(results.map(({ rule }) => rule)).to.deep.equal([undefined, undefined, 'daily_cap', undefined]);
      expect(posted.map(({ makerAmount }) => makerAmount)).to.deep.equal([3_000_000n, 3_000_000n, 100_000_000n]);
      // 10 shares at 0.3, with 0.07 x 0.3 x 0.7 each where the order may take.
      expect(claimedUsd).to.equal(6.147);
    });

    it('counts what a limit order pays that crosses the book, its taker fee too', async () => {
      const shares = 70;
      const { numbers } = await world.verdict({ token_id: usual, side: 'BUY', usd: 30 });
      const price = numbers.best_price;
      const limit: Step = ['limit', { token: usual, side: 'BUY', shares, price }];
      await expectRefused('daily_cap', limit, { guard: { per_day_usd: price * shares } });
      const { order, claimedUsd } = await expectSent(limit);
      expect(world.log('ended').at(-1)!.status).to.equal('matched');
      const [usd, feeUsd] = [Number(order.makerAmount) / 1e6, (numbers.fee_drag_cents_per_share * shares) / 100];
      expect(claimedUsd).to.be.within(usd + feeUsd, usd + 2 * feeUsd);
    });

    it('sends a signed order as it is, or not at all', async () => {
      const guard = { per_day_usd: 100_000 };
      const { order } = await expectSent(['post_signed', { token: usual, usd: 18, price: 0.9 }], { guard });
      expect(order.makerAmount).to.equal(18_000_000n);
      world.reset();
      await expectRefused('veto', ['post_signed', { token: usual, usd: VETO_USD, price: 0.9 }], { guard });
    });

    it('claims all that a signed order may cost, of which a plan in exact amounts may leave some', async () => {
      for (const usd of [10.08, 10.17]) {
        world.reset();
        const { plan } = await world.verdict({ token_id: usual, side: 'BUY', usd, plan: 1 });
        const { order, claimedUsd } = await expectSent(['post_signed', { token: usual, usd, price: 0.9 }]);
        const share = Number(order.makerAmount) / Number(plan!.maker_amount);
        expect(claimedUsd, String(usd)).to.be.closeTo(Number(plan!.usd_needed_max) * Math.max(1, share), 1e-5);
      }
    });

    it('posts those of several that may go out, and answers for each in its place', async () => {
      const guard = { per_day_usd: 100_000 };
      const several = (...sizes: readonly number[]): Step => ['post_all_signed', { token: usual, sizes, price: 0.9 }];
      const { results, posted } = await play([several(VETO_USD, 18, VETO_USD)], { guard });
      const answers = results[0]!.answer as readonly Record<string, unknown>[];
      expect(answers.map(({ success }) => success)).to.deep.equal([false, true, false]);
      expect(answers.map(({ rule }) => rule)).to.deep.equal(['veto', undefined, 'veto']);
      expect(posted.map(({ makerAmount }) => makerAmount)).to.deep.equal([18_000_000n]);
      world.reset();
      await expectRefused('veto', several(VETO_USD), { guard });
    });
  });

  it('takes no client that cannot send orders or is guarded already, and no option that is none', async () => {
    const faulty = [{ per_day_usd: -1 }, { caution: 'ask' }, { mode: 'off' }, { timeout_s: 0 }, { name: '../up' }];
    for (const guard of faulty) {
      const { exitCode, stderr } = await world.run([], { guard });
      expect([exitCode, /ValueError: /.test(stderr)], JSON.stringify(guard)).to.deep.equal([1, true]);
    }
    const { results } = await play([
      ['guard_again', {}],
      ['guard_other', {}],
    ]);
    expect(results.map(({ error }) => error)).to.deep.equal(['TypeError', 'TypeError']);
  });

  it('refuses nothing in shadow mode, and writes down what it would have done', async () => {
    const spec = { guard: { mode: 'shadow', per_day_usd: 30 } };
    const sent = await play([buy(20), buy(20), buy(VETO_USD / 10, { price: 0.9 })], spec);
    freeze(ordersFolder(world.home), { atMs: 0, reason: '' });
    const frozen = await play([buy(20)], spec);
    expect([sent.posted.length, frozen.posted.length]).to.deep.equal([3, 1]);
    const decided = world.log('decided').map(({ mode, action, rule }) => [mode, action, rule]);
    expect(decided.filter(([, action]) => action === 'planned')).to.have.length(1);
    expect(decided.slice(1, 2)).to.deep.equal([['shadow', 'refused', 'daily_cap']]);
    expect(decided.at(-1)).to.deep.equal(['shadow', 'refused', 'frozen']);
    expect(frozen.claimedUsd).to.equal(0);
  });
});
