type Json = Record<string, unknown>;

/** Where a value stands in a JSON body: the keys and indices that lead to it. */
type Path = readonly (string | number)[];

/** What becomes of one field of a body: the ways in which the venue's forms have changed so far. */
export const DRIFTS = ['missing', 'null', 'respelled', 'another word', 'another kind', 'one more field'] as const;

export interface Drift {
  readonly path: Path;
  readonly how: (typeof DRIFTS)[number];
  /** Which of the words, or of the other kinds. */
  readonly pick: number;
}

const WORDS = ['drifted', '', '-1', 'null', '[]', '{}', '0x'] as const;
const KINDS = [{}, [], true, [null], { value: 1 }, 7.5] as const;

/** Returns the path of every field of a body, also of what lies in its lists and objects. */
export function fieldsIn(body: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(body)) return body.flatMap((value, at) => fieldsIn(value, [...path, at]));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [[...path, key], ...fieldsIn(value, [...path, key])]);
}

/** Returns the body with one field as a drift leaves it; the body itself stays as it is. */
export function drifted(body: unknown, { path, how, pick }: Drift): unknown {
  const copy = structuredClone(body);
  let holder = copy as Json;
  for (const key of path.slice(0, -1)) holder = holder[key] as Json;
  const name = path.at(-1)!;
  const value = holder[name];
  if (how === 'missing') delete holder[name];
  else if (how === 'one more field') holder[`${name}_new`] = value;
  else holder[name] = replaced(value, how, pick);
  return copy;
}

function replaced(value: unknown, how: Drift['how'], pick: number): unknown {
  if (how === 'null') return null;
  if (how === 'respelled') return respelled(value);
  // In the place of a list an empty one is no word, but another list.
  const words = Array.isArray(value) ? WORDS.filter((word) => word !== '[]') : WORDS;
  if (how === 'another word') return words[pick % words.length];
  // Another number is no other kind of what is a number, however it is written.
  const others = KINDS.filter((kind) => typeof kind !== typeof value && typeof kind !== typeof readable(value));
  return others[pick % others.length];
}

/** The same value in the other kind of JSON that it can be written in. */
function respelled(value: unknown): unknown {
  if (typeof value === 'string') return readable(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a text holds as JSON; the text itself where that is nothing, or loses digits. */
function readable(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    return JSON.stringify(read).length < value.length - 2 || (typeof read === 'number' && read > 1e15) ? value : read;
  } catch {
    return value;
  }
}
