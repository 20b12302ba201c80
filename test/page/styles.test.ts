import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';

const FOLDER = join(ROOT, 'src/page/styles');
/** Tokens are made here, and pictures are laid out to the pixel there. */
const EXEMPT = ['tokens.css', 'plot.css'];
const sheets = readdirSync(FOLDER).filter((file) => file.endsWith('.css') && !EXEMPT.includes(file));
/** Declarations of a sheet, without those of plots. */
const declarations = (file: string) =>
  readFileSync(join(FOLDER, file), 'utf8')
    .replaceAll(/\.plot[^{]*\{[^}]*\}/g, '')
    .matchAll(/(?<![\w-])(font-size|(?:row-|column-)?gap|padding[a-z-]*|margin[a-z-]*): ([^;]+);/g);

describe('the styles of the pages', () => {
  for (const file of sheets) {
    it(`have one scale of type and of distances in ${file}`, () => {
      const odd = [...declarations(file)].filter(([, property, value]) =>
        property === 'font-size'
          ? !/^var\(--text-\w+\)$|^20px$/.test(value!)
          : /(?<![\d.])(?!-?1px)-?\d+px/.test(value!),
      );
      expect(odd.map(([whole]) => whole)).to.deep.equal([]);
    });
  }

  it('write figures in one width each', () => {
    expect(readFileSync(join(FOLDER, 'base.css'), 'utf8')).to.match(/html \{[^}]*font-variant-numeric: tabular-nums/);
  });
});
