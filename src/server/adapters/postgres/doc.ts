import { OutsideError } from '#domain/errors';
import { malformedRow } from '../rows/row-fields.js';

/** Returns a row's stored form as the text that its column holds. */
export function docOf(raw: unknown): string {
  return JSON.stringify(raw);
}

/** Returns a row from the text of its column, or throws the error that names it. */
export function fromDoc<T>(key: string, doc: string, decode: (key: string, raw: unknown) => T): T {
  return decode(key, parseDoc(key, doc));
}

/** Returns the stored form that a text holds. */
export function parseDoc(key: string, text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch (cause) {
    throw malformedRow(key, 'its text is not JSON', cause);
  }
}

/** Returns what was decoded, or the error that names the row. */
export function decoded<Row>(decode: () => Row): Row | Error {
  try {
    return decode();
  } catch (error) {
    return error as Error;
  }
}

/** Returns the rows that can be understood, and why the others cannot. */
export function understood<Raw, Row>(
  rows: readonly Raw[],
  toRow: (raw: Raw) => Row,
): { readonly items: readonly Row[]; readonly faults: readonly OutsideError[] } {
  const items: Row[] = [];
  const faults: OutsideError[] = [];
  for (const raw of rows) {
    try {
      items.push(toRow(raw));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      faults.push(error);
    }
  }
  return { items, faults };
}
