import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Part of `npm run lint`: finds words that texts for people and models do without, in pages of
 * documentation, deployment files and code (comments excepted), and names a better one. Exits with
 * 1 if there are any.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Each is a whole word or phrase, in any case, with what to write. */
const WORDS = [
  ['told|tells?', 'name what happens: shows, lists, reports, answers, sends'],
  ['whoever', 'anyone who, the caller who'],
  ['somebody|anybody|nobody', 'name the person, or: someone, anyone, no one'],
  ['anew', 'again'],
  ['in work', 'running'],
  ['(?<!instead )of (?:its|their|our|your|his) own', 'its own, separate'],
  ['by (?:itself|themselves)', 'automatically, or leave it out'],
  ['as it says', 'leave it out'],
  ['stands?', 'is, counts, applies'],
  ['catalogue|behaviour|defence|reorganis\\w+|neighbour\\w*', 'the American spelling'],
];

/** Where a word is a name of other people, or written into files and signatures that stay valid. */
const ALLOWED = [
  // Tables and fields of the tape's manifest.
  [/^src\/server\/adapters\/tape\//, /told/],
  // A user of the system.
  [/^src\/local\/(README\.md|postgres\/find-postgres\.ts)$/, /nobody/],
  // The address of an example wallet is made of it.
  [/^src\/local\/venue\/history\/example-wallets\.ts$/, /nobody/],
  // A reason that signed evidence repeats.
  [/^src\/shared\/domain\/order\/reasons\.ts$/, /stands/],
  // This list.
  [/^scripts\/lint-words\.mjs$/, /./],
];

const READ = /\.md$|^deploy\/|^(src|machines|streams|scripts|clients|examples)\/.*\.(ts|tsx|mjs|py)$/;
const NOT_READ = /^CHANGELOG\.md$/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[^:'"`])\/\/[^\n]*/g;
const PATTERN = new RegExp(`\\b(?:${WORDS.map(([words]) => `(${words})`).join('|')})\\b`, 'gi');

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const found = files.filter((path) => READ.test(path) && !NOT_READ.test(path)).flatMap(wordsOf);
for (const { path, line, word, better } of found) console.error(`${path}:${line} "${word}": ${better}`);
process.exitCode = found.length === 0 ? 0 : 1;

function wordsOf(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const read = /\.(ts|tsx|mjs)$/.test(path) ? text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, '')) : text;
  return read.split('\n').flatMap((line, n) =>
    [...line.matchAll(PATTERN)]
      .filter(([word]) => !ALLOWED.some(([where, what]) => where.test(path) && what.test(word)))
      .map(([word, ...groups]) => ({
        path,
        line: n + 1,
        word,
        better: WORDS[groups.findIndex((group) => group !== undefined)][1],
      })),
  );
}
