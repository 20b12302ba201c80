/** Returns one of several things by their shares, which add up to 1. */
export function pickByShare<T extends { readonly share: number }>(unit: number, items: readonly T[]): T {
  let left = unit;
  for (const item of items) {
    left -= item.share;
    if (left < 0) return item;
  }
  return items.at(-1)!;
}
