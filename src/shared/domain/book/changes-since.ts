import type { LevelChange } from './book.js';

/** More than a market brings while REST answers, even slowly. */
export const CHANGES_MAX = 1_000;

/** A change of the market channel, with the venue's clock. */
export interface TimedChange extends Pick<LevelChange, 'side' | 'priceTicks' | 'sizeMicros' | 'hash'> {
  readonly timestampMs: number;
}

/** Where a question to REST was asked among the changes; null: they are not written down. */
export type ChangeMark = { readonly list: readonly TimedChange[]; readonly from: number } | null;

/**
 * The changes of a book in doubt since REST was first asked about it. In a busy market each answer
 * is older than what came meanwhile; laid over the answer, that makes one book as new as the
 * channel's, without what it missed before.
 */
export class ChangesSince {
  #list: TimedChange[] | null = null;

  /** Begins to write down, and returns where. */
  mark(): ChangeMark {
    this.#list ??= [];
    return { list: this.#list, from: this.#list.length };
  }

  add({ side, priceTicks, sizeMicros, hash }: LevelChange, timestampMs: number): void {
    if (this.#list === null) return;
    if (this.#list.length >= CHANGES_MAX) this.#list = null;
    else this.#list.push({ side, priceTicks, sizeMicros, hash, timestampMs });
  }

  /** No answer to an earlier question is brought forward: more came than changes, or none is needed. */
  end(): void {
    this.#list = null;
  }

  /** Returns what came since, from a moment of the venue's clock on; null if that is not known. */
  after(mark: ChangeMark, fromMs: number): readonly TimedChange[] | null {
    if (mark === null || mark.list !== this.#list) return null;
    return this.#list.slice(mark.from).filter(({ timestampMs }) => timestampMs >= fromMs);
  }
}
