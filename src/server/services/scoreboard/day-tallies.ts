import { type Outcome, type ScoreDay, ScoreTally } from '#domain/scoreboard/score-day';
import type { ScoreKey } from '#domain/scoreboard/score-key';

/** The counts of a day that is not over. */
export class DayTally {
  readonly #day: string;
  readonly #tally: ScoreTally;
  /** Whether something was counted since it was last taken to be written. */
  isChanged = false;

  constructor(day: string, counted: readonly ScoreDay[] = []) {
    this.#day = day;
    this.#tally = new ScoreTally(counted);
  }

  pass(): void {
    this.#tally.passes++;
    this.isChanged = true;
  }

  skip(): void {
    this.#tally.skipped++;
    this.isChanged = true;
  }

  miss(orders: number): void {
    this.#tally.missed += orders;
    this.isChanged = true;
  }

  add(key: ScoreKey, conditionId: string, outcome: Outcome): void {
    this.#tally.add(key, conditionId, outcome);
    this.isChanged = true;
  }

  addUnseen(key: ScoreKey): void {
    this.#tally.addUnseen(key);
    this.isChanged = true;
  }

  toDay(): ScoreDay {
    return this.#tally.toDay(this.#day);
  }
}

/**
 * The days that are counted now: today, and yesterday until its last orders are priced again. Any
 * other may come, where the wall clock is set. A day is counted from nothing until it is known what
 * the store has of it, and may be written only then.
 */
export class DayTallies {
  readonly #days = new Map<string, DayTally>();
  /** Days of which it is known what the store had. */
  readonly #opened = new Set<string>();

  /** Days that are counted and were not opened yet. */
  unopened(): readonly string[] {
    return [...this.#days.keys()].filter((day) => !this.#opened.has(day));
  }

  /** Adds what the store has of a day to what was counted; null: nothing. */
  open(day: string, stored: ScoreDay | null): void {
    this.#opened.add(day);
    if (stored === null) return;
    const counted = this.of(day);
    const sum = new DayTally(day, [stored, counted.toDay()]);
    sum.isChanged = counted.isChanged;
    this.#days.set(day, sum);
  }

  of(day: string): DayTally {
    const found = this.#days.get(day);
    if (found !== undefined) return found;
    const made = new DayTally(day);
    this.#days.set(day, made);
    return made;
  }

  /** Returns what was counted since the last time, each day whole. */
  takeChanged(): readonly ScoreDay[] {
    const changed = [...this.#days.values()].filter(({ isChanged }) => isChanged);
    for (const day of changed) day.isChanged = false;
    return changed.map((day) => day.toDay());
  }

  /**
   * Forgets the days before this one, once they are written: what still comes for one of them is
   * added to what the store has. Returns whether there were any.
   */
  forgetBefore(day: string): boolean {
    const old = [...this.#days.keys()].filter((known) => known < day);
    for (const known of old) {
      this.#days.delete(known);
      this.#opened.delete(known);
    }
    return old.length > 0;
  }
}
