import { fnv1a, mulberry32 } from '../seeded.js';

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
