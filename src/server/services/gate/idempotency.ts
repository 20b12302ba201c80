import { hash } from 'node:crypto';
import { Problem } from '#domain/errors';

/** Longest Idempotency-Key. */
const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

const KEY = /^[\x20-\x7e]+$/;

/**
 * Returns why an Idempotency-Key cannot be one: it is not 1 to 255 printable ASCII characters; null:
 * it is one, or there is none.
 */
export function idempotencyKeyFault(key: string | null): Problem | null {
  if (key === null || (key.length <= IDEMPOTENCY_KEY_LENGTH_MAX && KEY.test(key))) return null;
  const text = `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters`;
  return new Problem('invalid_parameter', text);
}

/**
 * Returns the name of a request: SHA-256 over the tool and its parsed parameters, 64 hexadecimal
 * digits. Parsed, so that `usd=100`, `usd=100.0` and a body with the default left out are one
 * request, by GET or POST.
 */
export function requestFingerprint(tool: string, args: unknown): string {
  return hash('sha256', JSON.stringify([tool, sorted(args)]), 'hex');
}

/** The same value with the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
