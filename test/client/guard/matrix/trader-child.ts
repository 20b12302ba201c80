/**
 * Trades by an official client through a guard, and dies where it is asked to. Prints a line for
 * each order: its number and how it ended.
 */
import { guard, OrderOutcomeUnknown, OrderRefused } from '#client/guard/index';
import { fresh } from '../support/guard-world.js';
import { OFFICIAL_CLIENTS } from '../support/official-clients.js';
import type { Trader, TraderOrder } from './trader.js';

const trader = JSON.parse(process.argv[2]!) as Trader;
const official = OFFICIAL_CLIENTS.find(({ name }) => name === trader.client)!;
const client = mortal(await official.make(trader.doorUrl));
const preflight = {
  verdict: async (order: object) => {
    const answer = await fetch(trader.verdictUrl, { method: 'POST', body: JSON.stringify(order) });
    return fresh((await answer.json()) as Parameters<typeof fresh>[0]);
  },
};
const { perDayUsd, home } = trader;
// A machine that is busy is not what this is about.
const orders = official.ordersOf(guard(client, { preflight, perDayUsd, home, throwOnError: true, timeoutMs: 60_000 }));
for (const [n, order] of trader.orders.entries()) console.log(`${n} ${await outcomeOf(order)}`);
process.exit(0);

async function outcomeOf({ kind, tokenId, amount, price }: TraderOrder): Promise<string> {
  const send = () => {
    if (kind === 'limit') return orders.limit(tokenId, 'BUY', amount, price!);
    return kind === 'buy' ? orders.buy(tokenId, amount, price) : orders.sell(tokenId, amount, price);
  };
  try {
    const answer = await send();
    return official.isAccepted(answer) ? 'accepted' : 'rejected';
  } catch (error) {
    if (error instanceof OrderRefused) return error.rule;
    return error instanceof OrderOutcomeUnknown ? 'unknown' : 'rejected';
  }
}

/** The client, which ends its process at a step of an order. */
function mortal(target: object): object {
  const { diesAt } = trader;
  const before = (name: string) => diesAt === 'claimed' && /^create(Market|Limit)?Order$/.test(name);
  const after = (name: string) =>
    (diesAt === 'signed' && /^create(Market|Limit)?Order$/.test(name)) ||
    (diesAt === 'answered' && name === 'postOrder');
  const proxy: object = new Proxy(target, {
    get(_, key) {
      const value = Reflect.get(target, key, target);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return async function (this: unknown, ...args: unknown[]) {
        if (before(key)) await die();
        const result: unknown = await Reflect.apply(value, this === proxy ? target : this, args);
        if (after(key)) await die();
        return result;
      };
    },
  });
  return diesAt === null ? target : proxy;
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}
