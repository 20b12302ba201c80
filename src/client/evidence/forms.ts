import { asObject } from '#domain/json';

/**
 * How the form of evidence is checked, without a library, because it also runs in pages.
 */

/** Returns the path of the first member that is not as it has to be; null if all are. */
export type Form = (value: unknown, path: string) => string | null;

/** The last moment that a Date can name. */
export const DATE_MS_MAX = 8.64e15;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
/** The last moment that a Date can name, in seconds. */
export const TIME_S_MAX = DATE_MS_MAX / 1e3;

export const that =
  (holds: (value: unknown) => boolean): Form =>
  (value, path) =>
    holds(value) ? null : path;

/** An object with these members and no others. */
export const members = (forms: Readonly<Record<string, Form>>): Form => {
  const known = Object.entries(forms);
  return (value, path) => {
    const object = asObject(value);
    if (object === null) return path;
    for (const [name, form] of known) {
      const fault = form(object[name], `${path}.${name}`);
      if (fault !== null) return fault;
    }
    return Object.keys(object).every((name) => Object.hasOwn(forms, name)) ? null : path;
  };
};

export const maybe =
  (form: Form): Form =>
  (value, path) =>
    value === undefined ? null : form(value, path);

export const listOf =
  (form: Form, { min, max }: { readonly min: number; readonly max: number }): Form =>
  (value, path) => {
    if (!Array.isArray(value) || value.length < min || value.length > max) return path;
    for (const [at, entry] of value.entries()) {
      const fault = form(entry, `${path}.${at}`);
      if (fault !== null) return fault;
    }
    return null;
  };

export const text = that((value) => typeof value === 'string');
export const flag = that((value) => typeof value === 'boolean');
export const matching = (pattern: RegExp) => that((value) => typeof value === 'string' && pattern.test(value));
export const oneOf = (...values: readonly unknown[]) => that((value) => values.includes(value));
export const between = (min: number, max: number) =>
  that((value) => typeof value === 'number' && value >= min && value <= max);
export const wholeBetween = (min: number, max: number) =>
  that((value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max);
export const above0 = (max: number) => that((value) => typeof value === 'number' && value > 0 && value <= max);
export const finite = that(Number.isFinite);
export const notNegative = that((value) => Number.isFinite(value) && Number(value) >= 0);
export const url = that((value) => typeof value === 'string' && URL.canParse(value));
export const moment = that(
  (value) =>
    typeof value === 'string' && MOMENT.test(value) && new Date(Date.parse(value) || 0).toISOString() === value,
);
/** A moment to the second. */
export const instant = that(
  (value) =>
    typeof value === 'string' &&
    INSTANT.test(value) &&
    new Date(Date.parse(value) || 0).toISOString() === value.replace('Z', '.000Z'),
);
export const orNull =
  (form: Form): Form =>
  (value, path) =>
    value === null ? null : form(value, path);
