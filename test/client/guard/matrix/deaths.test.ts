import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OrderVerdict } from '#api/order-verdict';
import { fateOf, type LoggedOrder, loggedOrders } from '#client/guard/report/logged-order';
import { type PublicFill, readPublicFills } from '#client/guard/report/public-fills';
import { readGuardLog } from '#client/guard/state/guard-log';
import { guardLogFolder } from '#client/guard/state/guard-state';
import { seededRandom } from '#local/venue/market/seeded-random';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { GUARD_DEATHS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { GuardWorld } from '../support/guard-world.js';
import { OFFICIAL_CLIENTS, WALLET } from '../support/official-clients.js';
import { type RunningTrader, startTrader, type Traded, type Trader, type TraderOrder } from './trader.js';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const ENTRY_USD = 40;
/** More than what one entry may cost with its fee, and less than two. */
const CAP_USD = 60;

/** Where a process dies, and what is to be seen of its order then. */
const DEATHS = [
  { at: 'claimed', posts: 0, matches: 0, fate: 'not_sent' },
  { at: 'signed', posts: 0, matches: 0, fate: 'not_sent' },
  { at: 'arrived', posts: 1, matches: 0, fate: 'unknown' },
  { at: 'matched', posts: 1, matches: 1, fate: 'unknown' },
  { at: 'answered', posts: 1, matches: 1, fate: 'unknown' },
] as const;
type Death = (typeof DEATHS)[number]['at'];

describe(`a guarded process that dies (seed ${SEED})`, function () {
  this.timeout(PROCESS_TEST_MS);
  let world: GuardWorld;
  let verdicts: LoopbackServer;
  let fillsBefore = 0;

  before(async () => {
    world = await GuardWorld.start();
    verdicts = await startLoopbackServer();
    verdicts.answer((request, response) => {
      void world.live.judge(JSON.parse(request.body)).then((body: OrderVerdict) => sendJson(response, body));
    });
  });
  after(async () => {
    await verdicts?.close();
    await world?.stop();
  });
  beforeEach(async () => {
    world.reset();
    fillsBefore = (await fills()).length;
  });

  const fills = async () =>
    (await readPublicFills(world.live.venue.dataUrl, WALLET.toLowerCase(), 1, new AbortController().signal)).fills;
  const newFills = async (): Promise<readonly PublicFill[]> => {
    const all = await fills();
    // The newest first.
    return all.slice(0, all.length - fillsBefore);
  };
  const logged = (): readonly LoggedOrder[] => loggedOrders(readGuardLog(guardLogFolder({ home: world.home }), 0));

  const start = (client: string, orders: readonly TraderOrder[], more: Partial<Trader> = {}): RunningTrader =>
    startTrader({
      client,
      doorUrl: world.door.url,
      verdictUrl: verdicts.baseUrl,
      home: world.home,
      perDayUsd: CAP_USD,
      orders,
      diesAt: null,
      ...more,
    });

  /** Lets a process die in its first order. */
  async function dieAt(client: string, at: Death, order: TraderOrder): Promise<Traded> {
    let trader: RunningTrader;
    const kill = () => void trader.child.kill('SIGKILL');
    if (at === 'arrived') world.door.next({ kind: 'lost_before_match', meanwhile: kill });
    if (at === 'matched') world.door.next({ kind: 'lost_after_match', meanwhile: kill });
    trader = start(client, [order], { diesAt: at === 'arrived' || at === 'matched' ? null : at });
    return trader.ended;
  }

  /** What is wrong with what a cap and these processes came to; nothing if all is well. */
  async function faultsOf(capUsd: number): Promise<readonly string[]> {
    const bought = (await newFills()).filter(({ side }) => side === 'BUY');
    const spentUsd = bought.reduce((sum, { shares, price }) => sum + shares * price, 0);
    const signatures = world.door.posted.map(({ signed }) => String(signed.signature));
    const unsent = logged().filter(
      (order) => fateOf(order) === 'not_sent' && order.ended === null && order.posted !== null,
    );
    return [
      ...(spentUsd > capUsd + 1e-6 ? [`above the cap: ${spentUsd} of ${capUsd} USD`] : []),
      ...(new Set(signatures).size < signatures.length ? ['sent twice'] : []),
      ...unsent.map(({ id }) => `not sent, although it went out: ${id}`),
    ];
  }

  const { isWhole } = GUARD_DEATHS;
  const clients = isWhole ? OFFICIAL_CLIENTS : [OFFICIAL_CLIENTS[SEED % OFFICIAL_CLIENTS.length]!];
  for (const { name } of clients) {
    describe(name, () => {
      const ORDERS: Readonly<Record<string, () => TraderOrder>> = {
        'an entry': () => ({ kind: 'buy', tokenId: world.token('usual'), amount: ENTRY_USD }),
        'an exit': () => ({ kind: 'sell', tokenId: world.token('usual'), amount: 30 }),
        'an order that rests': () => ({ kind: 'limit', tokenId: world.token('usual'), amount: 400, price: 0.1 }),
      };
      for (const [what, order] of Object.entries(ORDERS)) {
        // The one after which least is known.
        for (const { at, posts, matches, fate } of DEATHS.filter((death) => isWhole || death.at === 'matched')) {
          it(`leaves ${what} as it was when it is killed: ${at}`, async () => {
            const postsBefore = world.door.posted.length;
            expect(await dieAt(name, at, order())).to.deep.equal({ killed: true, outcomes: [] });
            expect(world.door.posted.length - postsBefore).to.equal(posts);
            const rests = order().kind === 'limit';
            expect((await newFills()).length > 0).to.equal(matches === 1 && !rests);
            expect(logged().map(fateOf)).to.deep.equal([fate]);
            const claims = order().kind !== 'sell';
            expect(world.claimedUsd()).to.be.within(claims ? ENTRY_USD : 0, claims ? CAP_USD : 0);
            const [next] = (await start(name, [{ ...ORDERS['an entry']!() }]).ended).outcomes;
            // What the dead one claimed still counts.
            expect(next).to.equal(claims ? 'daily_cap' : 'accepted');
            expect(world.door.posted.length - postsBefore).to.equal(posts + (claims ? 0 : 1));
            expect(await faultsOf(CAP_USD)).to.deep.equal([]);
          });
        }
      }

      for (let race = 0; race < GUARD_DEATHS.races; race++) {
        it(`keeps to the cap when two trade at once and one of them dies (${race})`, async () => {
          const dice = seededRandom(SEED + race);
          const capUsd = 150;
          const orders = Array.from({ length: 6 }, () => ORDERS['an entry']!());
          const arrivals = Math.floor(dice.next() * 3);
          let victim: RunningTrader;
          const kill = () => void victim.child.kill('SIGKILL');
          for (let n = 0; n < arrivals; n++) world.door.next({ kind: 'passes' });
          world.door.next({ kind: dice.next() < 0.5 ? 'lost_after_match' : 'lost_before_match', meanwhile: kill });
          victim = start(name, orders, { perDayUsd: capUsd });
          const other = start(name, orders, { perDayUsd: capUsd });
          const ended = await Promise.all([victim.ended, other.ended]);
          const last = await start(name, orders, { perDayUsd: capUsd }).ended;
          expect([...ended, last].flatMap(({ outcomes }) => outcomes)).to.include('daily_cap');
          expect((await newFills()).length).to.be.above(0);
          expect(await faultsOf(capUsd)).to.deep.equal([]);
        });
      }

      it('sends nothing again after the venue has changed its tick, and gives the claim back', async () => {
        const error = 'order 0x1 is invalid. Price (0.423) breaks minimum tick size rule: 0.01';
        world.door.next({ kind: 'answers', status: 400, body: { error } });
        const posts = world.door.posted.length;
        const { outcomes } = await start(name, [ORDERS['an entry']!(), ORDERS['an entry']!()]).ended;
        expect(outcomes).to.deep.equal(['rejected', 'accepted']);
        expect(world.door.posted.length - posts).to.equal(2);
        expect(await faultsOf(CAP_USD)).to.deep.equal([]);
      });

      it('keeps the claim of an order whose answer is lost, and posts it once', async () => {
        world.door.next({ kind: 'lost_after_match' });
        const { outcomes } = await start(name, [ORDERS['an entry']!(), ORDERS['an entry']!()]).ended;
        expect(outcomes).to.deep.equal(['unknown', 'daily_cap']);
        expect(logged().map(fateOf)).to.deep.equal(['unknown', 'not_sent']);
        expect(await faultsOf(CAP_USD)).to.deep.equal([]);
      });

      it('would spend more than the cap if a claim did not outlive its process', async () => {
        await dieAt(name, 'matched', ORDERS['an entry']!());
        rmSync(join(world.home, 'orders', 'default', 'claims'), { recursive: true });
        await start(name, [ORDERS['an entry']!()]).ended;
        expect((await faultsOf(CAP_USD)).join()).to.match(/above the cap/);
      });
    });
  }
});
