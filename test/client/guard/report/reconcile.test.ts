import { expect } from 'chai';
import fc from 'fast-check';
import { type LoggedOrder, loggedOrders } from '#client/guard/report/logged-order';
import { type Reconciliation, reconcile } from '#client/guard/report/reconcile';
import { readGuardLog } from '#client/guard/state/guard-log';
import { guardLogFolder } from '#client/guard/state/guard-state';
import { type PublicFill, readPublicFills } from '#client/http/public-fills';
import { runInProcess } from '#test/client/cli/support/test-world';
import { startLoopbackServer } from '#test/support/loopback-server';
import { PROPERTY_RUNS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { GuardWorld } from '../support/guard-world.js';
import { OFFICIAL_CLIENTS } from '../support/official-clients.js';

for (const official of OFFICIAL_CLIENTS) {
  describe(`orders of ${official.name} that are compared with the public trades of the venue`, function () {
    this.timeout(PROCESS_TEST_MS);
    let world: GuardWorld;
    before(async () => {
      world = await GuardWorld.start();
    });
    after(() => world?.stop());
    beforeEach(async () => world.reset());

    async function reconciled(): Promise<Reconciliation> {
      const args = ['reconcile', '--data-url', world.live.venue.dataUrl, '--json'];
      const { stdout, stderr } = await runInProcess(args, { env: { PREFLIGHT_HOME: world.home } });
      expect(stderr).to.equal('');
      return JSON.parse(stdout) as Reconciliation;
    }

    it('are filled as planned, at no worse price than was signed, and each fill counts once', async () => {
      const orders = await world.orders(official, { throwOnError: true });
      const token = world.token('usual');
      for (const usd of [50, 60.5, 70]) await orders.buy(token, usd);
      await orders.sell(token, 40);
      const { orders: found, totals } = await reconciled();
      expect(found.map((one) => [one.side, one.answered, one.found, one.by])).to.deep.equal([
        ...Array(3).fill(['BUY', 'filled', 'filled', 'transaction']),
        ['SELL', 'filled', 'filled', 'transaction'],
      ]);
      expect(found.every((one) => !one.is_beyond_worst_price)).to.equal(true);
      // The book did not move between verdict and order.
      for (const one of found) expect(one.slippage_beyond_plan_cents, one.id).to.be.closeTo(0, 0.02);
      expect(found.slice(0, 3).reduce((sum, one) => sum + one.filled_shares * one.filled_vwap!, 0)).to.be.closeTo(
        180.5,
        0.5,
      );
      expect(totals).to.include({ orders: 4, filled: 4, missing: 0 });
      expect(totals.fee_usd).to.be.above(0);
    });

    it('are found although their answer was lost, and not where they never arrived', async () => {
      const orders = await world.orders(official, { throwOnError: true });
      const token = world.token('deep');
      for (const [kind, usd] of [
        ['lost_before_match', 52],
        ['lost_after_match', 51],
        ['lost_before_match', 53],
      ] as const) {
        world.door.next({ kind });
        await orders.buy(token, usd).catch(() => undefined);
      }
      const { orders: found } = await reconciled();
      expect(found.map((one) => [one.answered, one.found, one.by])).to.deep.equal([
        ['unknown', 'none', null],
        ['unknown', 'filled', 'market'],
        ['unknown', 'none', null],
      ]);
    });

    it('leave out what was never sent', async () => {
      const orders = await world.orders(official, { throwOnError: true, perDayUsd: 1 });
      await orders.buy(world.token('usual'), 50).catch(() => undefined);
      expect((await reconciled()).orders).to.deep.equal([]);
    });

    it('have an exit code that asks for a look where one is missing', async () => {
      const orders = await world.orders(official, { throwOnError: true });
      await orders.buy(world.token('usual'), 50);
      const empty = await startLoopbackServer();
      empty.answer((_, response) => response.end('[]'));
      const env = { PREFLIGHT_HOME: world.home };
      const { exitCode, stdout } = await runInProcess(['reconcile', '--data-url', empty.baseUrl], { env });
      expect(stdout).to.match(/1 orders: 0 filled, 0 partly, 0 unfilled, 1 missing/);
      expect(exitCode).to.equal(10);
      empty.answer((_, response) => response.writeHead(502).end('<html>'));
      const failed = await runInProcess(['reconcile', '--data-url', empty.baseUrl], { env });
      expect([failed.exitCode, failed.stderr]).to.satisfy(
        ([code, text]: [number, string]) => code === 1 && /answered 502/.test(text),
      );
      await empty.close();
    });

    it('are read back from the log without any of its lines in doubt', () => {
      expect(loggedOrders(readGuardLog(guardLogFolder({ home: world.home }), 0))).to.deep.equal([]);
    });
  });
}

describe('a reconciliation', () => {
  const shares = fc.integer({ min: 5, max: 1_000 });
  const one = fc.record({
    shares,
    ticks: fc.integer({ min: 1, max: 99 }),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    token: fc.nat({ max: 2 }),
    parts: fc.integer({ min: 0, max: 4 }),
  });

  it('gives every order its own fills, however trades are mixed and whoever else trades', () => {
    const property = fc.property(
      fc.array(one, { maxLength: 12 }),
      fc.array(one, { maxLength: 6 }),
      fc.nat(),
      (own, others, turn) => {
        const orders = own.map((of, n) => loggedOrder(n, of));
        const fills = [
          ...own.flatMap((of, n) => fillsOf(`0x${n}`, of)),
          ...others.flatMap((of, n) => fillsOf(`0xother${n}`, of)),
        ];
        const turned = fills
          .map((fill, n) => ({ fill, at: (n * 7_919 + turn) % 101 }))
          .sort((a, b) => a.at - b.at)
          .map(({ fill }) => fill);
        const found = reconcile(orders, turned);
        expect(found.orders.map((order) => order.filled_shares)).to.deep.equal(
          own.map((of) => (of.parts === 0 ? 0 : of.shares)),
        );
        expect(found.other_fills).to.equal(others.reduce((sum, of) => sum + of.parts, 0));
        expect(found.orders.every((order) => !order.is_beyond_worst_price)).to.equal(true);
      },
    );
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it('sees a fill that is worse than what was signed', () => {
    const of = { shares: 10, ticks: 50, side: 'BUY' as const, token: 0, parts: 1 };
    const [fill] = fillsOf('0x0', of);
    const { orders } = reconcile([loggedOrder(0, of)], [{ ...fill!, price: 0.51 }]);
    expect(orders[0]).to.include({ is_beyond_worst_price: true, slippage_beyond_plan_cents: 1 });
  });

  it('sees an order that was filled in part', () => {
    const of = { shares: 10, ticks: 50, side: 'SELL' as const, token: 0, parts: 2 };
    const { orders, totals } = reconcile([loggedOrder(0, of)], fillsOf('0x0', of).slice(1));
    expect(orders[0]).to.include({ found: 'partly', filled_shares: 5, unfilled_shares: 5 });
    expect(totals).to.include({ partly: 1, unfilled_shares: 5 });
  });

  interface Of {
    readonly shares: number;
    readonly ticks: number;
    readonly side: 'BUY' | 'SELL';
    readonly token: number;
    readonly parts: number;
  }

  function loggedOrder(n: number, { shares: count, ticks, side, token }: Of): LoggedOrder {
    const [usdMicros, sharesMicros] = [count * ticks * 1e4, count * 1e6];
    const amounts =
      side === 'BUY'
        ? { makerMicros: usdMicros, takerMicros: sharesMicros }
        : { makerMicros: sharesMicros, takerMicros: usdMicros };
    const numbers = { expected_vwap: ticks / 100, best_price: ticks / 100, fee_drag_cents_per_share: 1 };
    return {
      id: String(n),
      atMs: 1_000_000,
      mode: 'guard',
      order: {
        method: 'm',
        tokenId: String(token),
        side,
        usd: null,
        shares: count,
        price: null,
        orderType: 'FOK',
        isSigned: false,
      },
      isExit: false,
      action: 'planned',
      rule: null,
      verdict: { verdict: 'OK', reason_codes: [], usd: 1, numbers } as unknown as LoggedOrder['verdict'],
      plan: null,
      posted: { maker: '0x1', amounts },
      ended: {
        v: 1,
        at_ms: 1,
        kind: 'ended',
        id: String(n),
        outcome: 'accepted',
        transaction_hashes: [`0x${n}`],
        making_amount: '1',
        taking_amount: '1',
      },
    };
  }

  function fillsOf(transaction: string, { shares: count, ticks, side, token, parts }: Of): readonly PublicFill[] {
    const each = { tokenId: String(token), side, shares: count / parts, price: ticks / 100, atS: 1_000, transaction };
    return Array.from({ length: parts }, () => ({ ...each }));
  }
});

describe('public trades of a wallet', () => {
  it('are read page by page until they are older than what is asked for', async () => {
    const server = await startLoopbackServer();
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      asset: '7',
      side: 'BUY',
      size: 1,
      price: 0.5,
      timestamp: 10_000 - n,
      transactionHash: `0xA${n}`,
    }));
    const offsets: number[] = [];
    server.answer((request, response) => {
      const query = new URL(request.url!, server.baseUrl).searchParams;
      offsets.push(Number(query.get('offset')));
      response.end(JSON.stringify(rows.slice(offsets.at(-1)!, offsets.at(-1)! + Number(query.get('limit')))));
    });
    const read = (sinceS: number) => readPublicFills(server.baseUrl, '0x1', sinceS, new AbortController().signal);
    const recent = await read(9_400);
    expect(recent.isComplete).to.equal(true);
    expect(recent.fills).to.have.length(601);
    expect(recent.fills[0]!.transaction).to.equal('0xa0');
    expect((await read(0)).fills).to.have.length(1_200);
    expect(offsets).to.deep.equal([0, 500, 0, 500, 1_000]);
    await server.close();
  });
});
