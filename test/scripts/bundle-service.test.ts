import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';

const SERVICE = join(ROOT, 'dist/bundle/service/main.js');
const IMPORT = /^(?:import|export)\b[^'"]*["'](\.\/[^'"]+)["'];$/gm;
const FOLDER = dirname(SERVICE);
/** What Node looks for among the packages, and what is Node's own. */
const PACKAGE = /^(?:import|export)\b[^'"]*["']([^./'"][^'"]*)["'];$|\bimport\("([a-z@][^"]*)"\)/gm;
/** Of code that a start has to parse; 100 kB take about 3 ms. */
const BYTES_MAX = 4_370_000;

describe('bundle of the service', () => {
  const text = filesOf(SERVICE)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

  it('has a start parse no more than it has to', () => {
    expect(text.length).to.be.below(BYTES_MAX);
  });

  it('leaves out what its packages carry along for others', () => {
    expect(text)
      .to.include('// node_modules/zod/v4/locales/en.js')
      .and.not.include('// node_modules/zod/v4/locales/de.js');
    expect(text).to.include('this server checks no JSON Schema').and.not.include('/ajv/dist/');
    expect(text).to.include('// node_modules/rxjs/dist/esm/').and.not.include('// node_modules/rxjs/dist/cjs/');
    expect(text)
      .to.include('"iconv-lite/encodings/tables/')
      .and.not.include('// node_modules/iconv-lite/encodings/tables/');
  });

  it('imports of all packages those that package.json has as dependencies, and no other', () => {
    const built = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
    const files = [...built.map((name) => join(FOLDER, name)), join(ROOT, 'dist/page/render.js')];
    const imported = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(PACKAGE)].map(([, whole, lazy]) => (whole ?? lazy)!),
    );
    // Charts are drawn in browsers alone: the pages that the server renders come without.
    const packages = new Set(imported.filter((name) => !isBuiltin(name)));
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([...packages]).to.have.members(Object.keys(dependencies));
  });

  it('still finds the tables of iconv-lite, which stay with their package', () => {
    const tables = [...text.matchAll(/"(iconv-lite\/encodings\/tables\/[^"]+)"/g)].map(([, table]) => table!);
    expect(tables).to.have.length.above(0);
    for (const table of tables) expect(() => readFileSync(join(ROOT, 'node_modules', table))).not.to.throw();
  });
});

/** Returns a file with all that it imports, and what they import, before its first line runs. */
function filesOf(file: string, found = new Set<string>()): readonly string[] {
  if (found.has(file)) return [...found];
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT)) filesOf(join(dirname(file), path!), found);
  return [...found];
}
