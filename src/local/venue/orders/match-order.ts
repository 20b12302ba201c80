import type { Level } from '#domain/book/book';
import { MICROS, type PostedOrder, usdAndShares } from './posted-order.js';

/** What an order takes of a level of its own token's book. */
interface TakenLevel {
  readonly priceTicks: number;
  readonly sharesMicros: bigint;
}

/** What a taking order gets. */
export interface Taken {
  readonly levels: readonly TakenLevel[];
  readonly usd: bigint;
  readonly shares: bigint;
  /** Whether there is nothing left of the order. */
  readonly isWhole: boolean;
}

const TICKS = 10_000n;

/** Whether a level is within the price of the order, which is USD over shares to the last digit. */
function isWithin(order: PostedOrder, priceTicks: number): boolean {
  const { usd, shares } = usdAndShares(order);
  const [level, own] = [BigInt(priceTicks) * shares, usd * TICKS];
  return order.side === 'BUY' ? level <= own : level >= own;
}

/**
 * Matches an order with the levels that it meets, the best first. A BUY of FOK or FAK spends its
 * USD, and takes as many shares as that buys; every other order takes or sells its shares.
 */
export function matchOrder(order: PostedOrder, levels: readonly Level[]): Taken {
  const spends = order.side === 'BUY' && order.isMarket;
  const wanted = usdAndShares(order);
  const taken: TakenLevel[] = [];
  let [usd, shares] = [0n, 0n];
  for (const { priceTicks, sizeMicros } of levels) {
    if (!isWithin(order, priceTicks)) break;
    const price = BigInt(priceTicks);
    const left = spends ? ((wanted.usd - usd) * TICKS) / price : wanted.shares - shares;
    if (left <= 0n) break;
    const size = BigInt(sizeMicros) < left ? BigInt(sizeMicros) : left;
    taken.push({ priceTicks, sharesMicros: size });
    shares += size;
    // The last fraction of a micro-dollar is nobody's.
    usd += (size * price) / TICKS;
  }
  const isWhole = spends ? wanted.usd - usd < MICROS / 100n : shares === wanted.shares;
  return { levels: taken, usd: spends && isWhole ? wanted.usd : usd, shares, isWhole };
}
