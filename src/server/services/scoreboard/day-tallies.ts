import { type Outcome, type ScoreDay, ScoreTally } from '#domain/scoreboard/score-day';
import type { ScoreKey } from '#domain/scoreboard/score-key';

/** The counts of a day that is not over. */
export class DayTally {
  readonly #day: string;
  readonly #tally: ScoreTally;
  /** Whether something was counted since it was last taken to be written. */
  isChanged = false;

  constructor(day: string, stored: ScoreDay | null) {
    this.#day = day;
    this.#tally = new ScoreTally(stored === null ? [] : [stored]);
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
 * The days that are counted now: today, and yesterday until its last orders are priced again. What
 * is counted goes on from what the store had of the day.
 */
export class DayTallies {
  readonly #days = new Map<string, DayTally>();

  constructor(stored: readonly ScoreDay[] = []) {
    for (const day of stored) this.#days.set(day.day, new DayTally(day.day, day));
  }

  has(day: string): boolean {
    return this.#days.has(day);
  }

  /** Goes on with a day from what the store has of it; null: nothing. */
  open(day: string, stored: ScoreDay | null): void {
    this.#days.set(day, new DayTally(day, stored));
  }

  of(day: string): DayTally {
    const found = this.#days.get(day);
    if (found !== undefined) return found;
    const made = new DayTally(day, null);
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
   * Forgets the days before this one: nothing is counted for them any more. Returns whether there
   * were any.
   */
  forgetBefore(day: string): boolean {
    const old = [...this.#days.keys()].filter((known) => known < day);
    for (const known of old) this.#days.delete(known);
    return old.length > 0;
  }
}
