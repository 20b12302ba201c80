/**
 * Returns how far back a page of trades goes that has more than one: its second oldest time, because
 * a single row may have a wrong one and proves of no other trade that it was listed. Seconds; null
 * where there is no trade.
 */
export function reachedOf(fills: readonly { readonly timeS: number }[]): number | null {
  const [oldestS = null, secondS = oldestS] = fills.map(({ timeS }) => timeS).toSorted((a, b) => a - b);
  return secondS;
}
