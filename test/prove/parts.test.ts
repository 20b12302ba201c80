import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';
import { PARTS } from './parts.js';

const compiled = (folder: string, ending: string) =>
  readdirSync(join(ROOT, 'dist/test', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `dist/test/${folder}/${name.replaceAll('\\', '/')}`);

describe('the parts of the proof', () => {
  const files = PARTS.flatMap((part) => part.files);

  it('have names of their own and files that exist', () => {
    expect(new Set(PARTS.map(({ name }) => name)).size).to.equal(PARTS.length);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
    expect(new Set(files).size).to.equal(files.length);
  });

  it('take in every property that has a full size', () => {
    const isSized = /import \{[^}]*PROPERTY_RUNS[^}]*\} from/;
    const sized = compiled('.', '.test.js')
      .map((file) => file.replace('/./', '/'))
      .filter((file) => isSized.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(sized.length).to.be.above(10);
    expect(files).to.include.members(sized);
  });

  it('take in every proof, and every test of the rating and the tape', () => {
    const wanted = [
      ...compiled('prove', '.prove.js'),
      ...compiled('domain/rating', '.test.js'),
      ...compiled('adapters/tape', '.test.js'),
    ];
    expect(files).to.include.members(wanted);
  });
});
