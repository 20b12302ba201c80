import { count, list, malformedRow, text, textOrNull } from './row-fields.js';

/**
 * Reads the fields of a row one after the other. Each throws the OutsideError that names row and
 * field.
 */
export interface RowReader {
  count(name: string): number;
  countOrNull(name: string): number | null;
  /** Any finite number. */
  number(name: string): number;
  numberOrNull(name: string): number | null;
  counts(name: string): readonly number[];
  text(name: string): string;
  textOrNull(name: string): string | null;
  texts(name: string): readonly string[];
  /** A text that has to be one of these. */
  oneOf<T extends string>(names: readonly T[], name: string): T;
  /** The fields of an inner list. */
  inner(name: string, length: number): RowReader;
}

/** Returns a reader of a list that has to be so long. `what` says which list of the row it is. */
export function readFields(key: string, raw: unknown, length: number, what = 'row'): RowReader {
  const values = list(key, raw, what);
  if (values.length !== length) throw malformedRow(key, `${what} has ${values.length} fields instead of ${length}`);
  let at = 0;
  const next = () => values[at++];
  const number = (value: unknown, name: string): number => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw malformedRow(key, `${name} is not a number`);
    return value;
  };
  const orNull = <T>(read: (value: unknown, name: string) => T, name: string): T | null => {
    const value = next();
    return value === null ? null : read(value, name);
  };
  return {
    count: (name) => count(key, next(), name),
    countOrNull: (name) => orNull((value) => count(key, value, name), name),
    number: (name) => number(next(), name),
    numberOrNull: (name) => orNull(number, name),
    counts: (name) => list(key, next(), name).map((value) => count(key, value, name)),
    text: (name) => text(key, next(), name),
    textOrNull: (name) => textOrNull(key, next(), name),
    texts: (name) => list(key, next(), name).map((value) => text(key, value, name)),
    oneOf(names, name) {
      const value = next();
      const found = names.find((existing) => existing === value);
      if (found === undefined) throw malformedRow(key, `${name} is not one that is known`);
      return found;
    },
    inner: (name, innerLength) => readFields(key, next(), innerLength, name),
  };
}
