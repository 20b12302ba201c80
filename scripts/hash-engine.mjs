import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Runs before every bundling: lists the source files that a verdict is computed with, in
 * dist/engine.sha256, as sha256sum writes them and checks them from the root of the project. The
 * hash of that list is the engine's name in every evidence. Packages are not listed: their versions
 * are pinned. The first argument is the root of the project, by default this one.
 */
const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'));

/** Where the computation begins: all that these import belongs to it, types excepted. */
const BEGINNINGS = ['assess', 'verdict-body', 'plan-members', 'evidence-payload'];

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: BEGINNINGS.map((name) => `src/judge/${name}.ts`),
  bundle: true,
  write: false,
  outdir: 'dist',
  metafile: true,
  packages: 'external',
  conditions: ['@preflight/source'],
  logLevel: 'warning',
});

const lines = Object.keys(metafile.inputs)
  .sort()
  .map(
    (path) =>
      `${createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')}  ${path}\n`,
  );
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/engine.sha256'), lines.join(''));
