import type { OutsideError } from '#domain/errors';
import type { CsvImport, ImportReport } from '#ports/tape';
import type { TapeSession } from '../engine/database.js';
import { tapeFault } from '../engine/fault.js';
import { digestOf } from '../files/files.js';
import type { TapeFolder } from '../files/folder.js';
import { importNameOf, isImport, isImportOf } from '../files/imports.js';
import { NO_DAY } from '../files/segments.js';
import { readSnapshot } from '../files/snapshot.js';
import { countImported } from '../imports.js';
import { numberOrNull } from '../reads.js';
import { marketsCsv } from '../sql/csv.js';

/** What an import will do. */
export interface ImportPlan {
  readonly name: string;
  /** Whether there are imports that it takes the place of. */
  readonly replaces: boolean;
  /** Whether the same file was imported before and a compaction has sorted it in since. */
  readonly isSorted: boolean;
  readonly report: ImportReport;
}

/** An import has the digest of its file in its name: the same file again is the same one. */
export async function planImport(
  session: TapeSession,
  { dir }: TapeFolder,
  { fills: file, replace }: CsvImport,
  sources: { readonly fills: string; readonly markets: string },
): Promise<ImportPlan> {
  const name = importNameOf(file, await digestOf(file));
  const snapshot = await readSnapshot(dir);
  const late = snapshot.segments.filter(({ segment }) => isImport(segment));
  const sorted = (snapshot.manifest.imports ?? []).map((one) => one.name);
  const existing = [...late.map(({ segment }) => segment), ...sorted].filter(
    (one) => replace !== undefined && isImportOf(one, replace),
  );
  if (replace !== undefined && existing.length === 0) throw noSuchImport(replace);
  const replaced = new Set(existing.filter((one) => one !== name));
  const count = async (sql: string) =>
    Number((await session.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${sql}`))[0]!.n);
  const [times] = await session.rows<{ first: bigint | null; last: bigint | null }>(
    `SELECT min(timestamp::BIGINT) AS first, max(timestamp::BIGINT) AS last FROM ${sources.fills}`,
  );
  const isSorted = sorted.includes(name);
  return {
    name,
    replaces: replaced.size > 0,
    isSorted,
    report: {
      fills: await count(sources.fills),
      isRepeated: isSorted || late.some(({ segment, day }) => segment === name && day !== NO_DAY),
      firstFillS: numberOrNull(times!.first),
      lastFillS: numberOrNull(times!.last),
      ...(await countImported(session, dir, snapshot, replaced)),
      markets: await count(sources.markets),
      marketsKnown: await count(
        `(SELECT condition FROM (SELECT ${marketsCsv().select} FROM ${sources.markets})
          INTERSECT SELECT condition FROM ${snapshot.markets})`,
      ),
    },
  };
}

function noSuchImport(replace: string): OutsideError {
  const why = 'nothing was imported under that name, or an earlier version has sorted it in, which did not keep whose';
  return tapeFault(`there is no import "${replace}" to replace: ${why} fills are whose`);
}
