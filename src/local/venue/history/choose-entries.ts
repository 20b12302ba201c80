import type { OutcomeIndex } from '../market/market-spec.js';
import { seededRandom, seedFor } from '../market/seeded-random.js';
import { dayOf } from './calendar.js';
import type { Habit } from './habits.js';
import { type PlannedMarket, plannedPayout, plannedPrice } from './planned-market.js';
import { PATH_STEPS } from './price-path.js';
import type { PlannedWallet } from './roles.js';

/**
 * What a copier pays more than the wallet, and the last price there is (docs/ratings.md, "Copier's
 * price").
 */
const SLIPPAGE = 0.02;
const PRICE_MAX = 0.999;
/** A wallet looks at a market so often before it leaves it. */
const LOOKS = 6;
/**
 * A steered wallet leaves a market that would take it farther from its aim than so many dollars'
 * return.
 */
const ASTRAY_MAX = 0.9;

/** A wallet buys a token for the first time. */
export interface PlannedEntry {
  readonly market: PlannedMarket;
  readonly outcome: OutcomeIndex;
  readonly atS: number;
  readonly price: number;
  readonly usd: number;
}

/**
 * Returns the entries of a wallet into these markets, which are those of a block in the order of
 * their start.
 */
export function chooseEntries(planned: PlannedWallet, markets: readonly PlannedMarket[], seed: number): PlannedEntry[] {
  return planned.habits.flatMap((habit) => {
    // How far the sum of returns is from where it ought to be. It starts anew with every block: a
    // block depends on nothing before it.
    let ahead = 0;
    return markets
      .filter((market) => isTaken(habit, market))
      .flatMap((market) => {
        const chosen = chooseEntry(planned, habit, market, ahead, seed);
        if (chosen === null) return [];
        ahead += chosen.surprise;
        return habit.bothSides === true ? [chosen.entry, otherSide(chosen.entry)] : [chosen.entry];
      });
  });
}

function isTaken(habit: Habit, market: PlannedMarket): boolean {
  if (!habit.kinds.includes(market.kind) || market.ordinal % habit.every !== habit.offset) return false;
  if (habit.wholeEvent !== true && market.index > 0) return false;
  if (market.result === 'half' && habit.aim.kind !== 'blind') return false;
  return habit.active?.(dayOf(market.startS)) ?? true;
}

interface Chosen {
  readonly entry: PlannedEntry;
  /** By how much its return differs from what was aimed at. */
  readonly surprise: number;
}

function chooseEntry(
  { wallet }: PlannedWallet,
  habit: Habit,
  market: PlannedMarket,
  ahead: number,
  seed: number,
): Chosen | null {
  const random = seededRandom(seedFor(seed, `entry:${wallet.name}:${market.spec.slug}`));
  const usd = habit.clipUsd * (0.6 + 0.8 * random.next());
  const [from, to] = habit.lived;
  const options: Chosen[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const lived = from + (to - from) * ((look + random.next()) / LOOKS);
    const atS = Math.floor(market.startS + lived * (market.endS - market.startS));
    const first: OutcomeIndex = random.next() < 0.5 ? 0 : 1;
    if (atS >= market.closeS) break;
    for (const outcome of [first, first === 0 ? 1 : 0] as const) {
      const price = plannedPrice(market, outcome, atS);
      if (price < habit.band[0] || price > habit.band[1]) continue;
      const entry = { market, outcome, atS, price, usd };
      if (habit.aim.kind === 'blind') return { entry, surprise: 0 };
      options.push({ entry, surprise: copierReturn(entry) - aimOf(habit, entry) });
    }
  }
  return habit.aim.kind === 'sure' ? (options.find(isWinner) ?? null) : nearest(options, ahead);
}

function nearest(options: readonly Chosen[], ahead: number): Chosen | null {
  const distance = (option: Chosen) => Math.abs(ahead + option.surprise);
  const best = options.toSorted((a, b) => distance(a) - distance(b))[0];
  if (best === undefined || distance(best) > Math.max(ASTRAY_MAX, Math.abs(ahead))) return null;
  return best;
}

function isWinner({ entry }: Chosen): boolean {
  return copierReturn(entry) > 0;
}

function aimOf(habit: Habit, entry: PlannedEntry): number {
  if (habit.aim.kind === 'steered') return habit.aim.returnAt(dayOf(entry.market.startS));
  return habit.aim.kind === 'fragile' ? -feePerUsd(entry) / 2 : 0;
}

/**
 * Returns what a copier makes per dollar after costs: payout / p - 1 - fee, at the price that the
 * copier gets.
 */
function copierReturn(entry: PlannedEntry): number {
  return plannedPayout(entry.market, entry.outcome) / copierPrice(entry) - 1 - feePerUsd(entry);
}

function feePerUsd(entry: PlannedEntry): number {
  return (entry.market.spec.fee?.rate ?? 0) * (1 - copierPrice(entry));
}

function copierPrice({ price }: PlannedEntry): number {
  return Math.min(price + SLIPPAGE, PRICE_MAX);
}

function otherSide(entry: PlannedEntry): PlannedEntry {
  const outcome: OutcomeIndex = entry.outcome === 0 ? 1 : 0;
  const step = (entry.market.endS - entry.market.startS) / PATH_STEPS;
  const atS = Math.min(Math.floor(entry.atS + step / 8), entry.market.closeS - 1);
  return { ...entry, outcome, atS, price: plannedPrice(entry.market, outcome, atS) };
}
