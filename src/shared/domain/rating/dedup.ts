import type { Fill } from './fill.js';

/**
 * Returns the fills of one wallet without repeats (docs/ratings.md, "Repeats"). A position in the
 * chain's logs, (tx, logIndex), names a fill; without one its content does. A row without a
 * position that equals one with a position is the same fill, reported by a second source.
 */
export function dropRepeats(fills: readonly Fill[]): readonly Fill[] {
  const positions = new Set<string>();
  const contents = new Set<string>();
  const remaining: Fill[] = [];
  for (const fill of fills) {
    if (!hasPosition(fill) || !addTo(positions, `${fill.tx} ${fill.logIndex}`)) continue;
    // Two logs with the same content are two fills.
    contents.add(contentOf(fill));
    remaining.push(fill);
  }
  for (const fill of fills) {
    if (!hasPosition(fill) && addTo(contents, contentOf(fill))) remaining.push(fill);
  }
  return remaining;
}

function hasPosition({ tx, logIndex }: Fill): boolean {
  return tx !== '' && logIndex !== null;
}

function contentOf({ tx, token, side, priceMicros, sizeMicros, timeS }: Fill): string {
  return `${tx} ${token} ${side} ${priceMicros} ${sizeMicros} ${timeS}`;
}

/** Returns whether the key is new. */
function addTo(keys: Set<string>, key: string): boolean {
  const before = keys.size;
  keys.add(key);
  return keys.size > before;
}
