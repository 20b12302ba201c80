/** Returns one of several things by their shares, which add up to 1. */
export function pickByShare<T extends { readonly share: number }>(unit: number, things: readonly T[]): T {
  let left = unit;
  for (const thing of things) {
    left -= thing.share;
    if (left < 0) return thing;
  }
  return things.at(-1)!;
}
