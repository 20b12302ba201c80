import type { Fill } from '#domain/rating/fill';
import { walletOf } from '#local/venue/market/deterministic-ids';
import { chance, seededRandom, seedFor } from '#local/venue/market/seeded-random';
import { DAY_S } from './calendar.js';
import { pickByShare } from './pick-by-share.js';
import type { Entry } from './wallet-entries.js';
import type { World } from './world.js';
import { conditionOf, eventIdOf, tokenOf } from './world-ids.js';

/** Returns the address of a generated wallet. */
export const walletAddress = (seed: number, wallet: number): string => walletOf(`skill ${seed} ${wallet}`);

/** Returns one fill for each entry: the tape as it would be if every source were tidy. */
export function tidyFills(world: World, address: string, entries: readonly Entry[]): Fill[] {
  return entries.map((entry, i) => ({
    wallet: address,
    token: tokenOf(entry.market, entry.outcome),
    condition: conditionOf(entry.market),
    event: eventIdOf(world.eventOf[entry.market]!),
    outcomeIndex: entry.outcome,
    side: 'BUY',
    sizeMicros: entry.sharesMicros,
    priceMicros: entry.priceMicros,
    timeS: entry.timeS,
    tx: `${address}-${i}`,
    logIndex: null,
  }));
}

/**
 * One way in which a real tape shows an entry, and how often it does. None of them changes the
 * first entry, its price, its size or what copying it brings: a rating that is moved by the mess
 * has a fault.
 */
interface Mess {
  readonly share: number;
  apply(fill: Fill): readonly Fill[];
}

const TICK_MICROS = 5_000;
const PRICE_MICROS_MAX = 999_000;

/** Another fill of the same token, in its own transaction. */
function beside(fill: Fill, name: string, change: Partial<Fill>): Fill {
  const priceMicros = Math.min(PRICE_MICROS_MAX, change.priceMicros ?? fill.priceMicros);
  return { ...fill, tx: `${fill.tx}-${name}`, ...change, priceMicros };
}

const MESSES: readonly Mess[] = [
  { share: 0.2, apply: (fill) => [fill] },
  // One order that walks two makers: two fills whose average is the price.
  { share: 0.2, apply: splitOrder },
  // A second order in the same second, cheaper: the copier is assumed to have paid the dearer one.
  {
    share: 0.1,
    apply: (fill) => [fill, beside(fill, 'twin', { priceMicros: Math.max(1_000, fill.priceMicros - TICK_MICROS) })],
  },
  // A probe that is too small to be seen.
  { share: 0.06, apply: (fill) => [beside(fill, 'probe', { sizeMicros: 4_500_000, timeS: fill.timeS - 60 }), fill] },
  { share: 0.04, apply: (fill) => [beside(fill, 'before', { side: 'SELL', timeS: fill.timeS - 3_600 }), fill] },
  { share: 0.15, apply: (fill) => [fill, beside(fill, 'after', { side: 'SELL', timeS: fill.timeS + DAY_S })] },
  {
    share: 0.25,
    apply: (fill) => [
      fill,
      beside(fill, 'more', { timeS: fill.timeS + 600, priceMicros: fill.priceMicros + TICK_MICROS }),
    ],
  },
];

/** The source tells some rows twice. */
const REPEAT_SHARE = 0.02;

/** Returns the same entries as a real tape tells them. */
export function messyFills(fills: readonly Fill[], seed: number, wallet: number): Fill[] {
  const dice = seededRandom(seedFor(seed, `mess ${wallet}`));
  return fills
    .flatMap((fill) => pickByShare(dice.next(), MESSES).apply(fill))
    .flatMap((fill) => (chance(dice, REPEAT_SHARE) ? [fill, fill] : [fill]));
}

/**
 * Both halves stay large enough to be seen, and inside the prices; else the order is left whole.
 */
function splitOrder(fill: Fill): readonly Fill[] {
  const sizeMicros = fill.sizeMicros / 2;
  const [low, high] = [fill.priceMicros - TICK_MICROS, fill.priceMicros + TICK_MICROS];
  if (sizeMicros < 5_000_000 || low < 1_000 || high > PRICE_MICROS_MAX) return [fill];
  return [
    { ...fill, sizeMicros, priceMicros: low },
    { ...fill, sizeMicros, priceMicros: high },
  ];
}
