import { z } from 'zod';

/** `sandbox` and `x402_probe`: the only allowed value is 1 (docs/interface.md, "Free switches"). */
const ToolFlagSchema = z.union([z.literal(1), z.literal('1')]);

/** The two free switches by the names they have in a query or a body. */
export const ToolFlagsSchema = z.object({
  sandbox: ToolFlagSchema.optional().describe('1 returns a deterministic example: free, never rate-limited.'),
  x402_probe: ToolFlagSchema.optional().describe('1 returns the payment terms without paying: always free.'),
});

export type ToolFlag = 'absent' | 'set' | 'malformed';

/** Raw parameters with the switches taken out. */
export interface FlaggedArguments<Args = Readonly<Record<string, unknown>>> {
  readonly sandbox: ToolFlag;
  readonly x402Probe: ToolFlag;
  readonly args: Args;
}

/**
 * Takes the switches out of a query or a body. The rest becomes a plain object, which is parsed
 * twice as fast as the prototype-less one of a query string; a `__proto__` in it stays an ordinary
 * unknown parameter.
 */
export function splitToolFlags(raw: Readonly<Record<string, unknown>>): FlaggedArguments {
  const hasFlags = 'sandbox' in raw || 'x402_probe' in raw;
  if (!hasFlags && Object.getPrototypeOf(raw) !== null) return { sandbox: 'absent', x402Probe: 'absent', args: raw };
  const args: Record<string, unknown> = {};
  for (const key in raw) {
    if (key === 'sandbox' || key === 'x402_probe') continue;
    if (key === '__proto__') Object.defineProperty(args, key, { value: raw[key], enumerable: true });
    else args[key] = raw[key];
  }
  return { sandbox: readToolFlag(raw.sandbox), x402Probe: readToolFlag(raw.x402_probe), args };
}

/** Reads one switch as it came, from a query (text), a body (number or null) or not at all. */
export function readToolFlag(raw: unknown): ToolFlag {
  if (raw === undefined || raw === null) return 'absent';
  return raw === 1 || raw === '1' ? 'set' : 'malformed';
}

/** Returns what a switch says that may stand in two places, a query and a body. */
export function eitherFlag(a: ToolFlag, b: ToolFlag): ToolFlag {
  if (a === 'set' || b === 'set') return 'set';
  return a === 'malformed' || b === 'malformed' ? 'malformed' : 'absent';
}

/** Parameters that were understood, or what is wrong with them in words for the caller. */
export type Parsed<Args> =
  | { readonly kind: 'parsed'; readonly args: Args }
  | { readonly kind: 'invalid'; readonly message: string };

/** Of what a caller sent, this much is repeated in a message. */
const KEYS_SHOWN_MAX = 3;
const KEY_LENGTH_MAX = 40;
const FAULTS_SHOWN_MAX = 5;

/**
 * Returns raw parameters without those that are null: many clients send null for what their model
 * left out.
 */
export function withoutNulls(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const values = Object.values(raw);
  if (!values.includes(null)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

/** Parses raw parameters (a query or a JSON body) and puts all that is wrong into one message. */
export function parseArguments<Args>(schema: z.ZodType<Args>, raw: unknown): Parsed<Args> {
  const result = schema.safeParse(withoutNulls(raw));
  if (result.success) return { kind: 'parsed', args: result.data };
  const faults = result.error.issues.slice(0, FAULTS_SHOWN_MAX).map((issue) => toText(issue) + severalText(issue, raw));
  return { kind: 'invalid', message: faults.join('; ') };
}

/**
 * No parameter is a list: one that is was given more than once in a query, or as a list in a body.
 */
function severalText({ path: [key] }: z.core.$ZodIssue, raw: unknown): string {
  const isList = typeof key === 'string' && Array.isArray((raw as Record<string, unknown>)[key]);
  return isList ? ': give one value, not several' : '';
}

/** Messages that do not name their parameter, such as those of zod itself, get its name before them. */
function toText(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') {
    const [name] = issue.path;
    if (name === undefined || issue.message.includes(String(name))) return issue.message;
    return `${issue.path.join('.')}: ${issue.message}`;
  }
  const named = issue.keys.slice(0, KEYS_SHOWN_MAX).map((key) => [...issue.path, key.slice(0, KEY_LENGTH_MAX)]);
  const shown = named.map((path) => JSON.stringify(path.join('.')));
  const rest = issue.keys.length - shown.length;
  return `unknown parameter ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: remove it or correct its spelling`;
}
