import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { engineDefine } from '../engine-define.mjs';

/**
 * Runs after every build: bundles src/page into dist/page. `assets/` holds what browsers load,
 * named by content and compressed in both forms; `render.js` is what the service renders the
 * documents with at start; `manifest.json` says which page needs which of the assets
 * (src/shared/api/pages.ts). What a bundle is made of is kept in `metafiles.json`, for the tests
 * that weigh it.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const OUT = join(ROOT, 'dist/page');
const ASSETS = join(OUT, 'assets');
const PAGE = 'src/page';
const TYPES = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8' };

const COMMON = {
  absWorkingDir: ROOT,
  tsconfig: join(PAGE, 'tsconfig.json'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  metafile: true,
  legalComments: 'none',
  conditions: ['@preflight/source', 'module'],
  define: engineDefine(ROOT),
  logLevel: 'warning',
};

rmSync(OUT, { recursive: true, force: true });
const [pages, theme, styles] = await Promise.all([
  buildPages(),
  // Not a module, so that it runs before the first paint.
  buildOne('entries/theme.ts', { format: 'iife' }),
  buildStyles(),
  build({
    ...COMMON,
    entryPoints: [`${PAGE}/render.tsx`],
    outfile: join(OUT, 'render.js'),
    platform: 'neutral',
  }),
]);
const modules = Object.fromEntries(pages.map(({ name, metafile }) => [name, modulesOf(metafile)]));
const { name: sdk } = JSON.parse(readFileSync(join(ROOT, 'src/client/package/package.json'), 'utf8'));
const manifest = { styles, theme: onlyOutput(theme), modules, sdk, files: compressAll() };
writeFileSync(join(OUT, 'manifest.json'), JSON.stringify(manifest));
writeFileSync(join(OUT, 'metafiles.json'), JSON.stringify({ ...named(pages), theme: theme.metafile }));

/** One bundle per page: pages that share chunks would each need more requests for fewer bytes. */
function buildPages() {
  const entries = readdirSync(join(ROOT, PAGE, 'entries')).filter((file) => file.endsWith('.tsx'));
  return Promise.all(
    entries.map(async (file) => {
      const plugins = [inOneChunk(join(ROOT, PAGE, 'entries', file))];
      const options = { splitting: true, chunkNames: '[name]-[hash]', plugins };
      return { name: file.slice(0, -'.tsx'.length), metafile: (await buildOne(`entries/${file}`, options)).metafile };
    }),
  );
}

/** One style sheet per page: each is one request, and has no rules that the page does not need. */
async function buildStyles() {
  const files = readdirSync(join(ROOT, PAGE, 'styles/pages'));
  const built = files.map(async (file) => [file.slice(0, -'.css'.length), await buildOne(`styles/pages/${file}`)]);
  return Object.fromEntries((await Promise.all(built)).map(([name, result]) => [name, onlyOutput(result)]));
}

/**
 * Lets whatever a page loads later import its entry too, which runs once all the same. Without
 * that, what the two share would be cut into a chunk for each way of sharing; so it is one, and one
 * request.
 */
function inOneChunk(entry) {
  return {
    name: 'in-one-chunk',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'later' } : null,
      );
      onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => {
        const [own, later] = [entry, path].map((name) => JSON.stringify(name.replace(/\.js$/, '')));
        return { contents: `import ${own}; export * from ${later};`, resolveDir: dirname(path) };
      });
    },
  };
}

function buildOne(path, options = {}) {
  const entryNames = '[name]-[hash]';
  return build({ ...COMMON, entryPoints: [join(PAGE, path)], outdir: ASSETS, entryNames, ...options });
}

function named(results) {
  return Object.fromEntries(results.map(({ name, metafile }) => [name, metafile]));
}

function pathOf(output) {
  return `/assets/${relative(ASSETS, join(ROOT, output)).replaceAll(sep, '/')}`;
}

function onlyOutput({ metafile }) {
  return pathOf(Object.keys(metafile.outputs)[0]);
}

/**
 * The module of a page, and what it imports before it can run; what is loaded later is not among
 * them.
 */
function modulesOf({ outputs }) {
  const [entry] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.startsWith(`${PAGE}/entries/`));
  const found = new Set([entry]);
  for (const output of found) {
    for (const { path, kind } of outputs[output].imports) if (kind === 'import-statement') found.add(path);
  }
  // An entry that is but the import of its chunk would be a request for nothing.
  const isEmpty = Object.values(outputs[entry].inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
  return [...found].filter((output) => !(isEmpty && output === entry && found.size > 1)).map(pathOf);
}

/** Compresses once what would otherwise be compressed for every reader. */
function compressAll() {
  const files = readdirSync(ASSETS);
  for (const file of files) {
    const bytes = readFileSync(join(ASSETS, file));
    writeFileSync(join(ASSETS, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(join(ASSETS, `${file}.br`), brotliCompressSync(bytes, { params }));
  }
  return Object.fromEntries(files.map((file) => [file, TYPES[file.slice(file.lastIndexOf('.'))]]));
}
