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
 * Takes the switches out of a query or a body. The rest becomes a plain object, which is parsed twice as fast as the
 * prototype-less one of a query string; a `__proto__` in it stays an ordinary unknown parameter.
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

/** Reads one switch as it came, from a query (text), a body (number) or not at all. */
export function readToolFlag(raw: unknown): ToolFlag {
  if (raw === undefined) return 'absent';
  return raw === 1 || raw === '1' ? 'set' : 'malformed';
}
