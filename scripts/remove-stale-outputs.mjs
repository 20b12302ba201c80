import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs after every build: the compiler never deletes what it once wrote, so after a source was
 * moved or removed its old output would stay in dist/, and an old test in it would run again.
 * After, not before: the compiler has then noted that it no longer has this source, and writes the
 * output again if the source comes back. The first argument is the root of the project, by default
 * this one.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));
const dist = join(root, 'dist');

/** Outputs by how they end, and how their source ends. JSON and SQL files are copied. */
const ENDINGS = [
  ['.js.map', '.ts'],
  ['.js', '.ts'],
  ['.json', '.json'],
  ['.sql', '.sql'],
];

for (const path of listFiles(dist)) {
  const ending = ENDINGS.find(([output]) => path.endsWith(output));
  if (ending === undefined) continue;
  const [output, source] = ending;
  const sourcePath = join(root, `${relative(dist, path).slice(0, -output.length)}${source}`);
  if (!existsSync(sourcePath)) rmSync(path);
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
