/** What came when an assumption was held against the venue. */
export interface Seen {
  /** `not seen`: the venue answered, and had nothing that could show it. */
  readonly holds: 'yes' | 'no' | 'not seen';
  /** One line for people. */
  readonly seen: string;
}

export const holding = (seen: string): Seen => ({ holds: 'yes', seen });
export const differing = (seen: string): Seen => ({ holds: 'no', seen });
export const unseen = (seen: string): Seen => ({ holds: 'not seen', seen });

/**
 * Holds each of some things to a rule, which says what is wrong with one, or null. So large a part
 * of them as `tolerated` (0 to 1) may break it: what is measured on a market that moves is not
 * always whole.
 */
export function each<T>(
  things: readonly T[],
  what: string,
  faultOf: (thing: T, index: number) => string | null,
  tolerated = 0,
): Seen {
  if (things.length === 0) return unseen(`no ${what}`);
  const faults = things.map(faultOf).filter((fault) => fault !== null);
  if (faults.length > tolerated * things.length) {
    return differing(`${faults.length} of ${things.length} ${what}: ${faults[0]}`);
  }
  return holding(faults.length === 0 ? `${things.length} ${what}` : `${things.length} ${what}, but ${faults.length}`);
}

/** Returns the different words of a list with how often each came, the most frequent first. */
export function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}

/** Returns a value of the venue as it is shown to people: short, and on one line. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'nothing').replaceAll(/\s+/g, ' ');
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…`;
}

const SHOWN_LENGTH_MAX = 60;
