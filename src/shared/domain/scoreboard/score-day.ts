import { fnv1a } from '../seeded.js';
import { DAY_S, isoDay } from '../time.js';
import { BINS_MAX, binOf } from './cents-bins.js';
import { type ScoreKey, scoreKeyText } from './score-key.js';

/** What is counted of each order that was priced again, in the order in which it is kept. */
export const SCORE_EVENTS = ['veto', 'caution', 'worse1', 'worse3', 'worse10', 'gone'] as const;
export type ScoreEvent = (typeof SCORE_EVENTS)[number];

/** Cents that the three counts of worse fills are about, in micro-USD per share. */
const WORSE_MICROS = { worse1: 10_000, worse3: 30_000, worse10: 100_000 } as const;

/** So many groups the markets are sorted into by their id; those of one group count as one cluster. */
export const MARKET_GROUPS = 64;
/** Most categories of a day that are counted under their names; the others are counted together. */
export const CATEGORIES_MAX = 24;
export const OTHER_CATEGORY = 'other';

/** What became of an order between its verdict and the horizon. */
export interface Outcome {
  readonly becameVeto: boolean;
  readonly becameCaution: boolean;
  /** How much worse it would fill, in micro-USD per share; below 0: better. */
  readonly worseMicros: number;
  /** The venue has no book for the token any more. */
  readonly isGone: boolean;
}

/** The counts of one key. */
export interface ScoreCell extends ScoreKey {
  /** By group of markets: orders priced again, then one count for each of SCORE_EVENTS. */
  readonly groups: ReadonlyMap<number, readonly number[]>;
  /** By bin of `binOf`. */
  readonly bins: ReadonlyMap<number, number>;
  readonly worstMicros: number;
  /** Orders whose book was not fresh at the horizon: they are in no other count. */
  readonly unseen: number;
}

/** A day of the scoreboard, by UTC: it belongs to the day of the verdict. */
export interface ScoreDay {
  /** Like 2026-11-27. */
  readonly day: string;
  /** Draws that were made. */
  readonly passes: number;
  /** Draws that were left out because the process was late. */
  readonly skipped: number;
  /** Orders that were not priced again in time, because the process was late. */
  readonly missed: number;
  readonly cells: readonly ScoreCell[];
}

/** Returns the day that is so many days after another, or before it. */
export function dayAfter(day: string, days: number): string {
  return isoDay(Date.parse(day) / 1e3 + days * DAY_S);
}

/** Returns the group of a market, which its id decides. */
export function groupOf(conditionId: string): number {
  return fnv1a(conditionId) % MARKET_GROUPS;
}

interface OpenCell extends ScoreKey {
  readonly groups: Map<number, number[]>;
  readonly bins: Map<number, number>;
  worstMicros: number;
  unseen: number;
}

/** Counts up, from nothing or from what was counted before. */
export class ScoreTally {
  readonly #cells = new Map<string, OpenCell>();
  readonly #categories = new Set<string>();
  passes = 0;
  skipped = 0;
  missed = 0;

  constructor(days: readonly ScoreDay[] = []) {
    for (const day of days) this.addDay(day);
  }

  addDay(day: ScoreDay): void {
    this.passes += day.passes;
    this.skipped += day.skipped;
    this.missed += day.missed;
    for (const cell of day.cells) this.#addCell(cell);
  }

  add(key: ScoreKey, conditionId: string, outcome: Outcome): void {
    const cell = this.#cellOf(key);
    const { worseMicros } = outcome;
    const isWorse = (event: keyof typeof WORSE_MICROS) => worseMicros >= WORSE_MICROS[event];
    const happened = [outcome.becameVeto, outcome.becameCaution, isWorse('worse1'), isWorse('worse3')];
    addTo(cell.groups, groupOf(conditionId), [1, ...[...happened, isWorse('worse10'), outcome.isGone].map(Number)]);
    cell.bins.set(binOf(worseMicros), (cell.bins.get(binOf(worseMicros)) ?? 0) + 1);
    cell.worstMicros = Math.max(cell.worstMicros, worseMicros);
  }

  addUnseen(key: ScoreKey): void {
    this.#cellOf(key).unseen++;
  }

  /** Returns what was counted, as a day. It does not change any more. */
  toDay(day: string): ScoreDay {
    const cells = [...this.#cells.values()].map((cell) => ({
      ...cell,
      groups: new Map([...cell.groups].map(([group, counts]) => [group, [...counts]])),
      bins: new Map(cell.bins),
    }));
    return { day, passes: this.passes, skipped: this.skipped, missed: this.missed, cells };
  }

  #addCell(added: ScoreCell): void {
    const cell = this.#cellOf(added);
    for (const [group, counts] of added.groups) addTo(cell.groups, group, counts);
    for (const [bin, count] of added.bins) {
      if (bin < BINS_MAX) cell.bins.set(bin, (cell.bins.get(bin) ?? 0) + count);
    }
    cell.worstMicros = Math.max(cell.worstMicros, added.worstMicros);
    cell.unseen += added.unseen;
  }

  #cellOf({ verdict, usd, horizon, category }: ScoreKey): OpenCell {
    const isKnown = this.#categories.has(category) || this.#categories.size < CATEGORIES_MAX;
    const named = isKnown ? category : OTHER_CATEGORY;
    if (isKnown) this.#categories.add(category);
    const key = { verdict, usd, horizon, category: named };
    const text = scoreKeyText(key);
    const found = this.#cells.get(text);
    if (found !== undefined) return found;
    const made = { ...key, groups: new Map(), bins: new Map(), worstMicros: 0, unseen: 0 };
    this.#cells.set(text, made);
    return made;
  }
}

function addTo(groups: Map<number, number[]>, group: number, counts: readonly number[]): void {
  const sums = groups.get(group);
  if (sums === undefined) groups.set(group, [...counts]);
  else for (const [at, count] of counts.entries()) sums[at] = (sums[at] ?? 0) + count;
}
