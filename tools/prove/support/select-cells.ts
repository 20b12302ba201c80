/**
 * Which cells of a part are played: so many of the first, those of a range ("501-1000", both
 * included), or those whose names have all of these words.
 */
export const PROVE_CELLS = 'PROVE_CELLS';

/** Returns the cells that PROVE_CELLS selects; all of them where it is not set. */
export function selectCells<Cell>(cells: readonly Cell[], nameOf: (cell: Cell) => string): readonly Cell[] {
  const wanted = process.env[PROVE_CELLS];
  if (wanted === undefined) return cells;
  if (/^\d+$/.test(wanted)) return cells.slice(0, Number(wanted));
  const [, from, to] = /^(\d+)-(\d+)$/.exec(wanted) ?? [];
  if (from !== undefined) return cells.slice(Number(from) - 1, Number(to));
  const words = wanted.split(',').map((word) => word.trim());
  return cells.filter((cell) => words.every((word) => nameOf(cell).includes(word)));
}
