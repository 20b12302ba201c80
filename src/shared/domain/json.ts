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

/**
 * Returns a name that stands twice in one object of a JSON text, as it is read; null if none does.
 * Readers differ in which of the two they take (I-JSON, RFC 7493, forbids it), so what one has
 * checked is not what another acts upon. The text has to be JSON.
 */
export function repeatedName(json: string): string | null {
  /** The names of each object around; null for a list. */
  const around: (Set<string> | null)[] = [];
  let last: string | null = null;
  for (let at = 0; at < json.length; at++) {
    const mark = json[at]!;
    const names = around.at(-1);
    if (mark === '"') {
      const end = endOfText(json, at);
      last = json.slice(at, end + 1);
      at = end;
    } else if (mark === '{') around.push(new Set());
    else if (mark === '[') around.push(null);
    else if (mark === '}' || mark === ']') around.pop();
    else if (mark === ':' && names && last !== null) {
      const name = JSON.parse(last) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return null;
}

/** Where the text ends that begins there: at the first quote that is not escaped. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; ; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"' || at >= json.length) return at;
  }
}
