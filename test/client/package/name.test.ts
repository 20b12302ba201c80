import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';

const MANIFEST = 'src/client/package/package.json';
const { name } = JSON.parse(readFileSync(join(ROOT, MANIFEST), 'utf8')) as { readonly name: string };

const FOLDERS = ['src', 'machines', 'streams', 'test', 'docs', 'examples', 'scripts', '.github'];

describe('the name of the package', () => {
  const files = listFiles();

  it("is scoped: the bare one is somebody else's", () => {
    expect(name).to.match(/^@[\w-]+\/[\w-]+$/);
  });

  it('stands in its package.json and nowhere else', () => {
    expect(files.length).to.be.above(500);
    expect(files.filter((path) => textOf(path).includes(name))).to.deep.equal([MANIFEST]);
  });

  it('is not left out where somebody without a clone is told what to run', () => {
    const leaveTheClone = files.filter((path) =>
      /^(src\/(shared\/api|server\/discovery|client)\/.*\.ts|src\/client\/package\/)/.test(path),
    );
    expect(leaveTheClone.length).to.be.above(60);
    const bare = /\b(npx|npm (install|i|exec)( -\w+| --\w+)*) preflight\b/;
    expect(leaveTheClone.filter((path) => bare.test(textOf(path)))).to.deep.equal([]);
  });
});

function listFiles(): readonly string[] {
  const atRoot = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return [...atRoot, ...inFolders].map((entry) =>
    relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
  );
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
