import type { Position } from '../../market/tape-rows.js';

/**
 * Where the next page of a feed starts, and how long it is. The venue's cursor binds both; so does
 * ours.
 */
export interface Cursor {
  readonly limit: number;
  /** The last row already shown; null: from the newest. */
  readonly after: Position | null;
}

/** Returns the cursor as an opaque text. */
export function cursorText({ limit, after }: Cursor): string {
  return Buffer.from(JSON.stringify({ ts: after?.timestampS, sq: after?.sequence, n: limit })).toString('base64url');
}

/** Returns the cursor, or null if the text is none of ours. */
export function readCursor(text: string): Cursor | null {
  try {
    const { ts, sq, n } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
    if (![ts, sq, n].every(Number.isInteger)) return null;
    return { limit: n as number, after: { timestampS: ts as number, sequence: sq as number } };
  } catch {
    return null;
  }
}
