import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { engineDefine } from '../engine-define.mjs';
import { lean } from '../lean.mjs';
import { licenseTexts } from './licenses.mjs';

/**
 * Runs in every build: makes dist/client, the package as it is published, of src/client and its
 * manifest (its types are written by types.mjs), and bundles it once more as a page would (minified) into dist/client-page, with what
 * went into it, for the tests that weigh it.
 */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const SOURCE = join(ROOT, 'src/client/package');
const PACKAGE = join(ROOT, 'dist/client');
const OUT = join(PACKAGE, 'dist');
const LIBRARY = { index: 'src/client/index.ts', engine: 'src/client/engine.ts' };

/** `module` takes the form of a package that can be shaken. */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  target: 'es2023',
  splitting: true,
  metafile: true,
  chunkNames: 'chunks/[name]-[hash]',
  conditions: ['@preflight/source', 'module'],
  define: engineDefine(ROOT),
  logLevel: 'warning',
};

const library = await build({
  ...COMMON,
  entryPoints: { ...LIBRARY, node: 'src/client/node/index.ts' },
  outdir: OUT,
  external: ['node:*'],
});

// A program of its own kind: it brings what checks signatures of orders.
const guard = await build({
  ...COMMON,
  platform: 'node',
  entryPoints: { guard: 'src/client/guard/index.ts' },
  outdir: OUT,
  chunkNames: 'guard/[name]-[hash]',
  minify: true,
});

// commander and what the stdio server uses are CommonJS, which asks for node's modules by
// require().
const cli = await build({
  ...COMMON,
  platform: 'node',
  entryPoints: { cli: 'src/client/cli/index.ts' },
  outdir: OUT,
  chunkNames: 'cli/[name]-[hash]',
  plugins: [lean],
  minify: true,
  banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
});

const page = await build({ ...COMMON, entryPoints: LIBRARY, outdir: join(ROOT, 'dist/client-page'), minify: true });
writeFileSync(join(ROOT, 'dist/client-page/metafile.json'), JSON.stringify(page.metafile));

removeOthers(OUT, [library, guard, cli]);
writeFileSync(
  join(PACKAGE, 'THIRD-PARTY-LICENSES.txt'),
  licenseTexts(ROOT, [library.metafile, guard.metafile, cli.metafile]),
);
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
copyFileSync(join(SOURCE, 'package.json'), join(PACKAGE, 'package.json'));
cpSync(join(SOURCE, 'bin'), join(PACKAGE, 'bin'), { recursive: true });
writeReadme();

/** Chunks carry a hash of what is in them: those of builds before stay behind. */
function removeOthers(folder, results) {
  const written = new Set(results.flatMap(({ metafile }) => Object.keys(metafile.outputs)));
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && path.endsWith('.js') && !written.has(path.slice(ROOT.length + 1))) rmSync(path);
  }
}

/** The name of the package stands in its package.json alone. */
function writeReadme() {
  const { name } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  const text = readFileSync(join(SOURCE, 'about.in.md'), 'utf8');
  writeFileSync(join(PACKAGE, 'README.md'), text.replaceAll('PACKAGE_NAME', name));
}
