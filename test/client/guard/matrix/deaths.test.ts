import { expect } from 'chai';
import type { OrderVerdict } from '#api/order-verdict';
import { fateOf, type LoggedOrder, loggedOrders } from '#client/guard/report/logged-order';
import { freeze, unfreeze } from '#client/guard/state/freeze';
import { readGuardLog } from '#client/guard/state/guard-log';
import { guardLogFolder, ordersFolder } from '#client/guard/state/guard-state';
import { type PublicFill, readPublicFills } from '#client/http/public-fills';
import { seededRandom } from '#local/venue/market/seeded-random';
import { until } from '#test/support/live-verdicts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '#test/support/loopback-server';
import { GUARD_DEATHS } from '#test/support/size';
import { PROCESS_TEST_MS } from '#test/support/time-limits';
import { ended, GuardWorld, SLUGS } from '../support/guard-world.js';
import { OFFICIAL_CLIENTS, type OfficialClient, WALLET } from '../support/official-clients.js';
import type { Behavior } from '../support/order-door.js';
import { AMPLE_USD, CASES, DEATHS, type DeathAt, ENTRY_USD, type SentCase } from './cases.js';
import { faultsIn } from './faults.js';
import {
  type OwnDeath,
  type RunningTrader,
  startTrader,
  type Traded,
  type Trader,
  type TraderOrder,
} from './trader.js';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** More than what one entry may cost with its fee, and less than two. */
const ONE_ENTRY_USD = 60;
/** After it the market maker has come back to what was taken. */
const REFILL_STEPS = 60;
/** A market whose price is near where the venue refines its step, and as many changes as it may take. */
const REFINED = 'will-the-coastal-rail-link-open-in-2026';
const REFINED_STEPS_MAX = 20_000;

