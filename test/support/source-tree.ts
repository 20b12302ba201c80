import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root: tests run from dist/test/support. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Where the code of this project is. */
export const CODE_FOLDERS = ['src', 'machines', 'streams', 'test', 'tools'];

/** One source file with what it imports: project files by path from the root, packages by name. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
  /** What of both is imported for more than its types. */
  readonly loads: readonly string[];
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(type\s)?(?:[^'";]*?\sfrom\s)?'([^']+)'|import\('([^']+)'\)/g;

/** Returns every TypeScript file of the given folders, with its imports resolved. */
export function readSources(folders: readonly string[]): readonly SourceFile[] {
  const aliases = readAliases();
  const files = folders.flatMap((folder) => ['.ts', '.tsx'].flatMap((ending) => listFiles(join(ROOT, folder), ending)));
  return files.map((file) => readSource(file, aliases));
}

/** A page of documentation: its path from the root, and its text. */
export interface MarkdownPage {
  readonly path: string;
  readonly text: string;
}

/** Returns every Markdown page of the project: those at the root, in docs/, in skills/, and beside the code. */
export function markdownPages(): readonly MarkdownPage[] {
  const atRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const inFolders = ['clients', 'deploy', 'docs', 'examples', 'skills', 'src', 'test', 'tools'].flatMap((folder) =>
    listFiles(join(ROOT, folder), '.md'),
  );
  return [...atRoot.map((name) => join(ROOT, name)), ...inFolders].map((file) => ({
    path: relative(ROOT, file).replaceAll('\\', '/'),
    text: readFileSync(file, 'utf8'),
  }));
}

function listFiles(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readAliases(): ReadonlyMap<string, string> {
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    imports: Record<string, { readonly '@preflight/source': string }>;
  };
  return new Map(
    Object.entries(imports).map(([from, to]) => [
      from.replace('*', ''),
      to['@preflight/source'].replace('./', '').replace('*.ts', ''),
    ]),
  );
}

function readSource(file: string, aliases: ReadonlyMap<string, string>): SourceFile {
  const path = relative(ROOT, file).replaceAll('\\', '/');
  const text = readFileSync(file, 'utf8');
  const files: string[] = [];
  const packages: string[] = [];
  const loads: string[] = [];
  for (const [, isType, named, awaited] of text.matchAll(IMPORT)) {
    const target = (named ?? awaited)!;
    const isOwn = target.startsWith('.') || target.startsWith('#');
    const found = isOwn ? fileOf(path, target, aliases) : packageOf(target);
    (isOwn ? files : packages).push(found);
    if (isType === undefined) loads.push(found);
  }
  return { path, text, files, packages, loads };
}

function fileOf(path: string, target: string, aliases: ReadonlyMap<string, string>): string {
  if (target.startsWith('#')) return resolveAlias(target, aliases);
  const file = posix.join(posix.dirname(path), target);
  return file.endsWith('.js') ? sourceOf(file.slice(0, -'.js'.length)) : file;
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function resolveAlias(target: string, aliases: ReadonlyMap<string, string>): string {
  const prefix = target.slice(0, target.indexOf('/') + 1);
  return sourceOf(`${aliases.get(prefix)}${target.slice(prefix.length)}`);
}

/** The file behind a path without its ending. */
function sourceOf(path: string): string {
  return existsSync(join(ROOT, `${path}.tsx`)) ? `${path}.tsx` : `${path}.ts`;
}
