/** An object that came from outside: each of its fields may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns what a JSON text says, or undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON object in a text, or null if it is none. */
export function parseObject(text: string): JsonObject | null {
  return asObject(parseJson(text));
}

/** Returns the value if it is a JSON object, else null. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
