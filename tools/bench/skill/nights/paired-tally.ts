import type { Candidate, WorldNight } from './candidates.js';
import type { NightRule } from './rule.js';

/** What a rule made of the nights of one world, beside what there was. */
interface WorldCounts {
  copies: number;
  falseCopies: number;
  decayed: number;
  found: number;
  trulyGood: number;
  forwardRoi: number;
  covered: number;
  skilled: number;
  wallets: number;
}

const NOTHING: WorldCounts = {
  ...{ copies: 0, falseCopies: 0, decayed: 0, found: 0, trulyGood: 0, forwardRoi: 0 },
  ...{ covered: 0, skilled: 0, wallets: 0 },
};

/** A figure of all worlds, and one part of it per world, from which its interval comes. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

type Ratio = (counts: WorldCounts) => readonly [number, number];

/** What is compared between two rules. */
const FIGURES = {
  /** Per 10,000 wallets without skill that have a profile, on one night. */
  falseCopies: ({ falseCopies, covered }: WorldCounts) => [1e4 * falseCopies, covered],
  /** Of the skilled, in percent. */
  found: ({ found, skilled }: WorldCounts) => [100 * found, skilled],
  copiesPer100k: ({ copies, wallets }: WorldCounts) => [1e5 * copies, wallets],
  trulyGoodPct: ({ trulyGood, copies }: WorldCounts) => [100 * trulyGood, copies],
  decayedPct: ({ decayed, copies }: WorldCounts) => [100 * decayed, copies],
  forwardRoiPct: ({ forwardRoi, copies }: WorldCounts) => [100 * forwardRoi, copies],
} satisfies Record<string, Ratio>;
export type FigureName = keyof typeof FIGURES;

/** Counts of one rule, world by world: wallets of a world share its results, worlds share nothing. */
export class RuleWorlds {
  readonly #worlds = new Map<number, WorldCounts>();

  constructor(readonly rule: NightRule) {}

  add(night: WorldNight): void {
    const counts = this.#worlds.get(night.seed) ?? { ...NOTHING };
    this.#worlds.set(night.seed, counts);
    counts.covered += night.coveredUnskilled;
    counts.skilled += night.skilled;
    counts.wallets += night.wallets;
    for (const copy of this.rule.copies(night)) countCopy(counts, copy);
  }

  get falseCopies(): number {
    return [...this.#worlds.values()].reduce((sum, { falseCopies }) => sum + falseCopies, 0);
  }

  /** Wallets without skill that have a profile, on all nights together. */
  get covered(): number {
    return [...this.#worlds.values()].reduce((sum, { covered }) => sum + covered, 0);
  }

  figure(name: FigureName): number {
    return ratioOf([...this.#worlds.values()].map(FIGURES[name]));
  }

  /** This rule's figure minus the other's, with the 95 % interval that the worlds give it. */
  minus(other: RuleWorlds, name: FigureName): Figure {
    const seeds = [...this.#worlds.keys()];
    const differenceOver = (some: readonly number[]) => {
      const of = (rule: RuleWorlds) => ratioOf(some.map((seed) => FIGURES[name](rule.#worlds.get(seed)!)));
      return of(this) - of(other);
    };
    const value = differenceOver(seeds);
    const without = seeds.map((left) => differenceOver(seeds.filter((seed) => seed !== left)));
    const reach = jackknifeReach(without);
    return { value, low: value - reach, high: value + reach };
  }
}

function countCopy(counts: WorldCounts, { skill, forwardRoi }: Candidate): void {
  counts.copies += 1;
  if (skill === 'never') counts.falseCopies += 1;
  if (skill === 'decayed') counts.decayed += 1;
  if (skill === 'skilled') counts.found += 1;
  if (forwardRoi !== null && forwardRoi > 0) counts.trulyGood += 1;
  counts.forwardRoi += forwardRoi ?? 0;
}

function ratioOf(parts: readonly (readonly [number, number])[]): number {
  const [above, below] = [0, 1].map((at) => parts.reduce((sum, part) => sum + part[at]!, 0));
  return below === 0 ? Number.NaN : above! / below!;
}

/** Quantiles of Student's t, 97.5 %, by degrees of freedom; the last for all above. */
const T_975 = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131];

/** Half of the 95 % interval, from what a figure is without each of the worlds (the jackknife). */
export function jackknifeReach(without: readonly number[]): number {
  const count = without.length;
  if (count < 2) return Number.POSITIVE_INFINITY;
  const mean = without.reduce((sum, value) => sum + value, 0) / count;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const t = T_975[Math.min(count - 1, T_975.length) - 1]!;
  return t * Math.sqrt((squares * (count - 1)) / count);
}
