import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root: tests run from dist/test/support. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** One source file with what it imports: project files by path from the root, packages by name. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?'([^']+)'|import\('([^']+)'\)/g;

/** Returns every TypeScript file of the given folders, with its imports resolved. */
export function readSources(folders: readonly string[]): readonly SourceFile[] {
  const aliases = readAliases();
  return folders.flatMap((folder) => listFiles(join(ROOT, folder))).map((file) => readSource(file, aliases));
}

/** A page of documentation: its path from the root, and its text. */
export interface MarkdownPage {
  readonly path: string;
  readonly text: string;
}

/** Returns every Markdown page of the project: those at the root, in docs/, and beside the code. */
export function markdownPages(): readonly MarkdownPage[] {
  const atRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const inFolders = ['docs', 'examples', 'src', 'test'].flatMap((folder) => listFiles(join(ROOT, folder), '.md'));
  return [...atRoot.map((name) => join(ROOT, name)), ...inFolders].map((file) => ({
    path: relative(ROOT, file).replaceAll('\\', '/'),
    text: readFileSync(file, 'utf8'),
  }));
}

function listFiles(folder: string, ending = '.ts'): string[] {
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
  for (const match of text.matchAll(IMPORT)) {
    const target = (match[1] ?? match[2])!;
    if (target.startsWith('.')) files.push(posix.join(posix.dirname(path), target).replace(/\.js$/, '.ts'));
    else if (target.startsWith('#')) files.push(resolveAlias(target, aliases));
    else packages.push(target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0]!);
  }
  return { path, text, files, packages };
}

function resolveAlias(target: string, aliases: ReadonlyMap<string, string>): string {
  const prefix = target.slice(0, target.indexOf('/') + 1);
  return `${aliases.get(prefix)}${target.slice(prefix.length)}.ts`;
}
