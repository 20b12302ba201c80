import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OrderRefused, type OrderRule } from '#client/guard/index';
import { freeze, unfreeze } from '#client/guard/state/freeze';
import { guardLogFolder, ordersFolder } from '#client/guard/state/guard-state';
import type { OrderInput } from '#client/index';
import { tempFolder } from '#test/support/temp-folder';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { fresh } from './support/fresh.js';
import { ended, GuardWorld } from './support/guard-world.js';
import { OFFICIAL_CLIENTS, type OfficialOrders } from './support/official-clients.js';
import { vetoShares } from './support/veto-shares.js';

const VETO_USD = 50_000;

for (const official of OFFICIAL_CLIENTS) {
  describe(`the guard before ${official.name}`, function () {
    this.timeout(PROCESS_TEST_MS);
    let world: GuardWorld;
    before(async () => {
      world = await GuardWorld.start();
    });
    after(() => world?.stop());
    beforeEach(() => world.reset());

    /** What was posted since, with the refusal that a call ended with. */
    async function play(work: () => Promise<unknown>) {
      const [posts, refusals] = [world.door.posted.length, world.door.refusals.length];
      const end = await ended(work());
      const refused = 'error' in end && end.error instanceof OrderRefused ? end.error : null;
      const posted = world.door.posted.slice(posts);
      return { end, refused, posted, refusals: world.door.refusals.slice(refusals) };
    }

    async function expectRefused(rule: OrderRule, work: () => Promise<unknown>) {
      const { refused, posted, end } = await play(work);
      expect(refused?.rule, JSON.stringify(end)).to.equal(rule);
      expect(posted).to.deep.equal([]);
      expect(world.claimedUsd()).to.equal(0);
      return refused!;
    }

    async function expectSent(work: () => Promise<unknown>) {
      const { end, posted, refusals } = await play(work);
      expect('answer' in end && official.isAccepted(end.answer), JSON.stringify(end)).to.equal(true);
      expect(posted).to.have.length(1);
      expect(refusals).to.deep.equal([]);
      return posted[0]!;
    }

    const always = { throwOnError: true } as const;

    describe('with a verdict', () => {
      it('sends an entry that is OK in the amounts of its plan', async () => {
        const token_id = world.token('usual');
        const orders = await world.orders(official, always);
        for (const usd of [50, 123.45, 500]) {
          const { plan } = await world.verdict({ token_id, side: 'BUY', usd, plan: 1 });
          const posted = await expectSent(() => orders.buy(token_id, usd));
          expect([String(posted.makerAmount), String(posted.takerAmount)]).to.deep.equal([
            plan!.maker_amount,
            plan!.taker_amount,
          ]);
        }
      });

      it('never sends more than was written, nor at a worse price', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, always);
        const { numbers } = await world.verdict({ token_id: token, side: 'BUY', usd: 50 });
        const posted = await expectSent(() => orders.buy(token, 50, numbers.best_price));
        expect(Number(posted.makerAmount)).to.be.at.most(50e6);
        expect(Number(posted.makerAmount) / Number(posted.takerAmount)).to.be.at.most(numbers.best_price + 1e-9);
        await world.reset();
        await expectRefused('beyond_price', () => orders.buy(token, 500, numbers.best_price - 0.02));
      });

      it('sends no entry whose own price is none, nor one of an owner who has nothing', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, always);
        for (const price of [-1, Number.POSITIVE_INFINITY]) {
          await expectRefused('beyond_price', () => orders.buy(token, 50, price));
        }
        for (const has of [0, Number.NaN]) {
          await expectRefused('over_balance', () => orders.buy(token, 50, undefined, has));
        }
      });

      it('sends an exit of as many shares as were written, in amounts that the venue takes', async () => {
        const token = world.token('deep');
        const orders = await world.orders(official, always);
        const posted = await expectSent(() => orders.sell(token, 77.77));
        expect(Number(posted.makerAmount) / 1e6).to.be.within(77, 77.77);
        expect(posted.side).to.equal('SELL');
      });

      it('refuses an entry that is VETO, with its reasons', async () => {
        const orders = await world.orders(official, always);
        const refused = await expectRefused('veto', () => orders.buy(world.token('usual'), VETO_USD));
        expect(refused.verdict?.verdict).to.equal('VETO');
        expect(refused.reasonCodes).to.not.be.empty;
        expect(world.log('decided').map(({ action, rule }) => [action, rule])).to.deep.equal([['refused', 'veto']]);
      });

      it('sends an exit that is VETO, and says so', async () => {
        const orders = await world.orders(official, { ...always, limits: { max_book_age_s: 0.000_001 } });
        await expectSent(() => orders.sell(world.token('usual'), 20));
        expect(world.warnings.join('\n')).to.match(/exit is sent against veto/);
        expect(world.log('decided')[0]).to.include({ is_exit: true, rule: 'veto' });
      });

      it('judges a sale by what all its shares bring, whatever price its owner takes', async () => {
        const token = world.token('usual');
        const shares = await vetoShares(world, token);
        for (const price of [0.01, undefined]) {
          const entries = await world.orders(official, { ...always, isExit: () => false });
          await expectRefused('veto', () => entries.sell(token, shares, price));
          const exits = await world.orders(official, always);
          await expectSent(() => exits.sell(token, shares, price));
          expect(world.warnings.at(-1)).to.match(/exit is sent against veto/);
          world.reset();
        }
        let asked = 0;
        const preflight = {
          verdict: (order: OrderInput) => {
            asked++;
            return world.source.verdict(order);
          },
        };
        const exits = await world.orders(official, { ...always, preflight });
        await expectSent(() => exits.sell(token, shares, 0.01));
        expect(asked, 'by the book of one answer').to.equal(1);
      });

      it('sends an entry that is CAUTION at the size that is OK', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, { ...always, perDayUsd: 10_000 });
        const usd = await world.cautionUsd(token);
        const { numbers } = await world.verdict({ token_id: token, side: 'BUY', usd });
        const posted = await expectSent(() => orders.buy(token, usd));
        expect(Number(posted.makerAmount) / 1e6).to.be.within(numbers.safe_size_usd * 0.9, numbers.safe_size_usd);
        expect(world.log('decided')[0]!.action).to.equal('resized');
      });

      it('refuses an entry that is CAUTION, or asks its owner, where they chose so', async () => {
        const token = world.token('usual');
        const usd = await world.cautionUsd(token);
        const buy = async (caution: 'refuse' | (() => Promise<boolean>)) =>
          (await world.orders(official, { ...always, perDayUsd: 10_000, caution })).buy(token, usd);
        await expectRefused('caution', () => buy('refuse'));
        await expectRefused('caution', () => buy(async () => false));
        await expectRefused('caution', () => buy(() => Promise.reject(new Error('nobody is there'))));
        const posted = await expectSent(() => buy(async () => true));
        expect(Number(posted.makerAmount) / 1e6).to.be.within(usd * 0.98, usd);
      });

      it('sells in amounts that the client signs to the unit, whatever its floats make of them', async () => {
        const token = world.token('deep');
        const orders = await world.orders(official, always);
        const { numbers } = await world.verdict({ token_id: token, side: 'SELL', usd: 50 });
        for (let n = 0; n < 60; n++) {
          const shares = (500 + 7 * n) / 100;
          const price = Number((numbers.best_price - (1 + (n % 4)) / 1_000).toFixed(3));
          const posted = await expectSent(() => orders.sell(token, shares, price));
          expect(Number(posted.makerAmount) / 1e6, String(shares)).to.be.within(shares - 0.5, shares);
        }
      });

      it('sends an exit that no plan is for in amounts that the venue accepts, at the price of its owner', async () => {
        const token = world.token('deep');
        const orders = await world.orders(official, always);
        for (const shares of [4_824.517, 10_000.019, 20_000.005]) {
          const { numbers } = await world.verdict({ token_id: token, side: 'SELL', usd: 50 });
          const price = numbers.best_price - 1e-15;
          const { posted, refusals } = await play(() => orders.sell(token, shares, price));
          const { makerAmount, takerAmount } = posted[0]!;
          expect(Number(makerAmount) / 1e6).to.be.within(shares - 1, shares);
          expect(Number(takerAmount) / Number(makerAmount)).to.be.at.least(price);
          for (const refusal of refusals) expect(refusal).to.match(/FOK orders are fully filled or killed/);
        }
      });

      it('sends an exit that is CAUTION', async () => {
        const orders = await world.orders(official, {
          ...always,
          caution: 'refuse',
          limits: { max_slippage_c: 0, veto_slippage_c: 90 },
        });
        await expectSent(() => orders.sell(world.token('usual'), 4_000));
        expect(world.log('decided')[0]).to.include({ is_exit: true, rule: 'caution' });
      });

      it('takes for an exit what its owner says is one', async () => {
        const options = { ...always, isExit: ({ side }: { side: string }) => side === 'BUY' };
        const orders = await world.orders(official, { ...options, limits: { max_book_age_s: 0.000_001 } });
        await expectSent(() => orders.buy(world.token('usual'), 20));
        await expectRefused('veto', () => orders.sell(world.token('usual'), 20));
      });

      it('takes a BUY for an entry and a SELL for an exit where its owner does not say yes or no', async () => {
        freeze(ordersFolder(world.home), { atMs: Date.now(), reason: '' });
        const rejects = () => Promise.reject(new Error('nobody is there'));
        for (const says of [() => 'no', () => ({}), () => null, async () => 'no', rejects]) {
          const orders = await world.orders(official, { ...always, isExit: says as () => boolean });
          await expectRefused('frozen', () => orders.buy(world.token('usual'), 20));
          await expectSent(() => orders.sell(world.token('usual'), 20));
        }
        const orders = await world.orders(official, { ...always, isExit: async ({ side }) => side === 'BUY' });
        await expectSent(() => orders.buy(world.token('usual'), 20));
        await expectRefused('frozen', () => orders.sell(world.token('usual'), 20));
      });
    });

    describe('without a verdict', () => {
      const never = new Promise<never>(() => {});
      const AWAY = {
        unavailable: { verdict: () => Promise.reject(new Error('nobody is there')) },
        'unavailable, in time': { verdict: () => never },
        stale: { verdict: async (order: object) => ({ ...fresh(await world.live.judge({ ...order })), stale: true }) },
        example: {
          verdict: async (order: object) => fresh({ ...(await world.live.judge({ ...order })), sandbox: true }),
        },
        plan_mismatch: {
          verdict: async () => fresh(await world.live.judge({ token_id: world.token('deep'), usd: 5 })),
        },
      } as const;
      for (const [name, preflight] of Object.entries(AWAY)) {
        const rule = name.split(',')[0] as OrderRule;
        it(`refuses an entry and sends an exit (${name})`, async () => {
          const orders = await world.orders(official, { ...always, preflight, timeoutMs: 300 });
          await expectRefused(rule, () => orders.buy(world.token('usual'), 20));
          const posted = await expectSent(() => orders.sell(world.token('usual'), 20));
          expect(posted.makerAmount).to.equal(20_000_000n);
          expect(world.log('decided').at(-1)).to.include({ is_exit: true, action: 'as_written', rule });
        });
      }

      it('sends an exit in amounts that the venue accepts, whatever the floats of the client make of it', async () => {
        const orders = await world.orders(official, { ...always, preflight: AWAY.unavailable });
        const { numbers } = await world.verdict({ token_id: world.token('deep'), side: 'SELL', usd: 50 });
        for (let n = 0; n < 80; n++) {
          const shares = (500 + 7 * n) / 100;
          const price = n % 3 === 0 ? undefined : numbers.best_price - (1 + (n % 4)) / 1_000;
          const posted = await expectSent(() => orders.sell(world.token('deep'), shares, price));
          expect(Number(posted.makerAmount) / 1e6, String(shares)).to.be.within(shares - 0.5, shares);
        }
      });

      it('refuses an entry whose verdict is over before it is signed', async () => {
        const preflight = {
          verdict: async (order: object) => {
            const body = await world.live.judge({ ...order });
            const valid_until = new Date(0).toISOString();
            return fresh({ ...body, plan: { ...body.plan!, valid_until } });
          },
        };
        await expectRefused('stale', async () =>
          (await world.orders(official, { ...always, preflight })).buy(world.token('usual'), 20),
        );
      });

      it('refuses an entry without a plan, and sends an exit as it was written', async () => {
        const preflight = {
          verdict: async (order: object) => {
            const { evidence: _, ...body } = await world.live.judge({ ...order });
            return fresh({ ...body, plan: null, plan_reason: 'unknown_tick' });
          },
        };
        const orders = await world.orders(official, { ...always, preflight });
        await expectRefused('no_plan', () => orders.buy(world.token('usual'), 20));
        await expectSent(() => orders.sell(world.token('usual'), 20));
      });

      it('refuses what the client signs otherwise than planned, and sends an exit as it was written', async () => {
        const raw = await official.make(world.door.url);
        const sign = Reflect.get(raw, 'createMarketOrder').bind(raw);
        // By the float of the client, a unit in the last place.
        const off = async (...args: readonly object[]) => {
          const signed = await sign(...args);
          return { ...signed, takerAmount: String(BigInt(signed.takerAmount) + 100n) };
        };
        Object.assign(raw, { createMarketOrder: off });
        await expectRefused('signed_otherwise', async () =>
          (await world.orders(official, always, raw)).buy(world.token('usual'), 20),
        );
        Object.assign(raw, { createMarketOrder: () => Promise.reject(new Error('the wallet is locked')) });
        await expectRefused('signed_otherwise', async () =>
          (await world.orders(official, always, raw)).buy(world.token('usual'), 20),
        );
        const written = (given: { readonly price?: number; readonly minPrice?: number }, ...rest: readonly object[]) =>
          given.price === undefined && given.minPrice === undefined ? sign(given, ...rest) : off(given, ...rest);
        Object.assign(raw, { createMarketOrder: written });
        await expectSent(async () => (await world.orders(official, always, raw)).sell(world.token('usual'), 20));
      });

      it('sends nothing that the client signs for another token, another side or more', async () => {
        const raw = await official.make(world.door.url);
        const sign = Reflect.get(raw, 'createMarketOrder').bind(raw);
        for (const other of [{ tokenId: '1' }, { side: 'BUY' }, { makerAmount: '99000000' }]) {
          Object.assign(raw, {
            createMarketOrder: async (...args: readonly object[]) => ({ ...(await sign(...args)), ...other }),
          });
          await expectRefused('signed_otherwise', async () =>
            (await world.orders(official, always, raw)).sell(world.token('usual'), 20),
          );
        }
      });
    });

    describe('with a cap and a freeze', () => {
      it('claims before it sends, and never more than the cap at once', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, { ...always, perDayUsd: 40 });
        const ends = await Promise.all(Array.from({ length: 8 }, () => ended(orders.buy(token, 10))));
        const rules = ends.map((end) => ('error' in end ? end.error.rule : 'sent'));
        expect(rules.filter((rule) => rule === 'sent')).to.have.length(3);
        expect(rules.filter((rule) => rule === 'daily_cap')).to.have.length(5);
        expect(world.claimedUsd()).to.be.within(30, 40);
        await expectSent(() => orders.sell(token, 50));
      });

      it('lets an entry cost all of the cap, and not a cent more, where floats fall short of it', async () => {
        const orders = await world.orders(official, { ...always, perDayUsd: 8.2 });
        await expectRefused('daily_cap', () => orders.limit(world.token('usual'), 'BUY', 82.1, 0.1, true));
        await expectSent(() => orders.limit(world.token('usual'), 'BUY', 82, 0.1, true));
        expect(world.claimedUsd()).to.equal(8.2);
      });

      it('lets no entry pass while frozen, and every exit and cancel', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, always);
        freeze(ordersFolder(world.home), { atMs: Date.now(), reason: 'a look at the books' });
        const refused = await expectRefused('frozen', () => orders.buy(token, 10));
        expect(refused.message).to.include('a look at the books');
        await expectRefused('frozen', () => orders.limit(token, 'BUY', 10, 0.3));
        await expectSent(() => orders.sell(token, 10));
        await orders.cancelAll();
        expect(world.door.writes.at(-1)).to.match(/^DELETE/);
        unfreeze(ordersFolder(world.home));
        await expectSent(() => orders.buy(token, 10));
      });

      it('gives back what the venue refused, and keeps what it may have matched', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, always);
        world.door.next({ kind: 'answers', status: 400, body: { error: 'not enough balance / allowance' } });
        await ended(orders.buy(token, 10));
        expect(world.claimedUsd()).to.equal(0);
        for (const behavior of [
          { kind: 'lost_before_match' },
          { kind: 'lost_after_match' },
          { kind: 'answers', status: 502, body: { error: 'bad gateway' } },
          { kind: 'answers', status: 400, body: { error: 'order is invalid. Duplicated.' } },
        ] as const) {
          world.reset();
          const one = await world.orders(official, always);
          world.door.next(behavior);
          const { end, posted } = await play(() => one.buy(token, 10));
          expect('error' in end && end.error.name, JSON.stringify(end)).to.equal('OrderOutcomeUnknown');
          expect(posted).to.have.length(1);
          expect(world.claimedUsd()).to.be.at.least(9.8);
          expect(world.log('ended')[0]!.outcome).to.equal('unknown');
        }
      });

      it('sends no entry where nothing can be written, and every exit', async () => {
        const home = join(tempFolder('guard'), 'file');
        writeFileSync(home, 'a file in the place of the folder');
        const orders = await world.orders(official, { ...always, home });
        const { refused } = await play(() => orders.buy(world.token('usual'), 10));
        expect(refused?.rule).to.equal('ledger_unavailable');
        await expectSent(() => orders.sell(world.token('usual'), 10));
        await orders.cancelAll();
      });

      it('sends no entry that cannot be written down any more when it is signed, and every exit', async () => {
        const token = world.token('usual');
        const raw = await official.make(world.door.url);
        const sign = Reflect.get(raw, 'createMarketOrder').bind(raw);
        const logFolder = guardLogFolder({ home: world.home });
        Object.assign(raw, {
          createMarketOrder: async (...args: readonly object[]) => {
            const signed = await sign(...args);
            rmSync(logFolder, { recursive: true });
            writeFileSync(logFolder, 'a file in the place of the folder');
            return signed;
          },
        });
        const orders = await world.orders(official, always, raw);
        await expectRefused('ledger_unavailable', () => orders.buy(token, 10));
        rmSync(logFolder);
        await expectSent(() => orders.sell(token, 10));
      });
    });

    describe('of what may rest, and what is signed', () => {
      const silent = { verdict: () => Promise.reject(new Error('it was asked')) };

      it('holds a limit order to the cap alone', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, { ...always, preflight: silent, perDayUsd: 10 });
        for (const postOnly of [false, true]) {
          const posted = await expectSent(() => orders.limit(token, 'BUY', 10, 0.3, postOnly));
          expect([posted.makerAmount, posted.takerAmount]).to.deep.equal([3_000_000n, 10_000_000n]);
        }
        // 10 shares at 0.3, with 0.07 x 0.3 x 0.7 each where the order may take.
        expect(world.claimedUsd()).to.equal(6.147);
        const { refused, posted } = await play(() => orders.limit(token, 'BUY', 20, 0.3));
        expect([refused?.rule, posted.length]).to.deep.equal(['daily_cap', 0]);
        await expectSent(() => orders.limit(token, 'SELL', 100, 0.9));
      });

      it('counts what a limit order pays that crosses the book, its taker fee too, and asks nothing', async () => {
        const [token, shares] = [world.token('usual'), 70];
        for (const how of ['limit', 'signLimit'] as const) {
          world.reset();
          const place = async (perDayUsd: number, price: number, postOnly = false) => {
            const orders = await world.orders(official, { ...always, preflight: silent, perDayUsd });
            if (how === 'limit') return orders.limit(token, 'BUY', shares, price, postOnly);
            return orders.postLimit(await orders.signLimit(token, shares, price, postOnly), postOnly);
          };
          const { numbers } = await world.verdict({ token_id: token, side: 'BUY', usd: 30 });
          // Better fills of as many shares cost less with their fee.
          for (const worse of [0, 0.05]) {
            world.reset();
            const price = Number((numbers.best_price + worse).toFixed(2));
            await expectRefused('daily_cap', () => place(price * shares, price));
            const { makerAmount } = await expectSent(() => place(1_000, price));
            expect(world.log('ended').at(-1)!.status).to.equal('matched');
            const usd = Number(makerAmount) / 1e6;
            const feeUsd = (numbers.fee_drag_cents_per_share * shares) / 100;
            expect(world.claimedUsd()).to.be.within(usd + feeUsd, usd + 2 * feeUsd);
          }
          world.reset();
          await expectSent(() => place(14, 0.2, true));
          expect(world.claimedUsd()).to.equal(14);
        }
      });

      it('sends a signed order as it is, or not at all', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, { ...always, perDayUsd: 10_000 });
        const signed = await orders.sign(token, 20, 0.9);
        const posted = await expectSent(() => orders.post(signed));
        expect(posted.makerAmount).to.equal(20_000_000n);
        const resizable = await orders.sign(token, await world.cautionUsd(token), 0.9);
        const { refused } = await play(() => orders.post(resizable));
        expect(refused?.rule).to.equal('caution');
      });

      it('claims all that a signed order may cost, of which a plan in exact amounts may leave some', async () => {
        const token = world.token('usual');
        for (let usd = 10.07; usd < 10.5; usd += 0.07) {
          world.reset();
          const { plan } = await world.verdict({ token_id: token, side: 'BUY', usd, plan: 1 });
          const orders = await world.orders(official, { ...always, perDayUsd: 10_000 });
          const { makerAmount } = await expectSent(async () => orders.post(await orders.sign(token, usd, 0.9)));
          const share = Number(makerAmount) / Number(plan!.maker_amount);
          expect(world.claimedUsd(), String(usd)).to.be.closeTo(
            Number(plan!.usd_needed_max) * Math.max(1, share),
            1e-5,
          );
          expect(world.claimedUsd()).to.be.at.least(Number(makerAmount) / 1e6);
        }
      });

      it('posts those of several that may go out, and answers for each in its place', async () => {
        const token = world.token('usual');
        const orders = await world.orders(official, { ...always, perDayUsd: 10_000 });
        const [good, bad] = [await orders.sign(token, 20, 0.9), await orders.sign(token, VETO_USD, 0.9)];
        const { end, posted } = await play(() => orders.postAll([bad, good, bad]));
        const answers = ('answer' in end ? end.answer : []) as readonly Record<string, unknown>[];
        expect(answers.map((answer) => official.isAccepted(answer))).to.deep.equal([false, true, false]);
        expect(answers.map(({ rule }) => rule)).to.deep.equal(['veto', undefined, 'veto']);
        expect(posted.map(({ makerAmount }) => makerAmount)).to.deep.equal([20_000_000n]);
        const none = await play(() => orders.postAll([bad]));
        expect([none.refused?.rule, none.posted.length]).to.deep.equal(['veto', 0]);
      });

      it('lets none of several pass when a freeze comes while the last of them is looked at', async () => {
        let questions = 0;
        const preflight = {
          verdict: async (order: object) => {
            if (++questions === 2) freeze(ordersFolder(world.home), { atMs: Date.now(), reason: '' });
            return fresh(await world.live.judge({ ...order }));
          },
        };
        const orders = await world.orders(official, { ...always, preflight });
        const several = [
          await orders.sign(world.token('usual'), 20, 0.9),
          await orders.sign(world.token('usual'), 30, 0.9),
        ];
        await expectRefused('frozen', () => orders.postAll(several));
      });
    });

    it('returns a refusal in the form of the client unless it is to be thrown', async () => {
      const buy = async (throwOnError?: boolean) => {
        const orders: OfficialOrders = await world.orders(official, throwOnError === undefined ? {} : { throwOnError });
        return ended(orders.buy(world.token('usual'), VETO_USD));
      };
      expect('error' in (await buy())).to.equal(official.throws);
      expect('error' in (await buy(true))).to.equal(true);
      const end = await buy(false);
      const answer = ('answer' in end ? end.answer : {}) as Record<string, unknown>;
      expect([official.isAccepted(answer), answer.rule]).to.deep.equal([false, 'veto']);
      expect(answer.status ?? answer.code).to.equal('preflight_refused');
    });

    it('refuses nothing in shadow mode, and writes down what it would have done', async () => {
      const token = world.token('usual');
      const orders = await world.orders(official, { mode: 'shadow', perDayUsd: 30 });
      await expectSent(() => orders.buy(token, 20));
      await expectSent(() => orders.buy(token, 20));
      const usd = await world.cautionUsd(token);
      await expectSent(() => orders.buy(token, usd, 0.9));
      freeze(ordersFolder(world.home), { atMs: 0, reason: '' });
      await expectSent(() => orders.buy(token, 20));
      const decided = world.log('decided').map(({ mode, action, rule }) => [mode, action, rule]);
      expect(decided).to.deep.equal([
        ['shadow', 'planned', null],
        ['shadow', 'refused', 'daily_cap'],
        ['shadow', 'refused', 'daily_cap'],
        ['shadow', 'refused', 'frozen'],
      ]);
      expect(world.log('ended').map(({ outcome }) => outcome)).to.deep.equal(Array(4).fill('accepted'));
      expect(world.claimedUsd()).to.equal(0);
    });
  });
}
