import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-tree.js';

const PAGE = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');

/**
 * The text below a heading of docs/operate.md, up to the next one of its level or above. Throws if
 * there is none.
 */
export function sectionOf(heading: string): string {
  const lines = PAGE.split('\n');
  const at = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  if (at < 0) throw new Error(`docs/operate.md has no heading "${heading}"`);
  const level = lines[at]!.indexOf(' ');
  const end = lines.findIndex((line, n) => n > at && /^#+ /.test(line) && line.indexOf(' ') <= level);
  return lines.slice(at + 1, end < 0 ? undefined : end).join('\n');
}

/**
 * The blocks of commands under a heading that are meant to be run as they stand, in their order.
 */
export function commandsOf(heading: string): readonly string[] {
  return [...sectionOf(heading).matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block]) =>
    block!.replaceAll(/^ {3}/gm, '').trim(),
  );
}

/** The rows of the tables under a heading, without their heads: cells as they stand. */
export function rowsOf(heading: string): readonly (readonly string[])[] {
  const rows = sectionOf(heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  return rows.filter((_, n) => n > 0 && !rows[n]![0]!.startsWith('---')).filter(([first]) => first !== undefined);
}
