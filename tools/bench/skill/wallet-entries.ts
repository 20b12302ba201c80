import { chance, gaussian, seededRandom, seedFor } from '#local/venue/market/seeded-random';
import type { Random } from '#system/random';
import { TAPE_DAYS, TAPE_END_S, TAPE_START_S, WINDOW_DAYS } from './calendar.js';
import { type Acceptance, acceptanceOf, winChance } from './plant-edge.js';
import { HEDGE_SHARE, type Population, PRICE_MICROS_MAX, PRICE_MICROS_MIN } from './populations.js';
import type { World } from './world.js';
import type { WorldEvent } from './world-events.js';

/** The first time a wallet buys a token. */
export interface Entry {
  readonly market: number;
  readonly outcome: number;
  readonly timeS: number;
  readonly priceMicros: number;
  readonly sharesMicros: number;
  /** The true chance that the token pays, as it was planted. */
  readonly winChance: number;
}

/**
 * The busiest wallet makes this many entries on the whole tape; the longest search for one entry
 * looks at this many markets.
 */
const ENTRIES_MAX = 4_000;
const PROPOSALS_MAX = 400;

/** Dollars per entry: lognormal. */
const USD_MEDIAN = 25;
const USD_SIGMA = 1.2;

/**
 * Returns all that a wallet buys on the tape, from its own dice: the other wallets do not matter.
 */
export function entriesOf(world: World, population: Population, seed: number, wallet: number): Entry[] {
  const dice = seededRandom(seedFor(seed, `wallet ${wallet}`));
  const count = drawCount(dice, population);
  const basket = new Basket(world, population, dice);
  while (basket.entries.length < count && basket.buyOne());
  return basket.entries;
}

/** Returns how many entries the wallet is going to look for. */
export function countOf(population: Population, seed: number, wallet: number): number {
  return drawCount(seededRandom(seedFor(seed, `wallet ${wallet}`)), population);
}

function drawCount(dice: Random, { entriesMedian }: Population): number {
  const count = Math.round(entriesMedian * (TAPE_DAYS / WINDOW_DAYS) * Math.exp(gaussian(dice)));
  return Math.min(ENTRIES_MAX, count);
}

/** A moment in a market's life, at which one of its outcomes might be bought. */
interface EntryCandidate {
  readonly market: number;
  readonly outcome: number;
  readonly part: number;
}

class Basket {
  readonly entries: Entry[] = [];
  readonly #markets = new Set<number>();
  #last: EntryCandidate | null = null;

  constructor(
    readonly world: World,
    readonly population: Population,
    readonly dice: Random,
  ) {}

  /** Buys one token (and what belongs to it); false where nothing is found. */
  buyOne(): boolean {
    for (let proposal = 0; proposal < PROPOSALS_MAX; proposal++) {
      const candidate = this.#propose();
      const acceptance = this.#accept(candidate);
      if (acceptance === null) continue;
      this.#markets.add(candidate.market);
      this.#last = candidate;
      this.#add(candidate, acceptance);
      this.#buyOtherSide(candidate, acceptance);
      return true;
    }
    return false;
  }

  /** Any token at any moment of its life, or a sibling of the last one on its side. */
  #propose(): EntryCandidate {
    const { world, population, dice } = this;
    const sibling = this.#last !== null && chance(dice, population.siblingShare) ? this.#sibling(this.#last) : null;
    if (sibling !== null) return sibling;
    const market = world.pickMarket(dice.next());
    return { market, outcome: Math.floor(dice.next() * 2), part: dice.next() };
  }

  #sibling(last: EntryCandidate): EntryCandidate | null {
    const { firstMarket, markets } = this.#eventOf(last);
    for (let other = firstMarket; other < firstMarket + markets; other++) {
      if (!this.#markets.has(other)) return { ...last, market: other };
    }
    return null;
  }

  /** Keeps a proposal, or not, by the wallet's habits and its skill; null: not. */
  #accept(candidate: EntryCandidate): Acceptance | null {
    const { priceMicrosMin, priceMicrosMax, edgeUntilS, byDateYes } = this.population;
    const priceMicros = this.#priceMicros(candidate);
    const timeS = this.#timeS(candidate);
    if (priceMicros === null || priceMicros < priceMicrosMin || priceMicros > priceMicrosMax) return null;
    if (byDateYes === true && (candidate.outcome !== 0 || !this.#eventOf(candidate).byDate)) return null;
    if (timeS < TAPE_START_S || timeS >= TAPE_END_S || this.#markets.has(candidate.market)) return null;
    const edge = edgeUntilS !== undefined && timeS >= edgeUntilS ? 0 : edgeAt(priceMicros, this.population);
    const acceptance = acceptanceOf(priceMicros, edge);
    const wins = this.world.winners[candidate.market] === candidate.outcome;
    return chance(this.dice, wins ? acceptance.ifWin : acceptance.ifLoss) ? acceptance : null;
  }

  #add(candidate: EntryCandidate, acceptance: Acceptance): void {
    const priceMicros = this.#priceMicros(candidate)!;
    const { market, outcome } = candidate;
    const timeS = this.#timeS(candidate);
    const sharesMicros = drawSharesMicros(this.dice, priceMicros);
    this.entries.push({
      market,
      outcome,
      timeS,
      priceMicros,
      sharesMicros,
      winChance: winChance(priceMicros, acceptance),
    });
  }

  /**
   * A farmer buys the other side at once, an honest wallet sometimes and later. What the first
   * purchase told about the result still holds.
   */
  #buyOtherSide(candidate: EntryCandidate, { ifWin, ifLoss }: Acceptance): void {
    const { dice, population } = this;
    const later = candidate.part + (1 - candidate.part) * dice.next();
    const isHedge = chance(dice, HEDGE_SHARE);
    if (population.bothSides !== true && !isHedge) return;
    const part = population.bothSides === true ? candidate.part : later;
    const other = { market: candidate.market, outcome: 1 - candidate.outcome, part };
    const priceMicros = this.#priceMicros(other);
    if (priceMicros === null || priceMicros < PRICE_MICROS_MIN || priceMicros > PRICE_MICROS_MAX) return;
    if (this.#timeS(other) < TAPE_END_S) this.#add(other, { ifWin: ifLoss, ifLoss: ifWin });
  }

  #priceMicros({ market, outcome, part }: EntryCandidate): number | null {
    const yes = this.world.yesPriceMicros(market, part);
    return yes === null || outcome === 0 ? yes : 1e6 - yes;
  }

  #timeS(candidate: EntryCandidate): number {
    const { startS, lifeS } = this.#eventOf(candidate);
    return startS + Math.floor(candidate.part * lifeS);
  }

  #eventOf({ market }: EntryCandidate): WorldEvent {
    return this.world.events[this.world.eventOf[market]!]!;
  }
}

function edgeAt(priceMicros: number, { edgeMicros, isProportional }: Population): number {
  return isProportional === true ? Math.round((edgeMicros * priceMicros) / 500_000) : edgeMicros;
}

/**
 * Shares to the hundredth, and never fewer than 5: smaller orders are not seen by a rating at all.
 */
function drawSharesMicros(dice: Random, priceMicros: number): number {
  const usd = USD_MEDIAN * Math.exp(USD_SIGMA * gaussian(dice));
  return Math.max(500, Math.round((usd * 1e8) / priceMicros)) * 10_000;
}
