import { contentOf } from './equal-fills.js';
import type { Fill } from './fill.js';

/**
 * Returns the fills of one wallet without repeats (docs/ratings.md, "Repeats"). A position in the
 * chain's logs, (tx, logIndex), names a fill of a token; without one its content does, and its
 * number among equal ones of one reading. Of equal rows as many without a position as there are
 * with one are the same fills, reported by a second source.
 */
export function dropRepeats(fills: readonly Fill[]): readonly Fill[] {
  const atPosition = new Map<string, Fill>();
  const reported = new Set<string>();
  /** How many positions have a content: two logs with the same one are two fills. */
  const positioned = new Map<string, number>();
  for (const fill of fills) {
    if (!hasPosition(fill)) continue;
    const content = contentOf(fill);
    if (addTo(reported, `${content} ${fill.logIndex}`)) positioned.set(content, (positioned.get(content) ?? 0) + 1);
    const position = `${fill.token} ${fill.tx} ${fill.logIndex}`;
    const other = atPosition.get(position);
    if (other === undefined || countsBefore(fill, other)) atPosition.set(position, fill);
  }
  const numbered = new Set<string>();
  const remaining = [...atPosition.values()];
  for (const fill of fills) {
    if (hasPosition(fill)) continue;
    const content = contentOf(fill);
    const occurrence = fill.occurrence ?? 0;
    if (occurrence < (positioned.get(content) ?? 0)) continue;
    if (addTo(numbered, `${content} ${occurrence}`)) remaining.push(fill);
  }
  return remaining;
}

/**
 * Which of two rows counts that tell of one position differently: the earlier, so that a rating of
 * before the other sees the same; then the one that is worse for a copier.
 */
function countsBefore(a: Fill, b: Fill): boolean {
  if (a.timeS !== b.timeS) return a.timeS < b.timeS;
  if (a.priceMicros !== b.priceMicros) return a.priceMicros > b.priceMicros;
  if (a.sizeMicros !== b.sizeMicros) return a.sizeMicros < b.sizeMicros;
  return a.side === 'BUY' && b.side === 'SELL';
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
