/**
 * Returns the options of an LRUCache of at most so many entries that takes memory as they come. Its
 * `max` takes all of it at once: 10 ms and 3 MB for 100,000 entries, at every start.
 */
export function lruOptions(entriesMax: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entriesMax, sizeCalculation: () => 1 };
}
