import { basename } from 'node:path';

/**
 * A CSV import becomes a segment of this name: the label of its file, and the digest of what is in
 * it.
 */
const IMPORT_NAME = /^csv-(.+)-[0-9a-f]{16}$/;
const LABEL_LENGTH_MAX = 150;

/**
 * A CSV import whose fills are sorted in, and whose they are is still known: it can be taken back.
 */
export interface SortedImport {
  /** The name of its segment. */
  readonly name: string;
  /** Times of its oldest and its newest fill. */
  readonly firstFillS: number;
  readonly lastFillS: number;
}

/**
 * Returns the name of an import. The same file again has the same one, and another file of its name
 * another one.
 */
export function importNameOf(file: string, digest: string): string {
  return `csv-${labelOf(file)}-${digest}`;
}

/** Whether a segment came of a CSV file. */
export function isImport(segment: string): boolean {
  return IMPORT_NAME.test(segment);
}

/** Whether a segment came of a CSV file of this name. */
export function isImportOf(segment: string, file: string): boolean {
  return IMPORT_NAME.exec(segment)?.[1] === labelOf(file);
}

/** Only letters, digits, "_", "." and "-" of a name count: it becomes part of another one. */
function labelOf(file: string): string {
  return basename(file)
    .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
    .slice(0, LABEL_LENGTH_MAX);
}
