/** Longest text of a cell that may be any. */
const CELL_LENGTH_MAX = 24;

/** Returns a text that fits its column: the middle of a long one is left out. */
export function shortened(text: string): string {
  if (text.length <= CELL_LENGTH_MAX) return text;
  const half = (CELL_LENGTH_MAX - 1) / 2;
  return `${text.slice(0, Math.ceil(half))}…${text.slice(-Math.floor(half))}`;
}

/** Returns a moment to the second, out of its ISO form. */
export function toTheSecond(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

/**
 * Returns lines of a table for people: columns as wide as their widest cell, and no spaces at the
 * ends.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}
