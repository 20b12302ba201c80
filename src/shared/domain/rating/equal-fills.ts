import type { Fill } from './fill.js';

/**
 * Where one page of a reading ended: its last transaction, of which the next page may have more,
 * and how often each of its fills was there. JSON.
 */
export interface PageEnd {
  /** The transaction; the second where the source does not give it. */
  readonly of: string;
  readonly counts: readonly (readonly [print: number, count: number])[];
}

/**
 * Returns the fills of one page, those that are equal to an earlier one with their number among
 * them. One transaction fills several orders of one wallet at one price: such rows are different
 * fills (docs/ratings.md, "Repeats").
 */
export function numberEqualFills(fills: readonly Fill[]): readonly Fill[] {
  const counts = new Map<string, number>();
  return fills.map((fill) => {
    const content = contentOf(fill);
    const before = counts.get(content) ?? 0;
    counts.set(content, before + 1);
    return before === 0 ? fill : { ...fill, occurrence: before };
  });
}

/**
 * Returns the fills of the next page of a reading whose pages follow each other without a row in
 * both: equal fills on both sides of the seam are different ones, and are numbered on.
 */
export function continueNumbers(fills: readonly Fill[], before: PageEnd): readonly Fill[] {
  const counts = new Map(before.counts);
  return fills.map((fill) => {
    const shift = groupOf(fill) === before.of ? (counts.get(printOf(fill)) ?? 0) : 0;
    return shift === 0 ? fill : { ...fill, occurrence: (fill.occurrence ?? 0) + shift };
  });
}

/** Returns where a page ends, after one that ended at `before` if it follows it without an overlap. */
export function endOf(fills: readonly Fill[], before: PageEnd | null): PageEnd | null {
  const last = fills.at(-1);
  if (last === undefined) return before;
  const of = groupOf(last);
  const counts = new Map(before?.of === of ? before.counts : []);
  for (const fill of fills) {
    if (groupOf(fill) !== of) continue;
    const print = printOf(fill);
    counts.set(print, Math.max(counts.get(print) ?? 0, (fill.occurrence ?? 0) + 1));
  }
  return { of, counts: [...counts] };
}

/** What names a fill of a wallet that has no position: equal fills have equal contents. */
export function contentOf({ wallet, tx, token, side, priceMicros, sizeMicros, timeS }: Fill): string {
  return `${tx} ${wallet} ${token} ${side} ${priceMicros} ${sizeMicros} ${timeS}`;
}

/**
 * Returns a number of 52 bits that stands for the content of a fill (and for `more`): half a
 * million of them share one with odds of 1 in 10^5.
 */
export function printOf(fill: Fill, more = ''): number {
  const text = contentOf(fill) + more;
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  return ((b >>> 0) & 0xfffff) * 0x1_0000_0000 + (a >>> 0);
}

function groupOf({ tx, timeS }: Fill): string {
  return tx === '' ? String(timeS) : tx;
}
