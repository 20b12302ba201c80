import { join } from 'node:path';
import type { TapeSession } from '../engine/database.js';
import { recentOf, type SortedFiles, type SortedFills } from '../files/manifest.js';
import { FACT_COLUMNS, POSITION_COLUMNS, REPLACED_COLUMNS, REPORTED_COLUMNS, SORTED_COLUMNS } from '../sql/fills.js';
import { type SqlColumns, sqlFiles } from '../sql/sql.js';
import { contains, overlaps, sqlInRange, type WalletRange } from './ranges.js';

/** Files of sorted fills that a range needs: all of it, or the places between two numbers. */
interface Piece {
  readonly files: SortedFiles;
  readonly placeNos: { readonly first: number; readonly last: number } | null;
}

/** Files of a range that have rows by place. */
type Piled = 'fills' | 'places' | 'told';

/**
 * Makes the views `sorted_position`, `sorted_told` and `sorted_fill` of a range of wallets, over
 * the base and all that came since. A place that a younger generation stands for is in none but
 * once. Fills have to be joined with places: of those that are replaced the older ones are still
 * among them.
 */
export async function openSorted(
  session: TapeSession,
  dir: string,
  sorted: SortedFills | null,
  range: WalletRange,
): Promise<void> {
  const pieces = await piecesIn(session, dir, sorted, range);
  const view = (name: string, columns: SqlColumns, pick: Piled, without = '') =>
    session.run(`CREATE OR REPLACE TEMP VIEW ${name} AS
      SELECT * FROM (${sqlPieces(dir, pieces, columns, pick)}) ${without}`);
  const replaced = recentOf(sorted).flatMap(({ ranges }) => ranges.map((one) => join(dir, one.replaced)));
  await session.run(`CREATE OR REPLACE TEMP TABLE replaced AS
    SELECT place_no FROM ${sqlFiles(replaced, REPLACED_COLUMNS)} WHERE ${sqlInRange(range)}`);
  const others = replaced.length === 0 ? '' : 'ANTI JOIN replaced USING (place_no)';
  await view('sorted_position', { ...POSITION_COLUMNS, ...FACT_COLUMNS }, 'places', others);
  await view('sorted_told', REPORTED_COLUMNS, 'told', others);
  await view('sorted_fill', SORTED_COLUMNS, 'fills');
}

/** Returns the files that may hold wallets of a range, and which part of each. */
async function piecesIn(
  session: TapeSession,
  dir: string,
  sorted: SortedFills | null,
  range: WalletRange,
): Promise<readonly Piece[]> {
  const generations: readonly (readonly SortedFiles[])[] = [
    sorted?.ranges ?? [],
    ...recentOf(sorted).map(({ ranges }) => ranges),
  ];
  const whole: Piece[] = [];
  const cut: SortedFiles[] = [];
  for (const files of generations) {
    for (const [n, one] of files.entries()) {
      if (contains(range, files, n)) whole.push({ files: one, placeNos: null });
      else if (overlaps(files, n, range)) cut.push(one);
    }
  }
  return [...whole, ...(await cutPieces(session, dir, cut, range))];
}

/** Wallets lie by their numbers, so those of a range are the numbers between two. */
async function cutPieces(
  session: TapeSession,
  dir: string,
  cut: readonly SortedFiles[],
  range: WalletRange,
): Promise<readonly Piece[]> {
  if (cut.length === 0) return [];
  const ends = cut.map(
    ({ places }, n) => `SELECT ${n} AS n, min(place_no) AS first, max(place_no) AS last
      FROM ${sqlFiles([join(dir, places)], POSITION_COLUMNS)} WHERE ${sqlInRange(range)}`,
  );
  const found = await session.rows<{ n: number; first: number | null; last: number | null }>(ends.join(' UNION ALL '));
  return found.flatMap(({ n, first, last }) =>
    first === null || last === null ? [] : [{ files: cut[n]!, placeNos: { first, last } }],
  );
}

function sqlPieces(dir: string, pieces: readonly Piece[], columns: SqlColumns, pick: Piled): string {
  const pathsOf = ({ files }: Piece) => (files[pick] === undefined ? [] : [join(dir, files[pick])]);
  const whole = pieces.filter(({ placeNos }) => placeNos === null).flatMap(pathsOf);
  const cut = pieces.flatMap((piece) =>
    piece.placeNos === null || pathsOf(piece).length === 0
      ? []
      : [
          `SELECT * FROM ${sqlFiles(pathsOf(piece), columns)}
            WHERE place_no BETWEEN ${piece.placeNos.first} AND ${piece.placeNos.last}`,
        ],
  );
  return [`SELECT * FROM ${sqlFiles(whole, columns)}`, ...cut].join(' UNION ALL ');
}
