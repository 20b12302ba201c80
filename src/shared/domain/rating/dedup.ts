import { contentOf } from './equal-fills.js';
import type { Fill } from './fill.js';

/**
 * Returns the fills of one wallet without repeats (docs/ratings.md, "Repeats"). A position in the
 * chain's logs, (tx, logIndex), names a fill; without one its content does, and its number among
 * equal ones of one reading. Of equal rows as many without a position as there are with one are the
 * same fills, reported by a second source.
 */
export function dropRepeats(fills: readonly Fill[]): readonly Fill[] {
  const positions = new Set<string>();
  /** How many positions have a content: two logs with the same one are two fills. */
  const positioned = new Map<string, number>();
  const numbered = new Set<string>();
  const remaining: Fill[] = [];
  for (const fill of fills) {
    if (!hasPosition(fill) || !addTo(positions, `${fill.tx} ${fill.logIndex}`)) continue;
    const content = contentOf(fill);
    positioned.set(content, (positioned.get(content) ?? 0) + 1);
    remaining.push(fill);
  }
  for (const fill of fills) {
    if (hasPosition(fill)) continue;
    const content = contentOf(fill);
    const occurrence = fill.occurrence ?? 0;
    if (occurrence < (positioned.get(content) ?? 0)) continue;
    if (addTo(numbered, `${content} ${occurrence}`)) remaining.push(fill);
  }
  return remaining;
}

function hasPosition({ tx, logIndex }: Fill): boolean {
  return tx !== '' && logIndex !== null;
}

/** Returns whether the key is new. */
function addTo(keys: Set<string>, key: string): boolean {
  const before = keys.size;
  keys.add(key);
  return keys.size > before;
}