describe(`a guarded process that dies (seed ${SEED})`, function () {
  this.timeout(PROCESS_TEST_MS);
  let world: GuardWorld;
  let verdicts: LoopbackServer;
  let isAway = false;
  let earlier = { fills: 0, posts: 0 };

  before(async () => {
    world = await GuardWorld.start();
    verdicts = await startLoopbackServer();
    verdicts.answer((request, response) => {
      if (isAway) return sendJson(response, {}, 503);
      void world.live.judge(JSON.parse(request.body)).then((body: OrderVerdict) => sendJson(response, body));
    });
  });
  after(async () => {
    await verdicts?.close();
    await world?.stop();
  });
  beforeEach(() => begin());

  async function begin(): Promise<void> {
    isAway = false;
    world.reset();
    world.live.venue.step(REFILL_STEPS, SLUGS.usual);
    earlier = { fills: (await allFills()).length, posts: world.door.posted.length };
  }

  const allFills = async () =>
    (await readPublicFills(world.live.venue.dataUrl, WALLET.toLowerCase(), 1, new AbortController().signal)).fills;
  const fills = async (): Promise<readonly PublicFill[]> => {
    const all = await allFills();
    // The newest first.
    return all.slice(0, all.length - earlier.fills);
  };
  const posted = () => world.door.posted.slice(earlier.posts);
  const logged = (): readonly LoggedOrder[] => loggedOrders(readGuardLog(guardLogFolder({ home: world.home }), 0));
  const faults = async (capUsd: number) =>
    faultsIn({ capUsd, claimedUsd: world.claimedUsd(), logged: logged(), posted: posted(), fills: await fills() });

  const start = (client: string, orders: readonly TraderOrder[], more: Partial<Trader> = {}): RunningTrader =>
    startTrader({
      client,
      doorUrl: world.door.url,
      verdictUrl: verdicts.baseUrl,
      home: world.home,
      perDayUsd: AMPLE_USD,
      orders,
      diesAt: null,
      ...more,
    });

  /** Lets a process, or its line, die in an order. */
  async function dieAt(client: string, at: DeathAt, order: TraderOrder, more: Partial<Trader> = {}): Promise<Traded> {
    let trader: RunningTrader;
    const kill = () => void trader.child.kill('SIGKILL');
    const LINES: Partial<Record<DeathAt, Behavior>> = {
      arrived: { kind: 'lost_before_match', meanwhile: kill },
      matched: { kind: 'lost_after_match', meanwhile: kill },
      'lost before a match': { kind: 'lost_before_match' },
      'lost after a match': { kind: 'lost_after_match' },
    };
    const line = LINES[at];
    if (line !== undefined) world.door.next(line);
    trader = start(client, [order], { diesAt: line === undefined ? (at as OwnDeath) : null, ...more });
    return trader.ended;
  }

  /** This process goes on in the place of the dead one: how its entries end, one after the other. */
  async function goOn(official: OfficialClient, perDayUsd: number, entries: number): Promise<readonly string[]> {
    const orders = await world.orders(official, { perDayUsd, throwOnError: true, timeoutMs: 60_000 });
    const outcomes: string[] = [];
    for (let n = 0; n < entries; n++) {
      const end = await ended(orders.buy(world.token('usual'), ENTRY_USD));
      outcomes.push('error' in end ? String(end.error.rule ?? end.error.message) : 'accepted');
    }
    return outcomes;
  }

  const entryOf = (): TraderOrder => ({ kind: 'buy', tokenId: world.token('usual'), amount: ENTRY_USD });

  /** What is to be seen after a death, and after another process has gone on. */
  async function play(official: OfficialClient, sent: SentCase, death: (typeof DEATHS)[number]): Promise<void> {
    isAway = sent.isAway ?? false;
    const order = await sent.order(world);
    if (sent.isFrozen) freeze(ordersFolder(world.home), { atMs: Date.now(), reason: 'a look at the books' });
    const lives = death.at.startsWith('lost');
    const traded = await dieAt(official.name, death.at, order, sent.more);
    expect(traded).to.deep.equal({ killed: !lives, outcomes: lives ? ['unknown'] : [] });
    expect(posted()).to.have.length(death.posts * sent.legs);
    expect((await fills()).length > 0).to.equal(death.matches === 1 && sent.rests !== true);
    expect(logged().map(fateOf)).to.deep.equal(death.fate === null ? [] : Array(sent.legs).fill(death.fate));
    const claimedUsd = world.claimedUsd();
    expect(claimedUsd > 0).to.equal(sent.isEntry && death.at !== 'asked');
    expect(await faults(AMPLE_USD)).to.deep.equal([]);

    isAway = false;
    unfreeze(ordersFolder(world.home));
    // What the dead one claimed counts: there is room for one more entry, and not for two.
    const capUsd = claimedUsd + ONE_ENTRY_USD;
    expect(await goOn(official, capUsd, 2)).to.deep.equal(['accepted', 'daily_cap']);
    expect(posted()).to.have.length(death.posts * sent.legs + 1);
    expect(await faults(capUsd)).to.deep.equal([]);
  }

  const { isWhole } = GUARD_DEATHS;
  const clients = isWhole ? OFFICIAL_CLIENTS : [OFFICIAL_CLIENTS[SEED % OFFICIAL_CLIENTS.length]!];
  const cells = CASES.flatMap((sent) =>
    DEATHS.filter(({ at }) => !sent.without?.includes(at)).map((death) => ({ sent, death })),
  );
  const dice = seededRandom(SEED);
  // The one after which least is known, and some of the others.
  const chosen = isWhole
    ? cells
    : [
        cells.find(({ death }) => death.at === 'matched')!,
        ...Array.from({ length: GUARD_DEATHS.cells }, () => cells[Math.floor(dice.next() * cells.length)]!),
      ];

  for (const official of clients) {
    describe(official.name, () => {
      for (const { sent, death } of chosen) {
        it(`leaves ${sent.what} as it was: ${death.at}`, () => play(official, sent, death));
      }

      for (let race = 0; race < GUARD_DEATHS.races; race++) {
        it(`keeps to the cap when two trade at once and one of them dies (${race})`, async () => {
          const capUsd = 150;
          const orders = Array.from({ length: 6 }, entryOf);
          const other = OFFICIAL_CLIENTS[Math.floor(dice.next() * OFFICIAL_CLIENTS.length)]!;
          const own = [null, null, 'claimed', 'signed', 'posting', 'answered'] as const;
          const diesAt = own[Math.floor(dice.next() * own.length)]!;
          const arrivals = Math.floor(dice.next() * 3);
          let victim: RunningTrader;
          const kill = () => void victim.child.kill('SIGKILL');
          for (let n = 0; n < arrivals; n++) world.door.next({ kind: 'passes' });
          const kind = dice.next() < 0.5 ? 'lost_after_match' : 'lost_before_match';
          world.door.next(diesAt === null ? { kind, meanwhile: kill } : { kind });
          victim = start(official.name, orders, { perDayUsd: capUsd, diesAt });
          const rival = start(other.name, orders, { perDayUsd: capUsd });
          const outcomes = (await Promise.all([victim.ended, rival.ended])).flatMap((one) => one.outcomes);
          outcomes.push(...(await goOn(official, capUsd, 4)));
          expect(outcomes).to.include('daily_cap');
          expect(await faults(capUsd)).to.deep.equal([]);
        });
      }

      for (const at of isWhole ? (['matched', 'lost after a match', null] as const) : ([null] as const)) {
        it(`plans on the step of the book after the venue has refined it between plan and post (${at ?? 'answered'})`, async () => {
          const refined = await GuardWorld.start();
          const usualWorld = world;
          world = refined;
          try {
            await begin();
            const tokenId = world.live.market(REFINED).outcomes[0]!.tokenId;
            const stepNow = async () => {
              const answer = await fetch(`${refined.live.venue.clobUrl}/tick-size?token_id=${tokenId}`);
              return ((await answer.json()) as { readonly minimum_tick_size: number }).minimum_tick_size;
            };
            // So near to an end all is CAUTION.
            const caution = async () => true;
            const orders = await world.orders(official, {
              perDayUsd: 150,
              caution,
              throwOnError: true,
              timeoutMs: 60_000,
            });
            expect(await stepNow()).to.equal(0.01);
            let trader: RunningTrader | null = null;
            const refine = async () => {
              for (let n = 0; (await stepNow()) === 0.01; n++) {
                if (n > REFINED_STEPS_MAX) throw new Error('the venue never refined its step');
                world.live.venue.step(1, REFINED);
              }
            };
            const killIt = () => void trader?.child.kill('SIGKILL');
            const kind = at === null ? ('passes' as const) : ('lost_after_match' as const);
            world.door.next({ kind, before: refine, meanwhile: at === 'matched' ? killIt : () => undefined });
            trader = start(official.name, [{ kind: 'buy', tokenId, amount: ENTRY_USD }], {
              perDayUsd: 150,
              owner: 'says_yes',
            });
            const { outcomes } = await trader.ended;
            expect(await stepNow()).to.equal(0.001);
            expect(posted()).to.have.length(1);
            // The book has moved meanwhile: it may be filled, or killed.
            if (at === null) expect(outcomes).to.have.length(1);
            else expect(outcomes).to.deep.equal(at === 'matched' ? [] : ['unknown']);
            expect(await faults(150)).to.deep.equal([]);
            await until('the step arrives', async () => {
              const { plan } = await world.verdict({ token_id: tokenId, side: 'BUY', usd: ENTRY_USD, plan: 1 });
              return plan?.tick_size === '0.001';
            });
            const refusals = world.door.refusals.length;
            await ended(orders.buy(tokenId, ENTRY_USD));
            for (const refusal of world.door.refusals.slice(refusals)) expect(refusal).to.match(/FOK/);
            expect(posted()).to.have.length(2);
            expect(await faults(150)).to.deep.equal([]);
          } finally {
            world = usualWorld;
            await refined.stop();
          }
        });
      }

      it('sends nothing again that the venue refuses for its step, and gives the claim back', async () => {
        const error = 'order 0x1 is invalid. Price (0.423) breaks minimum tick size rule: 0.01';
        world.door.next({ kind: 'answers', status: 400, body: { error } });
        const { outcomes } = await start(official.name, [entryOf(), entryOf()], { perDayUsd: ONE_ENTRY_USD }).ended;
        expect(outcomes).to.deep.equal(['rejected', 'accepted']);
        expect(posted()).to.have.length(2);
        expect(await faults(ONE_ENTRY_USD)).to.deep.equal([]);
      });

      describe('with a planted fault', () => {
        it('finds a guard that claims after the post', async () => {
          await dieAt(official.name, 'matched', entryOf(), { fault: 'claims_after_post', perDayUsd: ONE_ENTRY_USD });
          expect(await goOn(official, ONE_ENTRY_USD, 1)).to.deep.equal(['accepted']);
          expect((await faults(ONE_ENTRY_USD)).join('\n')).to.match(/above the cap: .* are spent/);
        });

        it('finds a guard that gives back what may have been matched', async () => {
          const more = { fault: 'gives_back_unknown', perDayUsd: ONE_ENTRY_USD } as const;
          await dieAt(official.name, 'lost after a match', entryOf(), more);
          expect((await faults(ONE_ENTRY_USD)).join('\n')).to.match(/given back/);
          await goOn(official, ONE_ENTRY_USD, 1);
          expect((await faults(ONE_ENTRY_USD)).join('\n')).to.match(/above the cap: .* are spent/);
        });

        it('finds a guard that calls not sent what may have been matched', async () => {
          await dieAt(official.name, 'lost after a match', entryOf(), { fault: 'writes_unknown_as_not_sent' });
          expect((await faults(AMPLE_USD)).join('\n')).to.match(/called not sent, although it went out/);
        });

        it('finds a guard that posts again', async () => {
          await dieAt(official.name, 'lost after a match', entryOf(), { fault: 'posts_again' });
          expect((await faults(AMPLE_USD)).join('\n')).to.match(/sent twice/);
        });
      });
    });
  }
});
