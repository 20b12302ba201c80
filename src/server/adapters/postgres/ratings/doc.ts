import { malformedRow } from '../../rows/row-fields.js';

/** Returns a row's stored form as the text that its column holds. */
export function docOf(raw: unknown): string {
  return JSON.stringify(raw);
}

/** Returns a row from the text of its column, or throws the error that names it. */
export function fromDoc<T>(key: string, doc: string, decode: (key: string, raw: unknown) => T): T {
  return decode(key, parsed(key, doc));
}

function parsed(key: string, doc: string): unknown {
  try {
    return JSON.parse(doc);
  } catch (cause) {
    throw malformedRow(key, 'its text is not JSON', cause);
  }
}
