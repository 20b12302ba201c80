import { readFileSync } from 'node:fs';
import { type Leaf, leavesOf } from './leaves.js';
import { withoutNoise } from './noise.js';
import type { Entries } from './recording.js';

/** What differs between two recordings. */
export interface Differences {
  /** Entries that are not the same, byte for byte. */
  readonly entries: number;
  /** Each change of a text for people once, with the number of answers that have it. */
  readonly sentences: ReadonlyMap<string, number>;
  /** Everything else: statuses, headers, members, numbers, codes. */
  readonly others: readonly string[];
}

/** These follow from the body. */
const FOLLOWS = /:(?:Content-Length|ETag)$/i;

export function compare(a: Entries, b: Entries): Differences {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const different = names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
  const sentences = new Map<string, number>();
  const others: string[] = [];
  for (const name of different) {
    const [left, right] = onlyIn(leavesOf(a[name] ?? 'absent'), leavesOf(b[name] ?? 'absent'));
    const [leftProse, rightProse] = [left, right].map((leaves) => leaves.filter(({ isProse }) => isProse));
    for (const change of sentenceChanges(leftProse!, rightProse!))
      sentences.set(change, (sentences.get(change) ?? 0) + 1);
    const isOther = ({ isProse, path }: Leaf) =>
      !isProse && !(leftProse!.length + rightProse!.length > 0 && FOLLOWS.test(path));
    const changes = pairsOf(left.filter(isOther), right.filter(isOther));
    others.push(...changes.map(([before, after]) => `${name} ${(before ?? after)!.path}\n${textOf(before, after)}`));
  }
  return { entries: different.length, sentences, others };
}

/** The leaves of each side that the other one does not have. */
function onlyIn(left: readonly Leaf[], right: readonly Leaf[]): readonly [readonly Leaf[], readonly Leaf[]] {
  const keyOf = ({ path, text }: Leaf) => `${path}\n${text}`;
  const without = (leaves: readonly Leaf[], others: readonly Leaf[]) => {
    const existing = new Set(others.map(keyOf));
    return leaves.filter((leaf) => !existing.has(keyOf(leaf)));
  };
  return [without(left, right), without(right, left)];
}

type Pair = readonly [before: Leaf | null, after: Leaf | null];

/** Removed and added leaves, those of one path beside each other. */
function pairsOf(left: readonly Leaf[], right: readonly Leaf[]): readonly Pair[] {
  const rest = [...right];
  const pairs = left.map((before): Pair => {
    const at = rest.findIndex(({ path }) => path === before.path);
    return [before, at < 0 ? null : rest.splice(at, 1)[0]!];
  });
  return [...pairs, ...rest.map((after): Pair => [null, after])];
}

/** Where a sentence stands does not matter: the same one stands in many answers. */
function sentenceChanges(left: readonly Leaf[], right: readonly Leaf[]): ReadonlySet<string> {
  return new Set(pairsOf(left, right).map(([before, after]) => textOf(before, after)));
}

function textOf(before: Leaf | null, after: Leaf | null): string {
  return `  - ${before?.text ?? '(absent)'}\n  + ${after?.text ?? '(absent)'}`;
}

/** Returns the comparison as a person reads it. */
export function reportOf({ entries, sentences, others }: Differences, all: number): string {
  if (entries === 0) return `identical: ${all} answers`;
  const changed = [...sentences].sort(([, a], [, b]) => b - a).map(([change, count]) => `${count} times\n${change}`);
  return [
    `${entries} of ${all} answers differ`,
    `${sentences.size} changes of sentences:`,
    ...changed,
    `${others.length} other changes:`,
    ...others,
  ].join('\n');
}

/** Recordings of before noise was left out are read like those of today. */
export function readEntries(file: string): Entries {
  return withoutNoise(JSON.parse(readFileSync(file, 'utf8')) as Entries);
}
