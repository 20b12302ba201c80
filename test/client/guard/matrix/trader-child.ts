/**
 * Trades by an official client through a guard, and dies where it is asked to. Prints a line for
 * each order: its number and how it ended.
 */
import { guard, OrderOutcomeUnknown, OrderRefused } from '#client/guard/index';
import { fresh } from '../support/fresh.js';
import { OFFICIAL_CLIENTS } from '../support/official-clients.js';
import type { OwnDeath, Trader, TraderOrder } from './trader.js';

const trader = JSON.parse(process.argv[2]!) as Trader;
const official = OFFICIAL_CLIENTS.find(({ name }) => name === trader.client)!;
const bare = await official.make(trader.doorUrl);
const preflight = {
  verdict: async (order: object) => {
    if (trader.diesAt === 'asked') await die();
    const answer = await fetch(trader.verdictUrl, { method: 'POST', body: JSON.stringify(order) });
    if (!answer.ok) throw new Error(`no verdict: ${answer.status}`);
    return fresh((await answer.json()) as Parameters<typeof fresh>[0]);
  },
};
const { perDayUsd, home, limits, owner, buysAreExits = false } = trader;
const guarded = guard(mortal(bare), {
  preflight,
  perDayUsd,
  home,
  throwOnError: true,
  // A machine that is busy is not what this is about.
  timeoutMs: 60_000,
  ...(limits === undefined ? {} : { limits }),
  ...(owner === undefined ? {} : { caution: async () => true }),
  ...(buysAreExits ? { isExit: () => true } : {}),
});
const orders = official.ordersOf(guarded);
for (const [n, order] of trader.orders.entries()) console.log(`${n} ${await outcomeOf(order)}`);
process.exit(0);

async function outcomeOf(order: TraderOrder): Promise<string> {
  try {
    const answers = await send(order);
    return answers.every((answer) => official.isAccepted(answer)) ? 'accepted' : 'rejected';
  } catch (error) {
    if (error instanceof OrderRefused) return error.rule;
    return error instanceof OrderOutcomeUnknown ? 'unknown' : 'rejected';
  }
}

async function send({ kind, tokenId, amount, price }: TraderOrder): Promise<readonly unknown[]> {
  // Signed by the client as it is: no step of the guard.
  const signed = () => official.ordersOf(bare).sign(tokenId, amount, price!);
  switch (kind) {
    case 'buy':
      return [await orders.buy(tokenId, amount, price)];
    case 'sell':
      return [await orders.sell(tokenId, amount, price)];
    case 'limit_buy':
      return [await orders.limit(tokenId, 'BUY', amount, price!)];
    case 'limit_sell':
      return [await orders.limit(tokenId, 'SELL', amount, price!)];
    case 'signed':
      return [await orders.post(await signed())];
    case 'several':
      return orders.postAll([await signed(), await signed()]);
  }
}

/** The client, which ends its process at a step of an order, or posts all of them twice. */
function mortal(target: object): object {
  const { diesAt, fault } = trader;
  const isSign = (name: string) => /^create(Market|Limit)?Order$/.test(name);
  const isPost = (name: string) => /^postOrders?$/.test(name);
  const diesBefore = (name: string) => (isSign(name) ? 'claimed' : isPost(name) ? 'posting' : null);
  const diesAfter = (name: string): OwnDeath | null => (isSign(name) ? 'signed' : isPost(name) ? 'answered' : null);
  const proxy: object = new Proxy(target, {
    get(_, key) {
      const value = Reflect.get(target, key, target);
      if (typeof value !== 'function' || typeof key !== 'string') return value;
      return async function (this: unknown, ...args: unknown[]) {
        const call = async (): Promise<unknown> => Reflect.apply(value, this === proxy ? target : this, args);
        if (diesAt !== null && diesBefore(key) === diesAt) await die();
        const result = await (fault === 'posts_again' && isPost(key) ? call().then(call, call) : call());
        if (diesAt !== null && diesAfter(key) === diesAt) await die();
        return result;
      };
    },
  });
  return diesAt === null && fault !== 'posts_again' ? target : proxy;
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}
