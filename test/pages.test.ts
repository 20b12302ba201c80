import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { coerce, satisfies } from 'semver';
import { ORDER_RULES } from '#client/guard/rules';
import { GUARDRAIL_RULES } from '#client/terms/rules';
import { CODE_FOLDERS, type MarkdownPage, markdownPages, ROOT, readSources } from '#test/support/source-tree';

const README_LINES_MAX = 150;
const LINE_LENGTH_MAX = 120;

const pages = markdownPages();
const inPages = (describeBreach: (page: MarkdownPage) => readonly string[]) =>
  pages.flatMap((page) => describeBreach(page).map((breach) => `${page.path}: ${breach}`));
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

/** What stands in `code marks`, outside of code blocks. */
const codeIn = ({ text }: MarkdownPage) => matches(text.replaceAll(/^ *```.*?^ *```/gms, ''), /`([^`\n]+)`/g);

describe('Markdown pages', () => {
  it('name only paths of the project that exist', () => {
    const path = /^(?:src|test|machines|streams|docs|examples|scripts|\.ci|\.github)\/[^\s…*<{]*/;
    const missing = inPages((page) =>
      codeIn(page)
        .flatMap((code) => path.exec(code) ?? [])
        .map((found) => found.replace(/[^/]*$/, (last) => (last.includes('.') ? last : '')))
        .filter((found) => !existsSync(join(ROOT, found))),
    );
    expect(missing).to.deep.equal([]);
  });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const missing = inPages(({ text }) =>
      matches(text, /npm run (?:--silent )?([\w:-]+)/g).filter((name) => !(name in scripts)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('say for whom they are in their first lines, if they are in docs/', () => {
    const isAddressed = (text: string) => /\bFor (?:developers|operators|people|the person)\b/.test(text);
    const first = (text: string) => text.split('\n').filter(Boolean).slice(1, 4).join(' ');
    const mute = pages.filter(({ path, text }) => path.startsWith('docs/') && !isAddressed(first(text)));
    expect(mute.map(({ path }) => path)).to.deep.equal([]);
  });

  it('wrap their lines, but for tables, addresses and the list of changes', () => {
    const long = inPages(({ path, text }) =>
      path === 'CHANGELOG.md'
        ? []
        : text.split('\n').filter((line) => line.length > LINE_LENGTH_MAX && !/^\||https?:/.test(line)),
    );
    expect(long).to.deep.equal([]);
  });
});

describe('CONTRIBUTING.md', () => {
  it('names only what is in the code', () => {
    const code = readSources(CODE_FOLDERS)
      .map(({ text }) => text)
      .join('\n');
    const contributing = pages.find(({ path }) => path === 'CONTRIBUTING.md')!;
    const names = codeIn(contributing).filter((name) => /^[a-zA-Z]+(?:[A-Z_][a-zA-Z]*)+$/.test(name));
    expect(names.length).to.be.above(5);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).to.deep.equal([]);
  });
});

describe('the pages of client and guard', () => {
  const lists = { 'docs/client.md': GUARDRAIL_RULES, 'docs/guard.md': ORDER_RULES } as const;

  it('name every rule by which something is refused', () => {
    for (const [path, rules] of Object.entries(lists)) {
      const named = codeIn(pages.find((page) => page.path === path)!);
      expect(named, path).to.include.members([...rules]);
    }
  });
});

describe('README.md', () => {
  const { text } = pages.find(({ path }) => path === 'README.md')!;

  it('names as the oldest Node one that no package warns about', () => {
    const [, oldest = ''] = /with Node (\d+(?:\.\d+)*) or newer/.exec(text) ?? [];
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly engines?: { readonly node?: string } }>;
    };
    const version = coerce(oldest)!;
    const warning = Object.entries(lock.packages).filter(
      ([, { engines }]) => engines?.node !== undefined && !satisfies(version, engines.node),
    );
    expect(warning.map(([path]) => path)).to.deep.equal([]);
  });

  it('is read in one sitting', () => {
    expect(text.split('\n').length).to.be.at.most(README_LINES_MAX);
  });

  it('names no place outside the repository', () => {
    expect(text).to.not.include('../');
  });
});
