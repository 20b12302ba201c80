import { OutsideError } from '#domain/errors';
import { parseWallet, type WalletAddress } from '#domain/ids';

/**
 * Schema version that every stored row begins with. A row of another version is refused, never
 * guessed at.
 */
export const ROW_VERSION = 2;

const DIGITS = /^[0-9]+$/;

/** Returns the error for a row that cannot be understood; it names the row and says what to do. */
export function malformedRow(key: string, what: string, cause?: unknown): OutsideError {
  return new OutsideError('store', `row ${key} is malformed: ${what}; restore the store from a backup`, {
    failure: 'final',
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Returns the fields of a row of the known version and length. Up to `optional` fields at its end
 * may be missing.
 */
export function fields(key: string, raw: unknown, length: number, optional = 0): readonly unknown[] {
  const row = list(key, raw, 'row');
  if (row[0] !== ROW_VERSION) throw malformedRow(key, `schema version is ${row[0]}, this program knows ${ROW_VERSION}`);
  if (row.length > length || row.length < length - optional) {
    const range = optional === 0 ? length : `${length - optional} to ${length}`;
    throw malformedRow(key, `has ${row.length} fields instead of ${range}`);
  }
  return row;
}

/** Returns the value, which has to be a list. `name` says which field of the row it is. */
export function list(key: string, value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedRow(key, `${name} is not a list`);
  return value;
}

/** Returns the value, which has to be a whole number of at least 0. */
export function count(key: string, value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw malformedRow(key, `${name} is not a whole number`);
  return value as number;
}

/** Returns the value, which has to be a text. */
export function text(key: string, value: unknown, name: string): string {
  if (typeof value !== 'string') throw malformedRow(key, `${name} is not a text`);
  return value;
}

/** Returns the value, which has to be a text or null. */
export function textOrNull(key: string, value: unknown, name: string): string | null {
  return value === null ? null : text(key, value, name);
}

/**
 * Returns the value, which has to be a text of decimal digits: an amount or a moment, as it was
 * signed.
 */
export function digits(key: string, value: unknown, name: string): string {
  const found = text(key, value, name);
  if (!DIGITS.test(found)) throw malformedRow(key, `${name} is not a text of digits`);
  return found;
}

/** Returns the value, which has to be a wallet or contract address in its one spelling. */
export function address(key: string, value: unknown, name: string): WalletAddress {
  const found = text(key, value, name);
  const parsed = parseWallet(found);
  if (parsed === null || parsed !== found) throw malformedRow(key, `${name} is not an address in lower case`);
  return parsed;
}

/** Returns the value, which has to be true or false. */
export function flag(key: string, value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw malformedRow(key, `${name} is neither true nor false`);
  return value;
}

/** Returns the name at that index: names are stored by their place in the list. */
export function oneOf<T>(key: string, names: readonly T[], index: unknown, name: string): T {
  const found = typeof index === 'number' ? names[index] : undefined;
  if (found === undefined) throw malformedRow(key, `${name} is not one that is known`);
  return found;
}
