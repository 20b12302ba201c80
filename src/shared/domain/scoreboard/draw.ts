/** What the draws of a day begin with: the day itself, so that nobody can choose it. */
export function seedOf(day: string): string {
  return `scoreboard/${day}`;
}

/**
 * Returns up to `count` of the items, drawn without putting back: the same seed and the same items
 * give the same draw.
 */
export function draw<T>(items: readonly T[], count: number, seed: string): readonly T[] {
  const left = [...items];
  const next = mulberry32(fnv1a(seed));
  const drawn: T[] = [];
  while (drawn.length < count && left.length > 0) {
    const at = Math.floor(next() * left.length);
    drawn.push(left[at]!);
    left[at] = left.at(-1)!;
    left.pop();
  }
  return drawn;
}

/** Returns a small number for a text, the same in every process (FNV-1a). */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
