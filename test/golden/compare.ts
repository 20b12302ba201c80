import { readFileSync } from 'node:fs';
import type { Entries } from './recording.js';

const DIFFERENCES_SHOWN_MAX = 40;
const CHARS_SHOWN = 300;

/** Returns a text for each entry that is not the same in two recordings. */
export function differences(fileA: string, fileB: string): readonly string[] {
  const [a, b] = [readEntries(fileA), readEntries(fileB)];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return names.flatMap((name) => {
    const [textA, textB] = [textOf(a[name]), textOf(b[name])];
    if (textA === textB) return [];
    const at = firstDifference(textA, textB);
    return [
      `${name}\n  - ${textA.slice(Math.max(0, at - 60), at + CHARS_SHOWN)}\n  + ${textB.slice(Math.max(0, at - 60), at + CHARS_SHOWN)}`,
    ];
  });
}

/** Returns what a person is shown of the differences. */
export function reportOf(found: readonly string[], entries: number): string {
  if (found.length === 0) return `identical: ${entries} answers`;
  const rest = found.length - DIFFERENCES_SHOWN_MAX;
  return [
    ...found.slice(0, DIFFERENCES_SHOWN_MAX),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    `${found.length} differ`,
  ].join('\n');
}

export function readEntries(file: string): Entries {
  return JSON.parse(readFileSync(file, 'utf8')) as Entries;
}

function textOf(entry: unknown): string {
  return entry === undefined ? '(absent)' : JSON.stringify(entry);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
