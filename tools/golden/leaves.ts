/** A value inside an answer, with the way to it. */
export interface Leaf {
  readonly path: string;
  readonly text: string;
  /** Whether it is written for people: what has words in it. */
  readonly isProse: boolean;
}

const WORDS = /[a-z]{2}.* .*[a-z]{2}/is;
const BASE64 = /^[A-Za-z0-9+/]{40,}={0,2}$/;

/**
 * Returns the leaves of a recorded answer. Text that holds JSON, or base64 of it as payment headers
 * do, is looked into; a document of several lines is a leaf for each line.
 */
export function leavesOf(value: unknown, path = ''): readonly Leaf[] {
  if (typeof value === 'string') return leavesOfText(value, path);
  if (typeof value !== 'object' || value === null) return [leaf(path, String(value))];
  const entries = Object.entries(value);
  if (entries.length === 0) return [leaf(path, JSON.stringify(value))];
  return entries.flatMap(([key, inner]) =>
    isHeader(path, inner) ? leavesOf(inner[1], `${path}:${inner[0]}`) : leavesOf(inner, `${path}/${key}`),
  );
}

/** Headers are pairs in a list: their names say more than their places. */
function isHeader(path: string, inner: unknown): inner is readonly [string, string] {
  return path.endsWith('/headers') && Array.isArray(inner);
}

function leavesOfText(text: string, path: string): readonly Leaf[] {
  const json = jsonIn(text) ?? (BASE64.test(text) ? jsonIn(Buffer.from(text, 'base64').toString('utf8')) : null);
  if (json !== null) return leavesOf(json, `${path}(json)`);
  if (!text.includes('\n')) return [leaf(path, text)];
  return text.split('\n').map((line) => ({ path: `${path}(line)`, text: line, isProse: true }));
}

/** Of a header only what is coded in it can be written for people. */
function leaf(path: string, text: string): Leaf {
  const isPlainHeader = path.includes('/headers:') && !path.includes('(json)');
  return { path, text, isProse: WORDS.test(text) && !isPlainHeader };
}

function jsonIn(text: string): object | null {
  if (!/^[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
