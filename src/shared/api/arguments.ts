import type { z } from 'zod';

/** Parameters that were understood, or what is wrong with them in words for the caller. */
export type Parsed<Args> =
  | { readonly kind: 'parsed'; readonly args: Args }
  | { readonly kind: 'invalid'; readonly message: string };

/** Of what a caller sent, this much is repeated in a message. */
const KEYS_SHOWN_MAX = 3;
const KEY_LENGTH_MAX = 40;
const FAULTS_SHOWN_MAX = 5;

/** Parses raw parameters (a query or a JSON body) and puts all that is wrong into one message. */
export function parseArguments<Args>(schema: z.ZodType<Args>, raw: unknown): Parsed<Args> {
  const result = schema.safeParse(raw);
  if (result.success) return { kind: 'parsed', args: result.data };
  const faults = result.error.issues.slice(0, FAULTS_SHOWN_MAX).map((issue) => toText(issue) + severalText(issue, raw));
  return { kind: 'invalid', message: faults.join('; ') };
}

/** No parameter is a list: one that is was given more than once in a query, or as a list in a body. */
function severalText({ path: [key] }: z.core.$ZodIssue, raw: unknown): string {
  const isList = typeof key === 'string' && Array.isArray((raw as Record<string, unknown>)[key]);
  return isList ? ': give one value, not several' : '';
}

function toText(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message;
  const shown = issue.keys.slice(0, KEYS_SHOWN_MAX).map((key) => JSON.stringify(key.slice(0, KEY_LENGTH_MAX)));
  const rest = issue.keys.length - shown.length;
  return `unknown parameter ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: remove it or correct its spelling`;
}
