import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#test/support/source-tree';
import { PARTS, SHORT } from './parts.js';

const compiled = (folder: string, ending: string) =>
  readdirSync(join(ROOT, 'dist', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `dist/${folder}/${name.replaceAll('\\', '/')}`);

describe('the parts of the proof', () => {
  const files = PARTS.flatMap((part) => part.files);

  it('have names of their own and files that exist', () => {
    expect(new Set(PARTS.map(({ name }) => name)).size).to.equal(PARTS.length);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
    expect(new Set(files).size).to.equal(files.length);
  });

  it('take in every property that has a full size', () => {
    const isSized = /import \{[^}]*(?:PROPERTY|COVERING)_RUNS[^}]*\} from/;
    const sized = compiled('test', '.test.js').filter((file) => isSized.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(sized.length).to.be.above(10);
    expect(files).to.include.members(sized);
  });

  it('take in all cases of every test that draws some of them', () => {
    const draws = /from '#test\/support\/draw'/;
    const drawing = compiled('test', '.test.js').filter((file) => draws.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(drawing.length).to.be.above(5);
    expect(files).to.include.members(drawing);
  });

  it('take in every proof, and every test of the rating and the tape', () => {
    const wanted = [
      ...compiled('tools/prove', '.prove.js'),
      ...compiled('test/shared/domain/rating', '.test.js'),
      ...compiled('test/server/adapters/tape', '.test.js'),
    ];
    expect(files).to.include.members(wanted);
  });

  it('have a short list that takes under 40 minutes, and what needs a browser or Prometheus is in it', () => {
    expect(SHORT.reduce((sum, { minutes }) => sum + minutes, 0)).to.be.below(40);
    expect(SHORT.map(({ name }) => name)).to.include.members(['pages', 'lighthouse', 'dashboard']);
    expect(PARTS).to.include.members([...SHORT]);
  });
});
