import type { Position } from '../../market/tape-rows.js';

/**
 * Where the next page of a feed starts, how long it is, and of which rows. The venue's cursor binds
 * them; so does ours.
 */
export interface Cursor {
  readonly limit: number;
  /** Names the filters of the walk: they have to come with each page again. */
  readonly filters: string;
  /** The last row already shown; null: from the newest. */
  readonly after: Position | null;
}

/** Returns the cursor as an opaque text. */
export function cursorText({ limit, filters, after }: Cursor): string {
  const fields = { ts: after?.timestampS, sq: after?.sequence, n: limit, of: filters };
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Returns the cursor, or null if the text is none of ours. */
export function readCursor(text: string): Cursor | null {
  try {
    const { ts, sq, n, of } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
    if (![ts, sq, n].every(Number.isInteger) || typeof of !== 'string') return null;
    return { limit: n as number, filters: of, after: { timestampS: ts as number, sequence: sq as number } };
  } catch {
    return null;
  }
}
