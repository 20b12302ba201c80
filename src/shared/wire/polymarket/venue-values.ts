import { z } from 'zod';
import { parseJson } from '#domain/json';

/*
 * Values of the venue's JSON. The venue writes one kind of value in more than one way, and the same
 * field not always in the same: a number as text, a text as a number, a list or an object as JSON
 * text inside JSON. All of that is read; what is none of it makes what holds the field unreadable.
 */

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** A number, or a decimal as text; null where the text is empty, as the venue writes an absent one. */
export const NumberSchema = z.union([
  z.number(),
  z.string().transform((text, context) => {
    const written = text.trim();
    if (written === '') return null;
    const value = DECIMAL.test(written) ? Number(written) : Number.NaN;
    if (Number.isFinite(value)) return value;
    context.addIssue({ code: 'custom', message: 'must be a number' });
    return z.NEVER;
  }),
]);

/** A text, or a number that is one: a whole number only where it was read to its last digit. */
export const TextSchema = z.union([
  z.string(),
  z
    .number()
    .refine((value) => Number.isSafeInteger(value) || !Number.isInteger(value))
    .transform(String),
]);

const FLAGS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['', null],
]);

/** A boolean, or its word; null where the text is empty. */
export const FlagSchema = z.union([
  z.boolean(),
  z.string().transform((text, context) => {
    const flag = FLAGS.get(text.trim().toLowerCase());
    if (flag !== undefined) return flag;
    context.addIssue({ code: 'custom', message: 'must be true or false' });
    return z.NEVER;
  }),
]);

/** Returns the schema of a field that holds a value of `schema`, or JSON text of one. */
export function fromJsonText<Value extends z.ZodType>(schema: Value) {
  return z.preprocess(readText, schema);
}

/** Returns the schema of a field that may be absent, null or empty too. */
export function orJsonText<Value extends z.ZodType>(schema: Value) {
  return fromJsonText(schema.nullish()).optional();
}

/** What is no JSON stays the text that it is, and fits no list and no object. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return null;
  const read = parseJson(value);
  return read === undefined ? value : read;
}

/** A list of texts, as Gamma writes most of them: as JSON text. */
export const TextListSchema = orJsonText(z.array(TextSchema));
