import { expect } from 'chai';
import { OrderRefused } from '#client/guard/index';
import type { LocalMarket } from '#local/venue/local-venue';
import { seededRandom } from '#local/venue/market/seeded-random';
import { GUARDED_ORDERS } from '#test/support/size';
import { ended, GuardWorld } from './support/guard-world.js';
import { OFFICIAL_CLIENTS, type OfficialClient, type OfficialOrders } from './support/official-clients.js';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Refusals for what an order is made of, and not for what the book has. */
const FOR_AMOUNTS =
  /invalid amount|breaks minimum tick size|lower than the minimum|Invalid order payload|invalid signature/;
const KILLED = /FOK orders are fully filled or killed/;
const USD_MAX = 3_000;
const OUTCOMES = [
  'filled',
  'refused by the guard',
  'killed',
  'rejected for amounts',
  'not sent by the client',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** An order as a program makes it: sizes are products of floats as often as they are round. */
interface Wish {
  readonly market: LocalMarket;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  /** USD of a BUY, shares of a SELL. */
  readonly amount: number;
  readonly price: number | undefined;
}

describe(`${GUARDED_ORDERS} random orders by each official client on a book that moves (seed ${SEED})`, function () {
  this.timeout(0);
  let world: GuardWorld;
  before(async () => {
    world = await GuardWorld.start();
  });
  after(() => world?.stop());

  for (const official of OFFICIAL_CLIENTS) {
    it(`${official.name}: none is rejected for its amounts when it is guarded`, async () => {
      world.reset();
      const dice = seededRandom(SEED);
      const bare = official.ordersOf(await official.make(world.door.url));
      const guarded = await world.orders(official, { throwOnError: true, perDayUsd: 1e9 });
      const counts = { guarded: emptyCounts(), bare: emptyCounts() };
      for (let n = 0; n < GUARDED_ORDERS; n++) {
        const wish = await wishOf(dice);
        for (const [how, orders] of [
          ['guarded', guarded],
          ['bare', bare],
        ] as const) {
          // The book goes on between the verdict and the order, too: the feed brings it later.
          world.live.venue.step(1, wish.market.slug);
          counts[how][await outcomeOf(official, orders, wish)]++;
        }
      }
      for (const how of ['guarded', 'bare'] as const) {
        console.log(`      | ${official.name}, ${how} | ${OUTCOMES.map((one) => counts[how][one]).join(' | ')} |`);
      }
      // What the client itself does not send are exits that no book has room for: they pass as they were written.
      expect(counts.guarded['rejected for amounts']).to.equal(0);
      expect(counts.bare['rejected for amounts']).to.be.above(0);
      expect(counts.guarded.filled).to.be.above(0);
    });
  }

  async function wishOf(dice: { next(): number }): Promise<Wish> {
    const of = <T>(list: readonly T[]) => list[Math.floor(dice.next() * list.length)]!;
    const markets = world.live.venue.markets.filter(isKnown);
    const market = of(markets);
    const { tokenId } = of(market.outcomes);
    const side = dice.next() < 0.6 ? ('BUY' as const) : ('SELL' as const);
    const raw = (side === 'BUY' ? 1 : 5) * Math.exp(dice.next() * Math.log(USD_MAX));
    const amount = dice.next() < 0.5 ? raw : Math.round(raw * 100) / 100;
    return {
      market,
      tokenId,
      side,
      amount,
      price: dice.next() < 0.5 ? undefined : await priceNear(tokenId, side, dice),
    };
  }

  /** The best price and some steps, as floats add up. */
  async function priceNear(
    tokenId: string,
    side: 'BUY' | 'SELL',
    dice: { next(): number },
  ): Promise<number | undefined> {
    const book = (await (await fetch(`${world.live.venue.clobUrl}/book?token_id=${tokenId}`)).json()) as {
      readonly tick_size: string;
      readonly bids: readonly { readonly price: string }[];
      readonly asks: readonly { readonly price: string }[];
    };
    const best = (side === 'BUY' ? book.asks : book.bids).at(-1);
    if (best === undefined) return undefined;
    const steps = Math.floor(dice.next() * 4) * Number(book.tick_size);
    const price = side === 'BUY' ? Number(best.price) + steps : Number(best.price) - steps;
    return price > 0 && price < 1 ? price : Number(best.price);
  }

  async function outcomeOf(official: OfficialClient, orders: OfficialOrders, wish: Wish): Promise<Outcome> {
    const refusalsBefore = world.door.refusals.length;
    const postedBefore = world.door.posted.length;
    const { tokenId, amount, price } = wish;
    const end = await ended(
      wish.side === 'BUY' ? orders.buy(tokenId, amount, price) : orders.sell(tokenId, amount, price),
    );
    const refusal = world.door.refusals.slice(refusalsBefore).at(-1);
    if (refusal !== undefined) {
      if (KILLED.test(refusal)) return 'killed';
      if (FOR_AMOUNTS.test(refusal)) return 'rejected for amounts';
      throw new Error(`an order was refused: ${refusal}`);
    }
    if ('error' in end && end.error instanceof OrderRefused) return 'refused by the guard';
    if ('answer' in end && official.isAccepted(end.answer)) return 'filled';
    if (world.door.posted.length === postedBefore) return 'not sent by the client';
    throw new Error(`an order ended otherwise: ${JSON.stringify(end)}`);
  }
});

/** The service answers for all but the placeholder of an event; games wait for the delay of sports. */
const isKnown = ({ hasBook, description, groupItemTitle }: LocalMarket) =>
  hasBook && groupItemTitle !== 'Other' && !/sport/i.test(description);

const emptyCounts = () => Object.fromEntries(OUTCOMES.map((one) => [one, 0])) as Record<Outcome, number>;
