import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after every build: lists the compiled files that a verdict is computed with, in
 * dist/engine.sha256, as sha256sum writes and checks them. The hash of that list is the engine's
 * name in every evidence. The first argument is the root of the project, by default this one.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const dist = join(root, 'dist');

/** Where the computation begins: all that these import belongs to it. */
const BEGINNINGS = ['assess.js', 'verdict-body.js', 'plan-members.js', 'evidence-payload.js'].map((name) =>
  join(dist, 'src/judge', name),
);
const IMPORT = /\bfrom '([^']+)';$/gm;
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const found = new Set();
const waiting = [...BEGINNINGS];
while (waiting.length > 0) {
  const path = waiting.pop();
  if (found.has(path)) continue;
  found.add(path);
  for (const [, target] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
    const file = fileOf(target, path);
    if (file !== null) waiting.push(file);
  }
}

/** The file behind an import; null for a package, whose version is pinned. */
function fileOf(target, importer) {
  if (target.startsWith('.')) return resolve(dirname(importer), target);
  const room = /^(#\w+\/)/.exec(target)?.[1];
  if (room === undefined) return null;
  return join(root, imports[`${room}*`].default.replace('*', target.slice(room.length)));
}

const lines = [...found]
  .map((path) => relative(dist, path).replaceAll('\\', '/'))
  .sort()
  .map(
    (path) =>
      `${createHash('sha256')
        .update(readFileSync(join(dist, path)))
        .digest('hex')}  ${path}\n`,
  );
writeFileSync(join(dist, 'engine.sha256'), lines.join(''));
