import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiTypes } from './api-types.mjs';

/* Runs after every build: writes the declarations of the client's package, of its entries and all that they name. */

const ENTRIES = [
  'src/client/index',
  'src/client/engine',
  'src/client/node/index',
  'src/client/guard/index',
  'src/client/cli/index',
];
const TARGET = /(?<=\bfrom '|\bfrom "|\bimport\('|\bimport\(")[^'"]+/g;
/**
 * Types of answers follow from schemas, which no caller is to install: they are written out in this
 * file.
 */
const API = 'api';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const OUT = join(ROOT, 'dist/client/dist/types');

execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.client.json'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
});
const { files, apiNames } = collect(ROOT);
rmSync(OUT, { recursive: true, force: true });
for (const [name, text] of files) put(name, text);
put(API, await apiTypes(ROOT, apiNames));

function put(name, text) {
  const path = join(OUT, `${name}.d.ts`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Declarations by name, their imports relative, and the types of src/shared/api/ that they name,
 * each with its module.
 */
function collect(root) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = new Map();
  const apiNames = new Map();
  const waiting = [...ENTRIES];
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (files.has(name)) continue;
    const text = readFileSync(join(root, 'dist/client-types', `${name}.d.ts`), 'utf8');
    for (const [, list, module] of text.matchAll(/import (?:type )?\{([^}]*)\} from '#(api\/[^']+)'/g)) {
      for (const one of list.split(',')) apiNames.set(nameOf(one), module);
    }
    const relative = text.replace(TARGET, (target) => {
      const found = fileOf(name, target, imports);
      if (found === null) return target;
      if (found !== API) waiting.push(found);
      return relativeOf(name, found);
    });
    files.set(name, relative);
  }
  return { files, apiNames };
}

/** `type Name as Other` names Name. */
function nameOf(specifier) {
  return /^\s*(?:type\s+)?(\w+)/.exec(specifier)[1];
}

/** The declaration behind an import; null for a package. */
function fileOf(importer, target, imports) {
  if (target.startsWith('.')) return posix.join(posix.dirname(importer), target).replace(/\.js$/, '');
  const room = /^#(\w+)\//.exec(target)?.[1];
  if (room === undefined) return null;
  if (room === 'api') return API;
  const [folder] = imports[`#${room}/*`]['@preflight/source'].split('*');
  return posix.join(folder, target.slice(room.length + 2));
}

function relativeOf(importer, found) {
  const path = posix.relative(posix.dirname(importer), found);
  return `${path.startsWith('.') ? path : `./${path}`}.js`;
}
